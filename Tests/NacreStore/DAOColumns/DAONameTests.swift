import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Sealed values of DAOs in tables and columns whose names SQLite and Swift, or SQLite's schemas, do not take for the same.
@Suite struct DAONameTests {
  private let scene: DAOScene
  private let store: Store
  private let old: KeyID

  init() throws {
    scene = try DAOScene()
    store = try scene.open()
    old = try store.key(.primary)
  }

  private func execute(_ sql: String) throws { try store.write { try $0.execute(sql) } }

  /// The values of a column, opened.
  private func values(_ table: String, _ column: String, _ property: String) throws -> [Value] {
    try store.read { database in
      try database.query("SELECT \(column) FROM \(table) ORDER BY rowid").map {
        try database.openDAO($0[0], type: "Note", property: property)
      }
    }
  }

  private var bodies: [Value] { scene.rowIDs.map(DAOScene.body) }

  // MARK: Schemas

  @Test(arguments: ["id", "*"])
  func `a temporary table of the name hides no sealed value`(_ columns: String) throws {
    try execute("CREATE TEMP TABLE notes AS SELECT \(columns) FROM notes")
    try store.promoteKey(store.addKey(.field))
    expectError(.keyInUse) { try store.destroyKey(old) }
    #expect(try store.inspect().entities.map(\.properties.count) == [2])
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    try execute("DROP TABLE temp.notes")
    try scene.expectWhole(store)
    #expect(try scene.namedKeys(store) == [store.key(.primary)])
    #expect(try store.verify().isSound)
  }

  @Test func `a temporary table of a copy's name hides no copy`() throws {
    try execute("CREATE TABLE copy AS SELECT body FROM notes ORDER BY id")
    try execute("CREATE TEMP TABLE copy (other)")
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    #expect(try values("main.copy", "body", "body") == bodies)
  }

  // MARK: Letters

  @Test(arguments: [("É", "é"), ("caf\u{e9}", "cafe\u{301}"), ("\u{212a}", "k")])
  func `columns that only Swift takes for one are each rotated`(
    _ noted: String,
    _ other: String
  ) throws {
    try execute("CREATE TABLE t (\"\(noted)\")")
    try store.write {
      try $0.noteDAO(table: "t", column: noted, type: "Note", property: "body")
    }
    try execute("INSERT INTO t SELECT body FROM notes ORDER BY id")
    try execute("ALTER TABLE t ADD COLUMN \"\(other)\"; UPDATE t SET \"\(other)\" = \"\(noted)\"")
    let count = scene.valueCount + 2 * scene.rowIDs.count
    #expect(try store.rotationPlan().resealed == count)
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    #expect(try values("t", "\"\(noted)\"", "body") == bodies)
    #expect(try values("t", "\"\(other)\"", "body") == bodies)
    #expect(try store.verify().isSound)
  }

  @Test(arguments: [("É", "é"), ("caf\u{e9}", "cafe\u{301}")])
  func `tables that only Swift takes for one are each rotated`(
    _ noted: String,
    _ other: String
  ) throws {
    try execute("ALTER TABLE notes RENAME TO \"\(noted)\"")
    try store.write { database in
      try database.noteDAO(table: noted, column: "body", type: "Note", property: "body")
      try database.noteDAO(table: noted, column: "extra", type: "Note", property: "extra")
    }
    try execute("CREATE TABLE \"\(other)\" AS SELECT body FROM \"\(noted)\" ORDER BY id")
    let count = scene.valueCount + scene.rowIDs.count
    #expect(try store.rotationPlan().resealed == count)
    let report = try store.rotate(.small)
    #expect(report.outcome == .finished && report.resealed == count)
    try store.destroyKey(old)
    #expect(try values("\"\(noted)\"", "body", "body") == bodies)
    #expect(try values("\"\(other)\"", "body", "body") == bodies)
  }

  @Test func `columns that only Swift takes for one are each noted`() throws {
    try execute("CREATE TABLE t (\"caf\u{e9}\", \"cafe\u{301}\")")
    try store.write { database in
      for column in ["caf\u{e9}", "cafe\u{301}"] {
        try database.noteDAO(table: "t", column: column, type: "Note", property: "body")
      }
    }
    #expect(try store.inspect().entities.map(\.properties.count) == [2, 2])
  }

  @Test func `a column that is renamed by other letters alone is still its property's`() throws {
    try execute("ALTER TABLE notes RENAME COLUMN body TO BODY")
    try store.write { database in
      try DAOScene.note(database)
      try DAOScene.insert(1000, on: database)
    }
    expectError(.unsuitableColumn, entity: "notes", property: "BODY") {
      try store.write {
        try $0.noteDAO(table: "notes", column: "body", type: "Memo", property: "text")
      }
    }
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    try scene.expectWhole(store, with: [1000])
    #expect(try store.inspect().entities.map(\.properties.count) == [2])
  }

  // MARK: Views and the store's own names

  @Test func `a view in the place of a table that was renamed is no obstacle`() throws {
    try execute("ALTER TABLE notes RENAME TO notes2; CREATE VIEW notes AS SELECT * FROM notes2")
    #expect(try store.verify().isSound)
    #expect(try store.rotationPlan().resealed == scene.valueCount)
    #expect(try store.sealedCounts().isEmpty)
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    try scene.expectWhole(store)
    #expect(try store.inspect().entities.map(\.name) == ["dao:notes2"])
  }

  @Test func `a view made anew in a table's place is not read, and is forgotten`() throws {
    try execute(
      """
      DROP TABLE notes;
      CREATE VIEW notes AS WITH RECURSIVE endless (body, extra) AS \
      (SELECT 1, 2 UNION ALL SELECT body, extra FROM endless) SELECT * FROM endless
      """
    )
    #expect(try store.verify().isSound)
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    #expect(try store.inspect().entities.isEmpty)
  }

  @Test func `copies in a table that is named like the store's own are rotated`() throws {
    try execute("CREATE TABLE nacre_old AS SELECT body FROM notes ORDER BY id")
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    #expect(try values("nacre_old", "body", "body") == bodies)
    #expect(try store.verify().isSound)
  }

  // MARK: Meanwhile

  @Test func `a copy that is dropped before it is noted is no obstacle`() throws {
    try execute("CREATE TABLE copy AS SELECT body FROM notes")
    let other = try scene.open()
    let isArmed = Mutex(true)
    let rotating = try scene.open { options in
      options.trace = { event in
        guard case .statement(let sql) = event, sql.hasPrefix("BEGIN IMMEDIATE") else { return }
        let isFirst = isArmed.withLock { armed in
          defer { armed = false }
          return armed
        }
        if isFirst { try? other.write { try $0.execute("DROP TABLE copy") } }
      }
    }
    let report = try rotating.rotate(.small)
    #expect(report.outcome == .finished && report.resealed == scene.valueCount)
    #expect(!isArmed.withLock { $0 })
    try rotating.destroyKey(old)
    try scene.expectWhole(rotating)
  }
}
