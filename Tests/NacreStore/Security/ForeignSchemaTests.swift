import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreStore
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// A writer of the file can change its schema, and so the effect of statements on the store's own tables.
@Suite struct ForeignSchemaTests {
  private let ring: RingScene
  private let second = RingScene.unlock(2)

  init() throws {
    ring = try RingScene()
    let store = try ring.open()
    try store.addSlot(second)
    try store.close()
  }

  /// Triggers that put back what a slot was, and so give a rewrapped store the slots of the former store key.
  private func putBackSlots() throws {
    try ring.scene.edit("CREATE TABLE kept AS SELECT * FROM nacre_slot")
    try ring.scene.edit(
      """
      CREATE TRIGGER "put back" AFTER INSERT ON nacre_slot BEGIN UPDATE nacre_slot SET \
      sealed = (SELECT k.sealed FROM kept k WHERE k.id = new.id) WHERE id = new.id; END
      """
    )
  }

  private static func rebuilt(_ table: String, _ definition: String) -> [String] {
    [
      "ALTER TABLE \(table) RENAME TO former", "CREATE TABLE \(table) \(definition)",
      "INSERT INTO \(table) SELECT * FROM former", "DROP TABLE former",
    ]
  }

  private static let slotColumns =
    "id INTEGER PRIMARY KEY, kind TEXT NOT NULL, parameters TEXT NOT NULL, sealed BLOB NOT NULL"

  /// What takes part in the store's own tables, and the statement that takes it away.
  static let foreignObjects: [(made: [String], drop: String?)] =
    [
      (
        ["CREATE TRIGGER undo BEFORE DELETE ON nacre_slot BEGIN SELECT RAISE(IGNORE); END"],
        "DROP TRIGGER \"undo\""
      ),
      (
        ["CREATE TRIGGER t AFTER UPDATE ON Vault BEGIN DELETE FROM \"NACRE_key\"; END"],
        "DROP TRIGGER \"t\""
      ),
      (
        [
          "CREATE VIEW v AS SELECT 1 AS a",
          "CREATE TRIGGER \"a\"\"b\" INSTEAD OF INSERT ON v BEGIN DELETE FROM [nacre_store]; END",
        ],
        "DROP TRIGGER \"a\"\"b\""
      ),
      (["CREATE VIEW slots AS SELECT * FROM nacre_slot"], "DROP VIEW \"slots\""),
      (
        ["CREATE UNIQUE INDEX one ON nacre_slot (id > 0) WHERE id < 0"], "DROP INDEX \"one\""
      ),
      (["CREATE INDEX two ON nacre_property (name)"], "DROP INDEX \"two\""),
      (
        ["CREATE TABLE refers (id REFERENCES nacre_slot (id) ON DELETE CASCADE)"], nil
      ),
      (
        ["CREATE TABLE \"NACRE_Quarantine\" (\"id\" INTEGER PRIMARY KEY, \"cell\")"], nil
      ),
      (rebuilt("nacre_slot", "(\(slotColumns), CHECK (id < 9))"), nil),
      (rebuilt("nacre_slot", "(\(slotColumns), UNIQUE (id, kind) ON CONFLICT IGNORE)"), nil),
      (
        rebuilt(
          "nacre_store",
          "(name TEXT NOT NULL, value, PRIMARY KEY (name, value)) WITHOUT ROWID"
        ), nil
      ),
      (
        rebuilt(
          "nacre_store",
          "(name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, value DEFAULT 0) WITHOUT ROWID"
        ), nil
      ),
    ] + columns.map { ($0, nil) }

  private static let otherSlots = [
    "(\"id\" INTEGER PRIMARY KEY, \"kind\" TEXT NOT NULL, \"parameters\" BLOB NOT NULL, "
      + "\"sealed\" BLOB NOT NULL)",
    "(\"id\" INTEGER PRIMARY KEY, \"kind\" TEXT NOT NULL, \"parameters\" TEXT NOT NULL, \"sealed\" BLOB)",
    "(\"id\" INT PRIMARY KEY, \"kind\" TEXT NOT NULL, \"parameters\" TEXT NOT NULL, "
      + "\"sealed\" BLOB NOT NULL)",
    "(\"id\" INTEGER PRIMARY KEY, \"kind\" TEXT NOT NULL, \"parameters\" TEXT NOT NULL, "
      + "\"sealed\" BLOB NOT NULL DEFAULT 0)",
    "(\"id\" INTEGER PRIMARY KEY, \"kind\" TEXT NOT NULL, \"parameters\" TEXT NOT NULL, "
      + "\"sealed\" BLOB NOT NULL) STRICT",
    "(\"id\" INTEGER PRIMARY KEY, \"kind\" TEXT NOT NULL, \"parameters\" TEXT NOT NULL, "
      + "\"sealed\" BLOB NOT NULL) WITHOUT ROWID",
  ]

