import Foundation
@testable import NacreCore
import NacreCrypto
@testable import NacreUpkeep
import NacreOpen
@testable import TestSupport
import Testing

/// The journal tells how far a rotation or conversion is: nobody without the store key can write it.
@Suite struct JournalTests {
  private let scene: Scene
  private let unfinished = "FROM nacre_rotation WHERE finished IS NULL"

  init() throws { scene = try Scene() }

  static let changes = [
    "kind = 'unseal'", "kind = 'field'", "kind = 'index'", "\"from\" = \"to\"", "\"to\" = \"from\"",
    "\"to\" = ''", "entity = 'Car'", "entity = NULL", "property = 'label'", "property = ''",
    "phase = 'scanning'", "phase = 'verifying'", "phase = 'clearing'",
    "cursor = zeroblob(16)", "cursor = x''", "id = 77", "mac = NULL", "mac = x''",
    "mac = zeroblob(32)", "mac = CAST(hex(mac) AS TEXT)",
  ]

  /// Fails unless a changed row is refused, and everything stays as it is.
  private func expectRefused(
    _ change: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ bodies: [() throws -> Void]
  ) throws {
    try scene.edit("UPDATE nacre_rotation SET \(change) WHERE finished IS NULL")
    let before = try contents()
    for body in bodies {
      let error = thrown(.ringTampered, sourceLocation: sourceLocation, body)
      #expect(error?.detail?.contains("nacre_rotation") == true, sourceLocation: sourceLocation)
    }
    #expect(try contents() == before, sourceLocation: sourceLocation)
  }

  private func contents() throws -> [[Value]] {
    try ["nacre_rotation", "nacre_key", "nacre_store", "nacre_property", "Paper", "sqlite_schema"]
      .flatMap { try scene.edit("SELECT * FROM \($0)") }
  }

