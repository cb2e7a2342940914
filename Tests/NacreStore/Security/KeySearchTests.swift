import Foundation
import NacreCore
import NacreCrypto
import NacreSQLite
import NacreUpkeep
import Testing
@testable import TestSupport

/// A key goes only when nothing in the file names it, whatever the catalog says, which anybody can write.
@Suite struct KeySearchTests {
  private let scene: RotationScene
  private let store: Store
  private let old: KeyID

  init() throws {
    scene = try RotationScene(count: 12)
    store = try scene.open()
    old = try store.key(.primary)
  }

  private func edit(_ sql: String) throws { try scene.scene.edit(sql) }

  /// What a value under the old key begins with, as SQL's hex digits.
  private var head: String { "01\(old)" }

  private func secret() -> StoredColumn { StoredColumn(table: "Vault", column: "secret") }

  @Test(arguments: [
    "UPDATE nacre_property SET sealed = 0 WHERE name = 'secret'",
    "UPDATE nacre_property SET hooked = 1 WHERE name = 'secret'",
    "UPDATE nacre_property SET \"column\" = 'label' WHERE name = 'secret'",
    "DELETE FROM nacre_property WHERE name = 'secret'",
    "DELETE FROM nacre_entity",
  ])
  func `a changed catalog costs no key that live values name`(_ attack: String) throws {
    for table in ["nacre_entity", "nacre_property"] {
      try edit("CREATE TABLE saved_\(table) AS SELECT * FROM \(table)")
    }
    try edit(attack)
    expectError(.catalogTampered) { _ = try store.rotate(.small) }
    // Nor where its owner was made to accept it.
    try store.acceptCatalog(store.reviewCatalog())
    let report = try store.rotate(.small)
    #expect(report.outcome == .incomplete)
    let isFailed = report.obstacle == .failedValues
    #expect(isFailed == attack.contains("label"))
    #expect(report.elsewhere.map(\.column).contains(secret()))
    #expect(report.elsewhere.first { $0.column == secret() }?.count == 12)
    #expect(report.disabled.isEmpty)
    #expect(try store.state(of: old) == .enabled)
    let changes: [(KeyID) throws -> Void] = [
      { try store.disableKey($0) }, { try store.destroyKey($0) },
    ]
    for change in changes {
      let error = thrown(.keyInUse) { try change(old) }
      #expect(error?.detail?.contains("Vault.secret 12") == true, "\(error?.detail ?? "")")
    }
    #expect(try store.keyUses(of: old).first { $0.column == secret() }?.place == .elsewhere)
    for table in ["nacre_entity", "nacre_property"] {
      try edit("DELETE FROM \(table)")
      try edit("INSERT INTO \(table) SELECT * FROM saved_\(table)")
    }
    try store.acceptCatalog(store.reviewCatalog())
    try scene.expectWhole(scene.open())
    #expect(try scene.open().rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    try scene.expectWhole(scene.open())
  }

  @Test func `a collation that nobody knows keeps no rotation from its end`() throws {
    var configuration = ConnectionConfiguration()
    configuration.setsJournalMode = false
    let other = try Connection(
      path: scene.scene.path,
      mode: .readWrite,
      configuration: configuration
    )
    try other.define(Collation("other") { _, _ in 0 })
    try other.execute("CREATE TABLE planted (x TEXT COLLATE other, y BLOB COLLATE other)")
    try other.execute("INSERT INTO planted VALUES ('x', x'00')")
    try other.close()
    #expect(try store.rotate(.small).outcome == .finished)
    #expect(try store.keyUses(of: old).isEmpty)
    try store.destroyKey(old)
    try scene.expectWhole(store)
  }

