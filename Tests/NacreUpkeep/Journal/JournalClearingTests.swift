import Foundation
@testable import NacreCore
import NacreCrypto
@testable import NacreUpkeep
@testable import TestSupport
import Testing

/// A journal that somebody has written or changed, and the verb that clears it.
@Suite struct JournalClearingTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  /// Whatever somebody without the store key can put there.
  private static let forged = """
    INSERT INTO nacre_rotation (kind, "from", "to", entity, property, phase, started, updated) \
    VALUES
    """

  private func forge(_ values: String) throws { try scene.edit("\(Self.forged) (\(values))") }

  /// The keys that seal, one a suite.
  private func sealing(_ store: Store) throws -> [KeyID] {
    try #require(try store.inspect().ring).keys
      .filter { $0.state == .primary && $0.purpose == .field }.map(\.id)
  }

  private func unfinished() throws -> [[Value]] {
    try scene.edit("SELECT count(*) FROM nacre_rotation WHERE finished IS NULL")
  }

  private func columns() throws -> [[Value]] {
    try scene.edit("SELECT name FROM pragma_table_info('Paper') ORDER BY cid")
  }

  @Test(arguments: [
    "'field', '', '', NULL, NULL, 'pending', 1, 1",
    "'field+index', 'x', 'y', 'Paper', NULL, 'clearing', 1, 1",
    "'seal', '{}', '{}', 'Paper', 'label', 'converting', 1, 1",
    "'unseal', '{}', '{}', 'Paper', 'number', 'clearing', 1, 1",
    "x'00FF', zeroblob(9), 7, NULL, NULL, 'no phase', -1, 1e300",
  ])
  func `forged rows block everything until they are cleared`(_ row: String) throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(30, in: store)
    let before = try Paper<SealedPaper>.values(in: store)
    let old = try sealing(store)
    try forge(row)
    try forge(row)
    for body: () throws -> Void in [
      { _ = try store.rotate() }, { try store.migrate() }, { try store.abandonMigration() },
      { try store.rewrap(keeping: [Scene.unlock]) },
    ] {
      let error = thrown(.ringTampered, body)
      #expect(error?.advice.contains("--clear-journal") == true)
    }
    #expect(try store.clearJournal().count == 2)
    #expect(try unfinished() == [[.integer(0)]])
    #expect(try store.clearJournal().isEmpty)
    #expect(try Paper<SealedPaper>.values(in: store) == before)
    try store.rewrap(keeping: [Scene.unlock])
    #expect(try Set(store.rotate().disabled).isSuperset(of: old))
    for key in old { try store.destroyKey(key) }
    #expect(try Paper<SealedPaper>.values(in: store) == before)
    #expect(try store.verify().isSound)
  }

  @Test(arguments: ["mac = zeroblob(32)", "phase = 'clearing'", "kind = 'seal'", "cursor = x''"])
  func `a rotation that was half-way is begun anew`(_ change: String) throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(600, in: store)
    let before = try Paper<SealedPaper>.values(in: store)
    let old = try sealing(store)
    _ = try store.rotate { $0.done > 0 ? .stop : .goOn }
    try scene.edit("UPDATE nacre_rotation SET \(change) WHERE finished IS NULL")
    expectError(.ringTampered) { _ = try store.rotate() }
    #expect(try store.clearJournal().count == 1)
    for key in old { #expect(try store.state(of: key) == .enabled) }
    #expect(try Paper<SealedPaper>.values(in: store) == before)
    let report = try store.rotate()
    #expect(report.outcome == .finished && !report.wasResumed)
    for key in old { #expect(try store.state(of: key) == .disabled) }
    #expect(try Paper<SealedPaper>.values(in: store) == before)
  }

  @Test func `a believed row stays, and goes on beside one that was cleared`() throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(600, in: store)
    let before = try Paper<SealedPaper>.values(in: store)
    _ = try store.rotate { $0.done > 0 ? .stop : .goOn }
    #expect(try store.clearJournal().isEmpty)
    try forge("'seal', '{}', '{}', 'Paper', 'label', 'converting', 1, 1")
    expectError(.ringTampered) { _ = try store.rotate() }
    #expect(try store.clearJournal().map(\.kind) == ["seal"])
    #expect(try store.rotate().wasResumed)
    #expect(try Paper<SealedPaper>.values(in: store) == before)
  }

  @Test(arguments: ["mac = NULL", "phase = 'clearing'", "kind = 'field'", "entity = 'Car'"])
  func `a conversion that was half-way is taken back`(_ change: String) throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(1200, in: store)
    let before = try Paper<PlainPaper>.values(in: store)
    let former = try columns()
    try store.migrate(Paper<SealedPaper>.self) { _ in false }
    #expect(try columns() != former)
    try scene.edit("UPDATE nacre_rotation SET \(change) WHERE finished IS NULL")
    expectError(.ringTampered) { try store.migrate() }
    #expect(try store.clearJournal().count == 3)
    #expect(Set(try columns().map { "\($0)" }) == Set(former.map { "\($0)" }))
    #expect(try Paper<PlainPaper>.values(in: store) == before)
    try store.migrate(Paper<SealedPaper>.self)
    #expect(try Paper<SealedPaper>.values(in: store) == before)
    #expect(try store.verify().isSound)
  }

  @Test func `unsealing that was half-way is taken back`() throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(1200, in: store)
    let before = try Paper<SealedPaper>.values(in: store)
    try store.convert("number", of: "Paper", to: nil) { _ in false }
    try scene.edit("UPDATE nacre_rotation SET mac = NULL")
    try store.clearJournal()
    #expect(try Paper<SealedPaper>.values(in: store) == before)
    #expect(try store.verify().isSound)
  }

  @Test(arguments: [
    // The old column's values are gone, and the new one has them alone.
    ("UPDATE Paper SET note__old = NULL", NacreError.Code.halfConverted),
    // The catalog does not know the old column.
    ("UPDATE nacre_property SET \"column\" = 'note' WHERE name = 'note'", .catalogTampered),
    ("DELETE FROM nacre_property WHERE name = 'note'", .catalogTampered),
    // It is said to be sealed, and is not.
    ("UPDATE nacre_property SET sealed = 1 WHERE name = 'note'", .catalogTampered),
  ])
  func `clearing the journal is refused if a value might be lost`(
    _ attack: String,
    _ code: NacreError.Code
  ) throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(1200, in: store)
    try store.convert("note", of: "Paper", to: SealedOptions()) { _ in false }
    try scene.edit(attack)
    try scene.edit("UPDATE nacre_rotation SET mac = NULL")
    let before = try contents()
    expectError(code) { try store.clearJournal() }
    #expect(try contents() == before)
  }

  @Test func `an old column whose values do not open is refused`() throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(1200, in: store)
    try store.convert("number", of: "Paper", to: nil) { _ in false }
    try scene.edit("UPDATE Paper SET number__old = zeroblob(60) WHERE label = '900'")
    try scene.edit("UPDATE nacre_rotation SET mac = NULL")
    let error = thrown(.halfConverted, entity: "Paper", property: "number") {
      try store.clearJournal()
    }
    #expect(error?.objectID != nil)
  }

  @Test func `a catalog that somebody has changed is refused`() throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(12, in: store)
    try forge("'field', '', '', NULL, NULL, 'pending', 1, 1")
    try scene.edit("UPDATE nacre_property SET sealed = 0 WHERE name = 'number'")
    let before = try contents()
    expectError(.catalogTampered) { try store.clearJournal() }
    #expect(try contents() == before)
  }

  @Test(arguments: [
    // No cell outside of a conversion's columns waits for a row of the journal.
    "UPDATE Paper SET number = 5 WHERE label = '7'",
    "UPDATE Paper SET label = (SELECT substr(p.note, 1, 5) FROM Paper p WHERE p.label = '7') "
      + "WHERE label = '8'",
    "INSERT INTO Paper (objectID, label, text, number) VALUES (x'01', 'odd', x'', x'')",
    "ALTER TABLE Paper ADD COLUMN q__old",
    "ALTER TABLE Paper ADD COLUMN note__new",
  ])
  func `planted cells, rows and columns do not keep the journal from being cleared`(
    _ attack: String
  ) throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(12, in: store)
    try scene.edit("ALTER TABLE Paper ADD COLUMN q__new")
    try forge("'field', '', '', NULL, NULL, 'pending', 1, 1")
    try scene.edit(attack)
    let before = try scene.edit("SELECT * FROM Paper")
    #expect(try store.clearJournal().count == 1)
    #expect(try scene.edit("SELECT * FROM Paper") == before)
    #expect(try unfinished() == [[.integer(0)]])
  }

  @Test func `a DAO's plain values do not keep the journal from being cleared`() throws {
    let dao = try DAOScene()
    let store = try dao.open()
    try dao.scene.edit("UPDATE notes SET body = 'plain' WHERE id = 0")
    try dao.scene.edit("\(Self.forged) ('field', '', '', NULL, NULL, 'pending', 1, 1)")
    #expect(try store.clearJournal().count == 1)
    #expect(try dao.scene.edit("SELECT body FROM notes WHERE id = 0") == [[.text("plain")]])
  }

  @Test func `a row without an identifier does not keep a conversion from being taken back`() throws
  {
    let store = try scene.open()
    try Paper<SealedPaper>.store(12, in: store)
    let before = try Paper<SealedPaper>.values(in: store)
    try store.convert("number", of: "Paper", to: nil) { _ in false }
    let odd = "INSERT INTO Paper (objectID, label, text, number__old, number__new) VALUES"
    try scene.edit("\(odd) (x'01', 'odd', x'', zeroblob(60), 0)")
    try scene.edit("UPDATE nacre_rotation SET mac = NULL")
    try store.clearJournal()
    #expect(
      try scene.edit("SELECT length(number) FROM Paper WHERE label = 'odd'") == [[.integer(60)]]
    )
    try scene.edit("DELETE FROM Paper WHERE label = 'odd'")
    #expect(try Paper<SealedPaper>.values(in: store) == before)
    // What lies in the new column alone would be lost.
    try store.convert("number", of: "Paper", to: nil) { _ in false }
    try scene.edit("\(odd) (x'01', 'odd', x'', NULL, 5)")
    try scene.edit("UPDATE nacre_rotation SET mac = NULL")
    expectError(.halfConverted, entity: "Paper", property: "number") { try store.clearJournal() }
  }

  @Test func `a conversion whose row is gone is taken back`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(1200, in: store)
    let before = try Paper<PlainPaper>.values(in: store)
    let former = try columns()
    try store.migrate(Paper<SealedPaper>.self) { _ in false }
    try scene.edit("DELETE FROM nacre_rotation")
    let half = try columns()
    let error = thrown(.halfConverted, entity: "Paper") {
      try store.migrate(Paper<SealedPaper>.self)
    }
    #expect(error?.advice.contains("--clear-journal") == true)
    expectError(.halfConverted, entity: "Paper", property: "note") {
      try store.convert("note", of: "Paper", to: SealedOptions())
    }
    #expect(try columns() == half)
    let cleared = try store.clearJournal()
    #expect(cleared.map(\.kind) == ["conversion", "conversion", "conversion"])
    #expect(cleared.allSatisfy { $0.entity == "Paper" && $0.phase == "abandoned" })
    #expect(Set(try columns().map { "\($0)" }) == Set(former.map { "\($0)" }))
    #expect(try Paper<PlainPaper>.values(in: store) == before)
    #expect(try store.clearJournal().isEmpty)
    try store.migrate(Paper<SealedPaper>.self)
    #expect(try Paper<SealedPaper>.values(in: store) == before)
    #expect(try store.verify().isSound)
  }

  @Test(arguments: ["note__old", "note__new"])
  func `a property is not converted where a column of its conversion is there`(
    _ column: String
  ) throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(12, in: store)
    try scene.edit("ALTER TABLE Paper ADD COLUMN \(column)")
    let error = thrown(.halfConverted, entity: "Paper", property: "note") {
      try store.convert("note", of: "Paper", to: SealedOptions())
    }
    #expect(error?.detail?.contains(column) == true)
    try scene.edit("ALTER TABLE Paper DROP COLUMN \(column)")
    try store.convert("note", of: "Paper", to: SealedOptions())
    #expect(try store.verify().isSound)
  }

  @Test func `the journal is cleared by nobody without the secret, and not inside of a write`()
    throws
  {
    let store = try scene.open()
    try Paper<SealedPaper>.store(3, in: store)
    try forge("'field', '', '', NULL, NULL, 'pending', 1, 1")
    expectError(.storeLocked) { try scene.open(nil).clearJournal() }
    try store.write { _ in expectError(.transactionState) { try store.clearJournal() } }
    try scene.edit("CREATE TRIGGER t AFTER UPDATE ON nacre_rotation BEGIN SELECT 1; END")
    expectError(.foreignSchema) { try store.clearJournal() }
    #expect(try unfinished() == [[.integer(1)]])
  }

  @Test func `the async twin of clearJournal does the same`() async throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(3, in: store)
    try forge("'field', '', '', NULL, NULL, 'pending', 1, 1")
    #expect(try await store.clearJournal().count == 1)
  }

  private func contents() throws -> [[Value]] {
    try ["nacre_rotation", "nacre_key", "nacre_store", "nacre_property", "Paper", "sqlite_schema"]
      .flatMap { try scene.edit("SELECT * FROM \($0)") }
  }
}
