import Foundation
import NacreCore
import NacreCrypto
import NacreSQLite
import NacreUpkeep
import Testing
@testable import TestSupport

/// A text that names the suite that others have anyway.
private enum NamingPaper: PaperForm {
  static var text: SealedOptions? { .init(suite: .xaes256GCM) }
  static var note: SealedOptions? { .init() }
  static var number: SealedOptions? { nil }
}

/// Stores with keys of more than one suite, and keys that somebody else changes.
@Suite struct RotationSuiteTests {
  private func suites(_ store: Store) throws -> [String: Set<Suite?>] {
    Dictionary(grouping: try store.sealedCounts(), by: \.property)
      .mapValues { Set($0.map(\.suite)) }
  }

  @Test func `each suite's key has a successor of its own`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try store.promoteKey(store.addKey(.field, suite: .aes256GCM))
    try Paper<SealedPaper>.store(12, in: store)
    let values = try Paper<SealedPaper>.values(in: store)
    let report = try store.rotate(RotationOptions { $0.purposes = [.field] })
    #expect(report.outcome == .finished)
    #expect(report.from.count == 2)
    #expect(report.to.count == 2)
    #expect(Set(report.disabled) == Set(report.from))
    #expect(Set(try store.sealedCounts().compactMap(\.keyID)) == Set(report.to))
    let expected: [String: Set<Suite?>] = [
      "text": [.xaes256GCM], "note": [.xaes256GCM], "number": [.aes256GCM],
    ]
    #expect(try suites(store) == expected)
    #expect(try Paper<SealedPaper>.values(in: store) == values)
  }

  @Test func `padding is taken over as it is`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try store.promoteKey(store.addKey(.field, suite: .aes256GCM))
    try Paper<SealedPaper>.store(5, in: store)
    let lengths = "SELECT length(number), length(text) FROM Paper ORDER BY objectID"
    let before = try scene.edit(lengths)
    #expect(try store.rotate().outcome == .finished)
    #expect(try scene.edit(lengths) == before)
  }

  @Test func `the key of a suite that a property names stays when the store leaves another`() throws
  {
    let scene = try Scene()
    let store = try scene.open { $0.suite = .aes256GCM }
    try Paper<SealedPaper>.store(6, in: store)
    let old = try store.key(.primary)
    let report = try store.rotate(RotationOptions { $0.suite = .xaes256GCM })
    #expect(report.outcome == .finished)
    #expect(try store.state(of: old) == .primary)
    #expect(try suites(store)["text"] == [.xaes256GCM])
    #expect(try suites(store)["number"] == [.aes256GCM])
  }

  @Test func `a suite that a property names can't be left`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try Paper<NamingPaper>.store(3, in: store)
    let generation = try store.generation()
    let options = RotationOptions { $0.suite = .aes256GCM }
    expectError(.suiteInUse) { _ = try store.rotate(options) }
    expectError(.suiteInUse) { _ = try store.rotationPlan(options) }
    #expect(try store.generation() == generation)
    #expect(try store.rotationState() == nil)
  }

  @Test func `a rotation whose new key was destroyed before its use is begun anew`() throws {
    let scene = try RotationScene(count: 3)
    let store = try scene.open()
    let stopped = try store.rotate(.small) { _ in .stop }
    let pending = try #require(stopped.to.first)
    try store.destroyKey(pending)
    #expect(try store.rotate(RotationOptions { $0.onlyResumes = true }).outcome == .nothingToDo)
    let report = try store.rotate(.field)
    #expect(report.outcome == .finished)
    #expect(!report.wasResumed)
    #expect(report.from == stopped.from)
    try scene.expectWhole(store)
  }

  @Test func `a key that becomes primary in the middle is the one that is sealed under`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let other = try scene.open()
    var promoted: KeyID?
    var resealedBefore = 0
    let report = try store.rotate(
      .small,
      watching: { progress in
        if progress.phase == .sealing, progress.done >= 8, promoted == nil {
          let key = try other.addKey(.field)
          try other.promoteKey(key)
          promoted = key
          resealedBefore = progress.resealed
        }
        return .goOn
      }
    )
    #expect(report.outcome == .finished)
    // The batch that was sealed ahead is sealed again before it is written, so the second pass finds only those before.
    #expect(report.resealed == scene.valueCount + resealedBefore)
    #expect(report.disabled.count == 2)
    #expect(try scene.namedKeys(store) == [promoted])
    try scene.expectWhole(store)
  }

  @Test func `a rewrap waits for a rotation whose new key the former store key knows`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let waiting = try store.addKey(.field)
    _ = try store.rotate(.small, watching: { $0.done >= 8 ? .stop : .goOn })
    let error = #expect(throws: NacreError.self) { try store.rewrap(keeping: [Scene.unlock]) }
    #expect(error?.code == .rotationUnfinished)
    #expect(try store.rotate().outcome == .finished)
    #expect(try store.key(.primary) == waiting)
    let late = try store.addKey(.field)
    try store.rewrap(keeping: [Scene.unlock])
    #expect(try store.state(of: late) == .destroyed)
    let report = try store.rotate()
    #expect(report.outcome == .finished)
    #expect(!report.to.contains(late) && !report.to.contains(waiting))
    try scene.expectWhole(store)
    try scene.expectWhole(scene.open())
  }

  @Test(arguments: [1, 100, 4096, 1 << 18])
  func `a file's bytes can be read without opening it again`(_ byteCount: Int) throws {
    let scene = try RotationScene(count: 3)
    let connection = try Connection(path: scene.scene.path, mode: .readWrite)
    defer { try? connection.close() }
    #expect(try connection.pragma("schema_version") != nil)
    try connection.execute("CREATE TABLE extra (x); INSERT INTO extra VALUES (zeroblob(9000))")
    for (file, name) in [(RawFile.database, "store.db"), (.log, "store.db-wal")] {
      var bytes = Data()
      try connection.readRaw(file, blockByteCount: byteCount) { bytes.append(contentsOf: $0) }
      #expect(!bytes.isEmpty)
      #expect(bytes == (try scene.scene.directory.bytes(name)))
    }
  }
}
