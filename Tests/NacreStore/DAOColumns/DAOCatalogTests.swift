import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// The catalog's entries for a DAO's tables.
@Suite struct DAOCatalogTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  private func note(
    _ table: String,
    _ column: String = "body",
    _ type: String = "Note",
    _ property: String = "body",
    in store: Store
  ) throws {
    try store.write {
      try $0.noteDAO(table: table, column: column, type: type, property: property)
    }
  }

  private func make(_ sql: String) throws {
    try store.write { try $0.execute(sql) }
  }

  @Test func `a column is noted once, under the names of the file`() throws {
    try make("CREATE TABLE Notes (Body)")
    try note("notes", "BODY", in: store)
    try note("Notes", "Body", in: store)
    try note("notes", "body", in: store)
    let rows = try scene.edit(
      """
      SELECT e.name, e."table", p.name, p."column", p.type, p.sealed, p.kind, p.target, p.inverse \
      FROM nacre_entity e JOIN nacre_property p ON p.entity = e.name
      """
    )
    #expect(rows == [["dao:Notes", "Notes", "Body", "Body", "ANY", 1, "dao", "Note", "body"]])
  }

  @Test func `a column that is known costs no statement`() throws {
    let statements = StatementCount()
    let scene = try DAOScene { options in options.trace = { statements.note($0) } }
    let store = try scene.open { options in options.trace = { statements.note($0) } }
    try store.write { database in
      for _ in 0..<2 { try DAOScene.note(database) }
      let before = statements.count
      for _ in 0..<100 { try DAOScene.note(database) }
      #expect(statements.count == before)
    }
    #expect(statements.count > 0)
  }

  @Test func `a second property in one column is refused, and named`() throws {
    try make("CREATE TABLE notes (body, title)")
    try note("notes", in: store)
    let error = thrown(.unsuitableColumn, entity: "notes", property: "body") {
      try note("notes", "body", "Memo", "text", in: store)
    }
    #expect(error?.detail?.contains("Note.body") == true)
    #expect(error?.detail?.contains("Memo.text") == true)
    // Two columns and two tables can hold the same one.
    try note("notes", "title", in: store)
    try store.write { try $0.execute("CREATE TABLE more (body)") }
    try note("more", in: store)
    #expect(try store.inspect().entities.map(\.name) == ["dao:more", "dao:notes"])
  }

  @Test(arguments: [
    ("CREATE TABLE t (body PRIMARY KEY) WITHOUT ROWID", "t"),
    ("CREATE VIEW t AS SELECT 1 body", "t"),
    ("CREATE VIRTUAL TABLE t USING fts5(body)", "t"), ("CREATE TABLE t (title)", "t"),
    ("CREATE TABLE t (body, _ROWID_)", "t"), ("CREATE TABLE t (body)", "u"),
    ("CREATE TABLE t (body)", "nacre_store"), ("CREATE TABLE t (body)", "nacre_rotation"),
  ])
  func `a table without rowids or the column is refused`(_ sql: String, _ table: String) throws {
    try make(sql)
    expectError(.unsuitableColumn, entity: table) { try note(table, in: store) }
    #expect(try scene.edit("SELECT * FROM nacre_entity").isEmpty)
    #expect(try store.check().isEmpty)
  }

  @Test func `an entity's table is refused`() throws {
    try scene.save(Vault.create(), in: store)
    expectError(.unsuitableColumn, entity: "Vault") {
      try note("Vault", "label", "Note", "body", in: store)
    }
  }

  @Test func `a rollback takes the note back`() throws {
    try make("CREATE TABLE notes (body)")
    try store.write { database in
      try database.noteDAO(table: "notes", column: "body", type: "Note", property: "body")
      database.shouldRollback = true
    }
    #expect(try scene.edit("SELECT * FROM nacre_property").isEmpty)
    #expect(!store.sealedColumns.contains("notes", "body"))
    try note("notes", in: store)
    #expect(try scene.edit("SELECT * FROM nacre_property").count == 1)
    #expect(store.sealedColumns.contains("notes", "body"))
  }

  @Test func `a read finds what is noted and notes nothing`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    try store.read { try DAOScene.note($0) }
    expectError(.transactionState) {
      try store.read {
        try $0.noteDAO(table: "notes", column: "plain", type: "Note", property: "plain")
      }
    }
  }

  @Test func `a dropped table is forgotten, and can come again as another's`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    expectError(.unsuitableColumn, entity: "notes") {
      try store.write { try $0.forgetDAO(table: "notes") }
    }
    try store.write { database in
      try database.execute("DROP TABLE notes")
      try database.forgetDAO(table: "NOTES")
      try database.forgetDAO(table: "notes")
    }
    #expect(try store.inspect().entities.isEmpty)
    #expect(try scene.scene.edit("SELECT name FROM nacre_entity").isEmpty)
    #expect(!store.sealedColumns.contains("notes", "body"))
    #expect(try store.verify().isSound)
    try store.write { database in
      try database.execute("CREATE TABLE notes (body)")
      try database.noteDAO(table: "notes", column: "body", type: "Memo", property: "text")
    }
    #expect(try store.inspect().entities.first?.properties.first?.target == "Memo")
  }

  @Test func `a table that was dropped and made anew in other letters is noted anew`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    try store.write { try $0.execute("DROP TABLE notes; CREATE TABLE NOTES (body)") }
    try note("notes", in: store)
    #expect(try scene.scene.edit("SELECT name FROM nacre_entity") == [["dao:NOTES"]])
    #expect(try store.inspect().entities.map(\.name) == ["dao:NOTES"])
    #expect(try store.verify().isSound)
  }

  @Test func `a table that is gone is left out, and a rotation forgets it but its classes`() throws
  {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    try scene.scene.edit("DROP TABLE notes")
    #expect(try store.verify().isSound)
    #expect(try store.check().isEmpty)
    #expect(try store.sealedCounts().isEmpty)
    #expect(try store.inspect().entities.isEmpty)
    #expect(try scene.scene.edit("SELECT name FROM nacre_entity") == [["dao:notes"]])
    #expect(try store.rotate().outcome == .finished)
    #expect(try scene.scene.edit("SELECT name FROM nacre_entity").isEmpty)
    #expect(!store.sealedColumns.contains("notes", "body"))
    let kept = """
      SELECT entity, name, "column", sealed, kind, target, inverse FROM nacre_property ORDER BY name
      """
    #expect(
      try scene.scene.edit(kept) == [
        ["dao:", "4:Note.body", .null, 0, "dao", "Note", "body"],
        ["dao:", "4:Note.extra", .null, 0, "dao", "Note", "extra"],
      ]
    )
    #expect(try store.check().isEmpty)
  }

  @Test(arguments: [
    "CREATE TABLE notes (body PRIMARY KEY, extra) WITHOUT ROWID",
    "CREATE TABLE notes (_rowid_ TEXT, body, extra)",
    "CREATE VIRTUAL TABLE notes USING fts5(body, extra)",
  ])
  func `a table that was made anew as one without rowids is a fault`(_ sql: String) throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    try scene.scene.edit("DROP TABLE notes")
    try scene.scene.edit(sql)
    let report = try store.verify()
    #expect(report.faults.map(\.entity) == [DAOScene.entity])
    #expect(!report.isSound)
    expectError(.schemaMismatch, entity: DAOScene.entity) { _ = try store.rotate() }
  }

  @Test func `an upgrade that drops the table takes it out of the catalog`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    try store.write { database in
      let former = try database.shape
      try database.execute("DROP TABLE notes")
      try database.followDAO(table: "notes", from: former)
    }
    #expect(try scene.scene.edit("SELECT name FROM nacre_entity").isEmpty)
    #expect(!store.sealedColumns.contains("notes", "body"))
  }

  @Test func `an upgrade that drops a column takes that one out of the catalog`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    try store.write { database in
      let former = try database.shape
      try database.execute("ALTER TABLE notes DROP COLUMN extra")
      try database.followDAO(table: "notes", from: former)
    }
    let left = "SELECT name FROM nacre_property WHERE entity = 'dao:notes'"
    #expect(try scene.scene.edit(left) == [["body"]])
    #expect(!store.sealedColumns.contains("notes", "extra"))
    #expect(store.sealedColumns.contains("notes", "body"))
  }

  @Test func `a column that is gone is left out, and a rotation forgets it`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    try scene.scene.edit("ALTER TABLE notes RENAME COLUMN body TO content")
    try scene.scene.edit("ALTER TABLE notes DROP COLUMN extra")
    let report = try store.verify()
    #expect(report.isSound)
    #expect(report.properties.map(\.property) == ["content"])
    #expect(report.openedCount == 3)
    #expect(try store.sealedCounts().isEmpty)
    #expect(try store.rotate().outcome == .finished)
    let entity = try #require(try store.inspect().entities.first)
    #expect(entity.properties.map(\.column) == ["content"])
    #expect(entity.properties.map(\.inverseColumn) == ["body"])
  }

  @Test func `renaming, dropping and adding columns keeps the catalog right`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    try store.write { database in
      try database.renameColumn("body", of: "notes", to: "content")
      try database.dropColumn("extra", of: "notes")
      try database.addColumn("more", to: "notes", type: .text)
      // The values are those of Note.body as before.
      try database.noteDAO(table: "notes", column: "content", type: "Note", property: "body")
    }
    let report = try store.verify()
    #expect(report.isSound)
    #expect(report.properties.map(\.property) == ["content"])
    #expect(report.openedCount == scene.rowIDs.count)
    try store.write { try $0.dropTable("notes") }
    #expect(try store.inspect().entities.isEmpty)
  }

  @Test func `a class that bears an entity's name takes no part in its relationships`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    try scene.scene.save(Vault.create(), in: store)
    try store.write { database in
      try database.execute("CREATE TABLE copies (secret)")
      try database.noteDAO(table: "copies", column: "secret", type: "Vault", property: "secret")
      try database.dropTable("Vault")
    }
    #expect(try store.inspect().entities.map(\.name) == ["dao:copies", DAOScene.entity])
    #expect(try scene.scene.edit("SELECT count(secret) FROM copies") == [[0]])
  }

  @Test func `no condition reads a DAO's sealed column, and no index orders it`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    expectError(.sealedCondition) {
      _ = try store.read { _ in
        try Vault.fetchAll(where: "label IN (SELECT body FROM notes)")
      }
    }
    expectError(.sealedCondition) {
      try store.write { try $0.createIndex(on: "notes", columns: ["body"]) }
    }
  }

  @Test func `an export leaves a DAO's tables out, and says so`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    try scene.scene.save(Vault.create(), in: store)
    var lines: [Data] = []
    let report = try store.export { lines.append($0) }
    #expect(report.leftOut == ["notes"])
    #expect(report.objects == ["Vault": 1])
    #expect(!Lines(lines).text.contains("notes"))
    expectError(.noSuchEntity) { _ = try Lines(store, entities: [DAOScene.entity]) }
    // Nor does an import bring one.
    for name in ["dao:Vault", DAOScene.entity] {
      let forged = Lines(lines).replacing("\"name\":\"Vault\"", "\"name\":\"\(name)\"")
      expectError(.badImport) { _ = try forged.load(into: Scene().open()) }
      expectError(.badImport) { _ = try forged.load(into: store) }
    }
  }

  @Test func `a migration does not unseal a DAO's column`() throws {
    let scene = try DAOScene(count: 3)
    let store = try scene.open()
    expectError(.badDeclaration, entity: DAOScene.entity, property: "body") {
      _ = try store.convert("body", of: DAOScene.entity, to: nil)
    }
  }
}

/// Counts the statements that run.
private final class StatementCount: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func note(_ event: TraceEvent) {
    if case .statement = event { value.withLock { $0 += 1 } }
  }
}