  /// The store's own tables with other columns than Nacre has ever given them.
  private static let columns: [[String]] =
    [
      ["ALTER TABLE nacre_slot ADD COLUMN \"more\" INTEGER DEFAULT 0"],
      ["ALTER TABLE nacre_key ADD COLUMN \"more\" BLOB"],
      ["ALTER TABLE nacre_rotation ADD COLUMN \"more\""],
      ["ALTER TABLE nacre_property DROP COLUMN \"hidden\""],
      ["ALTER TABLE nacre_property ADD COLUMN \"more\" TEXT"],
      ["ALTER TABLE nacre_rotation DROP COLUMN \"failed\""],
      ["CREATE TABLE nacre_quarantine (\"id\" INTEGER PRIMARY KEY, \"cell\" TEXT)"],
      rebuilt("nacre_store", "(\"name\" TEXT NOT NULL PRIMARY KEY, \"value\")"),
      rebuilt(
        "nacre_store",
        "(\"name\" TEXT NOT NULL PRIMARY KEY, \"value\" NUMERIC) WITHOUT ROWID"
      ),
    ] + otherSlots.map { rebuilt("nacre_slot", $0) }

  private func make(_ index: Int) throws {
    for statement in Self.foreignObjects[index].made { try ring.scene.edit(statement) }
  }

  private func expectWhole() {
    for unlock in [Scene.unlock, second] { ring.expectOpens(unlock) }
  }

  @Test(arguments: foreignObjects.indices)
  func `a schema that takes part in the store's own tables is refused when it is opened`(
    _ index: Int
  ) throws {
    try make(index)
    for unlock in [Scene.unlock, nil] {
      let error = thrown(.foreignSchema) { _ = try ring.open(unlock) }
      guard let drop = Self.foreignObjects[index].drop else { continue }
      #expect(error?.detail?.hasSuffix(drop) == true, "\(error?.detail ?? "")")
    }
    guard let drop = Self.foreignObjects[index].drop else { return }
    try ring.scene.edit(drop)
    expectWhole()
  }

  @Test(arguments: foreignObjects.indices)
  func `every change of keys and slots refuses a foreign schema that was made after opening`(
    _ index: Int
  ) throws {
    let store = try ring.open()
    let pending = try store.addKey(.field)
    try make(index)
    let changes: [() throws -> Void] = [
      { try store.addSlot(RingScene.unlock(3)) }, { try store.changeSlot(2, to: Scene.wrong) },
      { try store.removeSlot(2) },
      { try store.rewrap(keeping: [Scene.unlock, RingScene.unlock(2)]) },
      { try store.addKey(.index) }, { try store.promoteKey(pending) },
      { try store.destroyKey(pending) }, { _ = try store.rotate() },
    ]
    for change in changes { try ring.expectUnchanged(.foreignSchema, change) }
    guard let drop = Self.foreignObjects[index].drop else { return }
    try ring.scene.edit(drop)
    #expect(try store.rewrap(keeping: [Scene.unlock, second]).kept == [1, 2])
    expectWhole()
  }

  @Test(arguments: foreignObjects.indices)
  func `check and verify name a foreign schema, and write nothing`(_ index: Int) throws {
    try make(index)
    for unlock in [Scene.unlock, nil] {
      let store = try ring.scene.open(unlock) { $0.isOnlyLookedAt = true }
      let faults = try store.check().filter { $0.kind == .foreignSchema }
      #expect(faults.count == 1)
      guard unlock != nil else { continue }
      #expect(try store.verify().faults.filter { $0.kind == .foreignSchema } == faults)
      expectError(.readOnly) { try store.write { try $0.execute("DELETE FROM Vault") } }
      expectError(.readOnly) { try store.begin() }
      expectError(.readOnly) { try store.addKey(.field) }
    }
  }

  @Test func `definitions in other blanks and letters are those of the store's own tables`() throws
  {
    for statement in Self.rebuilt(
      "\"nacre_slot\"",
      "(\"id\"  integer primary key,\n\"kind\" text NOT null, \"parameters\" TEXT NOT NULL, "
        + "\"sealed\" BLOB NOT NULL)"
    ) {
      try ring.scene.edit(statement)
    }
    expectWhole()
  }

  @Test func `a store that is only looked at is neither made nor given a ring`() throws {
    let scene = try Scene()
    expectError(.cannotOpen) { _ = try scene.open { $0.isOnlyLookedAt = true } }
    try Data().write(to: URL(fileURLWithPath: scene.path))
    expectError(.notAStore) { _ = try scene.open { $0.isOnlyLookedAt = true } }
    try scene.open(nil).close()
    expectError(.noKeyRing) { _ = try scene.open { $0.isOnlyLookedAt = true } }
  }

  @Test func `triggers that put slots back do not outlive a rewrap and a change of slots`() throws {
    let store = try ring.open()
    try putBackSlots()
    try ring.expectUnchanged(.foreignSchema) {
      try store.rewrap(keeping: [Scene.unlock, RingScene.unlock(2)])
    }
    try ring.expectUnchanged(.foreignSchema) { try store.changeSlot(2, to: Scene.wrong) }
    try store.close()
    expectError(.foreignSchema) { _ = try ring.open() }
    try ring.scene.edit("DROP TRIGGER \"put back\"")
    let again = try ring.open()
    #expect(try again.rewrap(keeping: [Scene.unlock, second]).kept == [1, 2])
    expectWhole()
  }