  @Test(arguments: [
    ("CREATE TABLE planted (x)", "planted", "x"),
    ("CREATE TABLE planted (x BLOB, y INTEGER) STRICT", "planted", "x"),
    ("CREATE TABLE planted (id INTEGER PRIMARY KEY, x TEXT) WITHOUT ROWID", "planted", "x"),
    ("CREATE TABLE \"a \"\"b\" (\"x y\" REAL)", "a \"b", "x y"),
    ("CREATE TABLE planted (x COLLATE NOCASE, y AS (x))", "planted", "x"),
  ])
  func `bytes that somebody has planted keep a key until their column is ignored`(
    _ made: String,
    _ table: String,
    _ column: String
  ) throws {
    try edit(made)
    let name = "\"\(table.replacing("\"", with: "\"\""))\""
    let key = made.contains("id INTEGER") ? "id, " : ""
    try edit(
      "INSERT INTO \(name) (\(key)\"\(column)\") VALUES (\(key.isEmpty ? "" : "1, ")x'\(head)00')"
    )
    let planted = StoredColumn(table: table, column: column)
    let report = try store.rotate(.small)
    #expect(report.obstacle == .valuesElsewhere)
    #expect(report.elsewhere.map(\.column) == [planted])
    #expect(report.elsewhere.map(\.count) == [1])
    #expect(report.elsewhere.map(\.keyID) == [old])
    let changes: [(KeyID) throws -> Void] = [
      { try store.disableKey($0) }, { try store.destroyKey($0) },
    ]
    for change in changes {
      let error = thrown(.keyInUse) { try change(old) }
      #expect(error?.detail == "1 value: \(table).\(column) 1")
    }
    // One that is not there is a slip.
    let slip = StoredColumn(table: table, column: "z")
    expectError(.unsuitableColumn, entity: table, property: "z") {
      try store.destroyKey(old, ignoring: [slip])
    }
    var options = RotationOptions.small
    options.ignoredColumns = [planted]
    let again = try store.rotate(options)
    #expect(again.outcome == .finished)
    #expect(again.disabled.contains(old))
    try store.enableKey(old)
    try store.disableKey(old, ignoring: [planted])
    try store.destroyKey(old, ignoring: [planted])
    #expect(try store.state(of: old) == .destroyed)
    try scene.expectWhole(store)
  }

  @Test func `an envelope that is a text, or lies behind a virtual table, keeps its key`() throws {
    #expect(try store.rotate(.field).outcome == .finished)
    try edit("CREATE TABLE notes (x)")
    try edit("INSERT INTO notes VALUES (CAST(x'\(head)41' AS TEXT))")
    #expect(thrown(.keyInUse) { try store.destroyKey(old) }?.detail == "1 value: notes.x 1")
    try edit("DELETE FROM notes")
    try edit("CREATE VIRTUAL TABLE words USING fts5(x)")
    try edit("INSERT INTO words (x) VALUES (x'\(head)41')")
    #expect(
      thrown(.keyInUse) { try store.destroyKey(old) }?.detail == "1 value: words_content.c0 1"
    )
    // Neither the number after it, nor what only holds the bytes further on.
    try edit("DELETE FROM words")
    let next = String(format: "%08x", old.rawValue &+ 1)
    let last = String(format: "%08x", old.rawValue &- 1)
    for cell in [
      "x'01\(next)'", "CAST(x'01\(next)' AS TEXT)", "x'01\(last)ffff'",
      "CAST(x'01\(last)7f7f' AS TEXT)", "x'0001\(old)'", "x'01'", "'\(head)'", "''", "x''", "'zz'",
      "x'ff'", "NULL", "1.5", "-1",
    ] {
      try edit("INSERT INTO notes VALUES (\(cell))")
    }
    try store.destroyKey(old)
  }

  @Test func `a key that sealed properties name is not destroyed, whatever is to be ignored`()
    throws
  {
    try store.promoteKey(store.addKey(.field))
    let columns = try store.keyUses(of: old).map(\.column)
    #expect(columns.count == 6)
    expectError(.unsuitableColumn, entity: "Vault") {
      try store.destroyKey(old, ignoring: columns)
    }
    try store.disableKey(old, ignoring: columns)
    expectError(.unsuitableColumn, entity: "Vault") {
      try store.destroyKey(old, ignoring: columns)
    }
    try store.enableKey(old)
    try scene.expectWhole(store)
  }

  @Test func `quarantined cells are counted apart, and given up by name alone`() throws {
    try edit("UPDATE Vault SET note = substr(note, 1, length(note) - 1) WHERE label = '1'")
    try edit("UPDATE Vault SET secret = substr(secret, 1, length(secret) - 1) WHERE label = '2'")
    let report = try store.verify()
    #expect(report.badCellCount == 2)
    _ = try store.quarantine(report.badCells)
    // One cell, and one row with five sound values beside the bad one.
    #expect(try store.rotate(.field).outcome == .finished)
    let uses = try store.keyUses(of: old)
    #expect(Set(uses.map(\.place)) == [.quarantine])
    let error = thrown(.keyInUse) { try store.destroyKey(old) }
    #expect(error?.detail == "in quarantine: nacre_quarantine.cell 2, nacre_quarantine.row 1")
    #expect(try store.state(of: old) == .disabled)
    try store.destroyKey(old, ignoring: uses.map(\.column))
    #expect(try store.state(of: old) == .destroyed)
  }

  @Test func `a key of suite 2 is looked for as well`() throws {
    let scene = try RotationScene(count: 3) { $0.suite = .aes256GCM }
    let store = try scene.open()
    let old = try store.key(.primary)
    #expect(try store.rotate(.field).outcome == .finished)
    try scene.scene.edit("CREATE TABLE planted (x)")
    try scene.scene.edit("INSERT INTO planted VALUES (x'02\(old)')")
    #expect(thrown(.keyInUse) { try store.destroyKey(old) }?.detail == "1 value: planted.x 1")
  }

  @Test func `remnants of which nobody knows what they are leave the old key enabled`() throws {
    try edit("CREATE TABLE wrapped (x)")
    // No cell begins with it.
    try edit("INSERT INTO wrapped SELECT x'00' || secret FROM Vault")
    try edit("UPDATE wrapped SET x = CAST(x AS BLOB)")
    let report = try store.rotate(.small)
    #expect(report.obstacle == .remnants)
    #expect(report.remnants == 12)
    #expect(report.disabled.isEmpty)
    #expect(try store.state(of: old) == .enabled)
    try edit("DROP TABLE wrapped")
    let again = try store.rotate(.small)
    #expect(again.outcome == .finished)
    #expect(again.disabled.contains(old))
  }
}
