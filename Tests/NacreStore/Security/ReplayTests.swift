import Foundation
@testable import NacreCore
import NacreCrypto
import NacreOpen
import NacreSQLite
import Testing
@testable import TestSupport

/// Changes that someone who can write to the file can make unseen, as SECURITY.md says it, and their limits.
@Suite struct ReplayTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func stored(_ text: String = Marker.text) throws -> Vault {
    let store = try scene.open()
    let vault = Vault.create()
    vault.secret = text
    vault.note = Marker.text
    try scene.save(vault, in: store)
    try store.close()
    return vault
  }

  private func fetch() throws -> Vault? {
    let store = try scene.open()
    defer { try? store.close() }
    return try store.read { _ in try Vault.fetchOne() }
  }

  @Test func `an older value of the same place opens again`() throws {
    let vault = try stored("MARKER-old")
    let old = try scene.edit("SELECT secret FROM Vault")[0][0]
    let store = try scene.open()
    let found = try #require(try store.read { _ in try Vault.fetchOne() })
    found.secret = "MARKER-new"
    try found.save()
    try store.close()
    try scene.edit("UPDATE Vault SET secret = ?1", old)
    #expect(try fetch()?.secret == "MARKER-old")
    #expect(try fetch()?.objectID == vault.objectID)
  }

  @Test func `a deleted row that is put back whole opens`() throws {
    _ = try stored()
    let row = try scene.edit("SELECT * FROM Vault")[0]
    try scene.edit("DELETE FROM Vault")
    #expect(try fetch() == nil)
    let places = (1...row.count).map { "?\($0)" }.joined(separator: ", ")
    try put(row, "INSERT INTO Vault VALUES (\(places))")
    #expect(try fetch()?.secret == Marker.text)
  }

  @Test func `an anchor does not tell of single rows, nor of its own row in an older file`() throws
  {
    _ = try stored("MARKER-old")
    let older = try scene.directory.bytes("store.db")
    let value = try scene.edit("SELECT secret FROM Vault")[0][0]
    let store = try scene.open()
    let found = try #require(try store.read { _ in try Vault.fetchOne() })
    found.secret = "MARKER-new"
    try found.save()
    let anchor = try store.anchor()
    try store.close()
    func expect() throws {
      let store = try Store.open(scene.path, unlock: Scene.unlock, expecting: anchor)
      #expect(try store.read { _ in try Vault.fetchOne()?.secret } == "MARKER-old")
      try store.close()
    }
    try scene.edit("UPDATE Vault SET secret = ?1", value)
    try expect()
    let row = try scene.edit("SELECT value FROM nacre_store WHERE name = 'anchor'")[0][0]
    try older.write(to: URL(fileURLWithPath: scene.path))
    try put(["anchor", row], "INSERT INTO nacre_store VALUES (?1, ?2)")
    try expect()
  }

  private func put(_ row: [Value], _ sql: String) throws {
    let connection = try Connection(path: scene.path, mode: .readWrite)
    defer { try? connection.close() }
    try connection.run(sql, row)
  }

  @Test func `NULL in an optional sealed property is taken for nil`() throws {
    _ = try stored()
    #expect(try fetch()?.note == Marker.text)
    try scene.edit("UPDATE Vault SET note = NULL")
    let found = try #require(try fetch())
    #expect(found.note == nil && found.secret == Marker.text)
  }

  @Test func `plain values and links are believed as they lie in the file`() throws {
    let store = try scene.open()
    let (ada, bob, car) = (Person.create(), Person.create(), Car.create())
    (ada.code, bob.code) = ("ada", "bob")
    (ada.name, bob.name) = ("MARKER-Ada", "MARKER-Bob")
    car.vin = Marker.text
    car.owner = Link(ada)
    try store.write { _ in
      try bob.save()
      try car.save()
    }
    try scene.edit("UPDATE Car SET name = 'forged', owner = ?1", bob.objectID.storedValue)
    try store.read { _ in
      let found = try #require(try Car.fetchOne())
      #expect(found.name == "forged" && found.vin == Marker.text)
      #expect(try found.owner?.get().name == "MARKER-Bob")
    }
  }

  @Test func `a whole store that is put back is not noticed by a new process`() throws {
    _ = try stored("MARKER-old")
    let copy = try scene.directory.bytes("store.db")
    let store = try scene.open()
    let vault = try #require(try store.read { _ in try Vault.fetchOne() })
    vault.secret = "MARKER-new"
    try vault.save()
    try store.close()
    #expect(try fetch()?.secret == "MARKER-new")
    try copy.write(to: URL(fileURLWithPath: scene.path))
    #expect(try fetch()?.secret == "MARKER-old")
  }

  @Test
  func `a store whose whole ring was taken away is refused while the catalog names a sealed value`()
    throws
  {
    _ = try stored()
    for sql in [
      "DELETE FROM nacre_key", "DELETE FROM nacre_slot",
      "DELETE FROM nacre_store WHERE name LIKE 'ring%'",
    ] { try scene.edit(sql) }
    expectError(.ringTampered, entity: "Vault") { _ = try scene.open() }
    // With the catalog's word gone as well, it is a store that never had a ring, and gets another.
    try scene.edit("DELETE FROM nacre_property")
    try scene.open().close()
    // What is sealed from now on stays shut to whoever did it: the new ring is under the application's own secret.
    expectError(.wrongSecret) { _ = try scene.open(Scene.wrong) }
  }

  @Test
  func `a catalog that calls a sealed property plain is refused, and nothing is passed through`()
    throws
  {
    _ = try stored()
    try scene.edit("UPDATE nacre_property SET sealed = 0 WHERE name = 'secret'")
    let store = try scene.open()
    try store.write { _ in
      expectError(.catalogTampered) { _ = try Vault.fetchOne() }
      let vault = Vault.create()
      vault.secret = Marker.text
      expectError(.catalogTampered) { try vault.save() }
    }
    #expect(try scene.edit("SELECT count(*) FROM Vault") == [[.integer(1)]])
  }
}