  @Test(arguments: changes)
  func `a conversion that somebody has written is not gone on with`(change: String) throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(600, in: store)
    try store.migrate(Paper<WordsSealed>.self) { _ in false }
    #expect(
      try scene.edit("SELECT length(mac), length(cursor) \(unfinished)") == [
        [.integer(32), .integer(16)]
      ]
    )
    try expectRefused(
      change,
      [
        { try store.migrate(Paper<WordsSealed>.self) }, { try store.migrate() },
        { try store.convert("number", of: "Paper", to: .init(suite: .aes256GCM)) },
        { try store.abandonMigration() }, { _ = try store.rotate() },
      ]
    )
  }

  @Test(arguments: changes.filter { $0 != "phase = 'scanning'" } + ["phase = 'pending'"])
  func `a rotation that somebody has written is not gone on with`(change: String) throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(600, in: store)
    _ = try store.rotate { $0.done > 0 ? .stop : .goOn }
    #expect(
      try scene.edit("SELECT length(mac), phase \(unfinished)") == [
        [.integer(32), .text("sealing")]
      ]
    )
    try expectRefused(change, [{ _ = try store.rotate() }, { try store.migrate() }])
  }

  @Test func `a conversion or rotation stops if somebody deletes its journal row`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(1200, in: store)
    var error = thrown(.ringTampered) {
      try store.migrate(Paper<WordsSealed>.self) { progress in
        if progress.done == 500 { _ = try? scene.edit("DELETE FROM nacre_rotation") }
        return true
      }
    }
    #expect(error?.detail?.contains("journal") == true)
    #expect(try store.verify().isComplete)
    try store.clearJournal()
    try store.migrate(Paper<SealedPaper>.self)
    error = thrown(.ringTampered) {
      _ = try store.rotate { progress in
        if progress.done > 0 { _ = try? scene.edit("DELETE FROM nacre_rotation") }
        return .goOn
      }
    }
    #expect(error?.detail?.contains("journal") == true)
    #expect(try store.rotate().outcome == .finished)
  }

  @Test func `a row of another store is not believed`() throws {
    let (store, other) = (try scene.open(), try Scene())
    try Paper<PlainPaper>.store(5, in: store)
    try Paper<PlainPaper>.store(5, in: other.open())
    try store.migrate(Paper<WordsSealed>.self) { _ in false }
    try other.open().migrate(Paper<WordsSealed>.self) { _ in false }
    let row = try other.edit("SELECT cursor, mac FROM nacre_rotation")[0]
    try scene.edit("UPDATE nacre_rotation SET cursor = ?1, mac = ?2", row[0], row[1])
    expectError(.ringTampered) { try store.migrate() }
  }

  @Test func `a finished row needs no mark, and cannot be begun again`() throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(5, in: store)
    _ = try store.rotate()
    try store.migrate(Paper<WidePaper>.self)
    #expect(
      try scene.edit("SELECT count(*) FROM nacre_rotation WHERE mac IS NOT NULL") == [[.integer(0)]]
    )
    try scene.edit("UPDATE nacre_rotation SET finished = NULL WHERE kind = 'reseal'")
    expectError(.ringTampered) { try store.migrate() }
  }

  @Test func `a locked store reads the journal without checking its marks`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(600, in: store)
    try store.migrate(Paper<WordsSealed>.self) { _ in false }
    try scene.edit("UPDATE nacre_rotation SET mac = zeroblob(32)")
    #expect(try scene.open(nil).migrationPlan().conversions.count == 1)
    #expect(try store.rotationState()?.kind == "seal")
    expectError(.ringTampered) { _ = try store.migrationPlan() }
  }

  @Test func `a rewrap waits for a conversion, whose mark it would take`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(600, in: store)
    try store.migrate(Paper<WordsSealed>.self) { _ in false }
    expectError(.rotationUnfinished) { try store.rewrap(keeping: [Scene.unlock]) }
    try store.migrate(Paper<SealedPaper>.self)
    try store.rewrap(keeping: [Scene.unlock])
    _ = try store.rotate { $0.done > 0 ? .stop : .goOn }
    expectError(.rotationUnfinished) { try store.rewrap(keeping: [Scene.unlock]) }
    #expect(try store.rotate().outcome == .finished)
  }

  @Test func `a process from before a rewrap believes what was begun after it`() throws {
    let (store, other) = (try scene.open(), try scene.open())
    try Paper<SealedPaper>.store(600, in: store)
    try store.rewrap(keeping: [Scene.unlock])
    _ = try store.rotate { $0.done > 0 ? .stop : .goOn }
    #expect(try other.rotate().wasResumed)
  }

  @Test func `a store whose journal has no marks gets the column, and no row of it is believed`()
    throws
  {
    var store = try scene.open()
    try Paper<SealedPaper>.store(5, in: store)
    _ = try store.rotate { _ in .stop }
    try store.close()
    try scene.edit("ALTER TABLE nacre_rotation DROP COLUMN mac")
    #expect(try StoreInspection(path: scene.path).work().rotation?.finished == nil)
    store = try scene.open()
    #expect(try Paper<SealedPaper>.values(in: store).count == 5)
    expectError(.ringTampered) { _ = try store.rotate() }
    try scene.edit("DELETE FROM nacre_rotation")
    #expect(try store.rotate().outcome == .finished)
  }

  @Test func `rows that lose their new value after they were verified are converted again`() throws
  {
    let store = try scene.open()
    try Paper<PlainPaper>.store(1200, in: store)
    let before = try Paper<PlainPaper>.values(in: store)
    // Stopped when the last row was read back.
    try store.convert("number", of: "Paper", to: .init(suite: .aes256GCM)) {
      $0.phase == "converting" || $0.done < 1200
    }
    #expect(
      try scene.edit("SELECT phase, done \(unfinished)") == [[.text("verifying"), .integer(1200)]]
    )
    try scene.edit("UPDATE Paper SET number__new = NULL WHERE label IN ('7', '900')")
    try store.convert("number", of: "Paper", to: .init(suite: .aes256GCM))
    try store.convert("number", of: "Paper", to: nil)
    #expect(try Paper<PlainPaper>.values(in: store) == before)
  }

  @Test(arguments: [
    "\"bits\":0", "\"bits\":257", "\"bits\":-1", "\"normalizer\":\"rot13\"", "\"padding\":\"much\"",
    "\"suite\":3", "\"type\":\"NUMERIC\"", "\"plainIndex\":\"some\"",
  ])
  func `a form with a word that this version does not know is refused`(member: String) throws {
    let good = try #require(
      try? ConversionForm(
        json: """
          {"acceptsNull":true,"bits":16,"hidesNil":false,"isHooked":false,"isSealed":true,\
          "isUnique":false,"normalizer":"nfc/1","padding":"padme","plainIndex":"none","suite":2,\
          "type":"TEXT"}
          """
      )
    )
    #expect(good.index == .init(bits: 16, normalizer: .nfc, isUnique: false))
    #expect(good.sealing?.padding == .padme)
    let name = member.prefix { $0 != ":" }
    let members = try good.json.dropFirst().dropLast().split(separator: ",")
      .map { $0.hasPrefix(name) ? member : String($0) }
    let text = "{" + members.joined(separator: ",") + "}"
    #expect(text.contains(member))
    expectError(.schemaMismatch) { _ = try ConversionForm(json: text) }
  }
}