  @Test func `slots and ring are written without triggers, whoever has let them in`() throws {
    let store = try ring.open()
    try putBackSlots()
    try store.write { database in
      let ring = try store.keys.unlocked().renumbered()
      let secret = SlotSecret.raw(try Scene.secret(Scene.keyHex))
      let slot = RingTable.NewSlot(record: try ring.makeSlot(id: 1, secret: secret), secret: secret)
      try RingTable.changeSlots(removing: [2], writing: [slot], of: ring, on: database.connection)
      try database.replaceRing(by: ring)
    }
    try store.close()
    try ring.scene.edit("DROP TRIGGER \"put back\"")
    ring.expectOpens(Scene.unlock)
    ring.expectShut(second)
  }

  @Test func `a change of the ring is rolled back if it is read back differently`() throws {
    let store = try ring.open()
    // Each slot that is written takes the others with it.
    try ring.scene.edit("DELETE FROM nacre_slot WHERE id = 2")
    try ring.scene.edit("CREATE UNIQUE INDEX one ON nacre_slot (id > 0)")
    let before = try ring.ring()
    let secret = SlotSecret.raw(try Scene.secret(Scene.keyHex))
    expectError(.ringTampered) {
      try store.write { database in
        let slot = RingTable.NewSlot(
          record: try store.keys.unlocked().makeSlot(id: 3, secret: secret),
          secret: secret
        )
        try RingTable.changeSlots(
          writing: [slot],
          of: store.keys.unlocked(),
          on: database.connection
        )
      }
    }
    #expect(try ring.ring() == before)
    try ring.scene.edit("DROP INDEX one")
    // A key that somebody adds meanwhile is none of the ring's.
    try ring.scene.edit(
      "INSERT INTO nacre_key (id, purpose, suite, state, created) VALUES (7, 1, 1, 5, 1)"
    )
    expectError(.ringTampered) {
      try store.write { try $0.replaceRing(by: store.keys.unlocked().renumbered()) }
    }
    // Nor does a slot count that opens by another secret than it was made for.
    expectError(.ringTampered) {
      try store.write { database in
        let ring = try store.keys.unlocked()
        let record = try ring.makeSlot(id: 3, secret: secret)
        let other = SlotSecret.raw(try Scene.secret(Scene.otherHex))
        let slot = RingTable.NewSlot(record: record, secret: other)
        try RingTable.changeSlots(writing: [slot], of: ring, on: database.connection)
      }
    }
  }

  @Test func `a name that can't be shown is not shown, and what takes it away is printed`() throws {
    let name = "x\u{1B}[2J\ny\"\u{202E}"
    try ring.scene.edit(
      "CREATE TRIGGER \(SQLText.name(name)) AFTER INSERT ON nacre_key BEGIN SELECT 1; END"
    )
    let error = thrown(.foreignSchema) { _ = try ring.open() }
    let detail = try #require(error?.detail)
    #expect(!detail.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    let start = try #require(detail.range(of: "SELECT"))
    let rows = try ring.scene.edit(String(detail[start.lowerBound...]))
    guard case .text(let drop)? = rows.first?.first else { throw CocoaError(.fileReadUnknown) }
    try ring.scene.edit(drop)
    expectWhole()
  }

  @Test func `an application's own tables, indexes, views and triggers are allowed`() throws {
    for statement in [
      "CREATE TABLE log (nacre_key TEXT, note TEXT DEFAULT 'nacre_slot')",
      "CREATE INDEX plain ON log (note)", "CREATE INDEX \"a nacre_slot\" ON log (note)",
      "CREATE VIEW shown AS SELECT * FROM Vault",
      "CREATE TRIGGER mine AFTER INSERT ON Vault BEGIN INSERT INTO log VALUES (1, 'nacre_slots'); END",
      "CREATE TABLE parts (id INTEGER PRIMARY KEY, whole REFERENCES parts (id))",
    ] {
      try ring.scene.edit(statement)
    }
    let store = try ring.open()
    try ring.saveVault("MARKER-more", in: store)
    #expect(try store.check().isEmpty)
    #expect(try store.rewrap(keeping: [Scene.unlock, second]).kept == [1, 2])
    #expect(try store.rotate(.field).outcome == .finished)
    expectWhole()
  }

  @Test func `a definition's text alone tells the kind of object that it makes`() {
    let sql = "CREATE/**/TRIGGER liar AFTER INSERT ON Vault BEGIN DELETE FROM nacre_key; END"
    #expect(OwnTables.kind(of: sql) == .trigger)
    #expect(OwnTables.kind(of: "CREATE TEMP VIEW v AS SELECT 1") == .view)
    #expect(OwnTables.kind(of: "CREATE UNIQUE INDEX i ON t (a)") == .index)
    #expect(OwnTables.kind(of: "CREATE VIRTUAL TABLE t USING fts5(a)") == .table)
  }
}
