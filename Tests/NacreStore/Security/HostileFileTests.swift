import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreSQLite
import NacreUpkeep
import Testing
@testable import TestSupport

/// Files whose schema somebody wrote to mislead a reader.
@Suite struct HostileFileTests {
  private let scene: Scene

  init() throws {
    scene = try Scene()
    let store = try scene.open()
    let vault = Vault.create()
    vault.label = "mine"
    vault.secret = Marker.text
    try scene.save(vault, in: store)
    try store.close()
  }

  @Test func `a column that is gone is an error and not its own name`() throws {
    try scene.edit("ALTER TABLE Vault DROP COLUMN label")
    let store = try scene.open()
    try store.read { (_) throws in
      expectError(.schemaMismatch, entity: "Vault", property: "label") {
        _ = try Vault.fetchValues(\.label)
      }
    }
  }

  @Test func `a misspelt name in double quotes is an error and no text`() throws {
    let store = try scene.open()
    try store.read { (_) throws in
      expectError(.badStatement) { _ = try Vault.fetchAll(where: "\"lable\" = 'lable'") }
      expectError(.badStatement) { _ = try Vault.fetchAll(orderBy: "\"lable\"") }
    }
  }

  @Test(arguments: ["nacre_slot", "nacre_key", "nacre_entity", "nacre_property"])
  func `a view in place of a table of the store's own is refused`(_ table: String) throws {
    try scene.edit("ALTER TABLE \(table) RENAME TO hidden")
    try scene.edit("CREATE VIEW \(table) AS SELECT * FROM hidden")
    expectError(.notAStore) { _ = try scene.open() }
    expectError(.notAStore) { _ = try StoreInspection(path: scene.path) }
  }

  @Test func `a view in place of an entity's table is not inspected`() throws {
    try scene.edit("ALTER TABLE Vault RENAME TO hidden")
    try scene.edit("CREATE VIEW Vault AS SELECT * FROM hidden")
    let inspection = try StoreInspection(path: scene.path)
    expectError(.schemaMismatch) { _ = try inspection.describe() }
  }

  @Test func `the schema can't be rewritten by a statement of the application's`() throws {
    let store = try scene.open()
    expectError(.badStatement) {
      try store.write { database in
        try database.execute("PRAGMA writable_schema = 1")
        try database.execute("UPDATE sqlite_schema SET sql = 'x' WHERE name = 'Vault'")
      }
    }
  }
}
