import Foundation
@testable import NacreCore
@testable import NacreUpkeep
@testable import TestSupport
import Testing

/// Processes that have used the class of before a migration all along, and files whose journal somebody has written.
@Suite struct StaleClassTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  @Test
  func `without the ring, an old class neither reads, counts nor deletes what was sealed`()
    throws
  {
    let old = try scene.open(nil)
    try Paper<PlainPaper>.store(5, in: old)
    try old.read { (_) throws in
      #expect(try Paper<PlainPaper>.count(where: "text <> ?", "MARKER-text-1") == 4)
    }
    try scene.open().migrate(Paper<SealedPaper>.self)
    try old.read { _ in
      expectError(.migrationPending, entity: "Paper") {
        _ = try Paper<PlainPaper>.count(where: "text = ?", "MARKER-text-1")
      }
    }
    try old.write { _ in
      expectError(.migrationPending, entity: "Paper") {
        try Paper<PlainPaper>.deleteAll(where: "text <> ?", "MARKER-text-1")
      }
    }
    #expect(try scene.edit("SELECT count(*) FROM \"Paper\"") == [[.integer(5)]])
  }

  @Test
  func `an old index width finds nothing silently`() throws {
    let old = try scene.open()
    try Paper<SealedPaper>.store(5, in: old)
    try old.read { (_) throws in
      #expect(try Paper<SealedPaper>.fetchAll(\.text, equals: "MARKER-text-1").count == 1)
    }
    try scene.open().migrate(Paper<WidePaper>.self)
    try old.read { _ in
      expectError(.migrationPending, entity: "Paper") {
        _ = try Paper<SealedPaper>.fetchAll(\.text, equals: "MARKER-text-1")
      }
    }
  }

  @Test(
    .sqliteOnly("a server shows changed tables to older states, so a conversion waits for them")
  )
  func `an old snapshot does not make an old class good for the new state`() throws {
    let old = try scene.open()
    try Paper<SealedPaper>.store(5, in: old)
    let new = try scene.open { $0.busyTimeout = 0 }
    try old.read { _ in
      _ = try Car.fetchAll()
      _ = try? new.migrate(Paper<WidePaper>.self)
      _ = try Paper<SealedPaper>.fetchAll()
    }
    let paper = Paper<SealedPaper>.create()
    paper.text = "MARKER-late"
    expectError(.migrationPending, entity: "Paper") { try scene.save(paper, in: old) }
  }

  @Test
  func `a journal that nobody asked for makes no sealed property plain`() throws {
    let store = try scene.open { $0.entities = [Paper<SealedPaper>.self] }
    try Paper<SealedPaper>.store(5, in: store)
    try store.migrate(Paper<PlainPaper>.self) { _ in false }
    expectError(.rotationUnfinished, entity: "Paper") { try store.migrate() }
    expectError(.rotationUnfinished, entity: "Paper") {
      try store.convert("number", of: "Paper", to: nil)
    }
    for (_, bytes) in try scene.fileBytes() {
      #expect(bytes.range(of: Data("MARKER-note".utf8)) == nil)
    }
    #expect(try store.abandonMigration().count == 3)
    #expect(try store.migrate().isEmpty)
  }

  @Test(
    arguments: ["done", "total", "failed"],
    [Int64.max, Int64.min]
  )
  func `counts of a journal that nobody can have written do not trap`(
    column: String,
    count: Int64
  ) throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(600, in: store)
    try scene.edit("UPDATE \"Paper\" SET note = ? WHERE label = '7'", .blob(Data(count: 60)))
    _ = try store.rotate { $0.done > 0 ? .stop : .goOn }
    try scene.edit("UPDATE nacre_rotation SET \(column) = ?1", .integer(count))
    #expect(try store.rotate().outcome == .incomplete)
    try scene.edit("UPDATE \"Paper\" SET note = NULL WHERE label = '7'")
    try store.migrate(Paper<PlainPaper>.self) { _ in false }
    try scene.edit(
      "UPDATE nacre_rotation SET \(column) = ?1 WHERE finished IS NULL",
      .integer(count)
    )
    #expect(try store.migrate(Paper<PlainPaper>.self).count == 3)
  }

  @Test
  func `a key that was rotated out is not brought back by the journal`() throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(600, in: store)
    var options = RotationOptions()
    options.purposes = [.index]
    let before = try #require(try store.inspect().ring?.keys.first { $0.purpose == .index })
    _ = try store.rotate(options) { $0.done > 0 ? .stop : .goOn }
    let now = try #require(
      try store.inspect().ring?.keys.first { $0.purpose == .index && $0.state == .primary }
    )
    // Not even when it says so under the store's key, as a row of before would.
    try scene.edit(
      "UPDATE nacre_rotation SET \"from\" = ?1, \"to\" = ?2",
      .text("\(now.id)"),
      .text("\(before.id)")
    )
    try store.write { database in
      var journal = try #require(try RotationJournal.unfinished(on: database.connection).first)
      #expect(journal.to == [before.id])
      journal.phase = "pending"
      try journal.write(on: database)
    }
    #expect(try store.rotate(options).outcome == .finished)
    let primary = try store.inspect().ring?.keys.first {
      $0.purpose == .index && $0.state == .primary
    }
    #expect(primary?.id != before.id)
  }

  @Test
  func `the sign of a zero does not keep a migration from its end`() throws {
    let store = try scene.open()
    let vault = Vault.create()
    vault.real = -0.0
    try scene.save(vault, in: store)
    var steps = 0
    #expect(
      try store.convert("real", of: "Vault", to: nil) { _ in
        steps += 1
        return steps < 50
      }.count == 1
    )
  }

  @Test func `a value that is wanted twice is found once`() throws {
    let store = try scene.open()
    try Paper<WidePaper>.store(3, in: store)
    let others = (0..<600).map { "none-\($0)" }
    try store.read { (_) throws in
      let labels = try Paper<WidePaper>.fetchAll(\.label, in: ["1"] + others + ["1"])
      #expect(labels.count == 1)
      let texts = ["MARKER-text-1"] + others + ["marker-TEXT-1"]
      #expect(try Paper<WidePaper>.fetchAll(\.text, in: texts).count == 1)
    }
  }
}
