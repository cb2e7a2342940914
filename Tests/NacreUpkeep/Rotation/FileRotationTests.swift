import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// A sealed file's key, which a rotation replaces while the application runs.
@Suite struct FileRotationTests {
  private let scene: Scene
  private var options: RotationOptions {
    var options = RotationOptions()
    options.purposes = [.file]
    return options
  }

  init() throws { scene = try Scene() }

  private func open() throws -> Store {
    try scene.open(Scene.unlock) { $0.seals = .file }
  }

  /// The ids of the keys that the file's pages name.
  private func keysOfPages() throws -> Set<UInt32> {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    return Set(
      stride(from: 65_536, to: bytes.count, by: 4_096).map { (start: Int) -> UInt32 in
        let id: Data = bytes[(start + 4_080)..<(start + 4_084)]
        return id.reduce(0) { (number: UInt32, byte: UInt8) in number << 8 | UInt32(byte) }
      }
    )
  }

  @Test func `a sealed file gets a new key, and the former one is disabled`() throws {
    let store = try open()
    try saveVaults(0..<500, in: store)
    #expect(try store.emptyLog())
    var phases: [RotationPhase] = []
    let report = try store.rotate(options) { progress in
      #expect(progress.unit == .pages)
      if phases.last != progress.phase { phases.append(progress.phase) }
      return .goOn
    }
    #expect(report.outcome == .finished)
    #expect(report.purposes == [.file])
    #expect(report.from.count == 1)
    #expect(report.disabled == report.from)
    #expect(report.resealedPages > 10)
    #expect(report.resealed == 0)
    #expect(phases == [.sealing, .scanning, .done])
    #expect(try keysOfPages() == Set(report.to.map(\.rawValue)))
    try expectVaults(500, in: store)
    #expect(try store.verify().isSound)
    try saveVaults(500..<600, in: store)
    try store.close()
    let again = try open()
    try expectVaults(600, in: again)
    #expect(try keysOfPages() == Set(report.to.map(\.rawValue)))
    #expect(!FileManager.default.fileExists(atPath: scene.path + "-nrekey"))
    try again.close()
  }

  @Test func `values and pages get new keys in one call`() throws {
    let store = try open()
    try saveVaults(0..<50, in: store)
    var options = options
    options.purposes = [.field, .index, .file]
    let report = try store.rotate(options)
    #expect(report.outcome == .finished)
    #expect(report.purposes == [.field, .index, .file])
    #expect(report.resealed == 250)
    #expect(report.resealedPages > 0)
    #expect(report.disabled.count == 3)
    try expectVaults(50, in: store)
    try store.close()
  }

  @Test func `a rotation of pages that was stopped goes on where it is called again`() throws {
    let store = try open()
    try saveVaults(0..<200, in: store)
    var calls = 0
    let stopped = try store.rotate(options) { _ in
      calls += 1
      return calls > 1 ? .stop : .goOn
    }
    #expect(stopped.outcome == .stopped)
    try store.close()
    let again = try open()
    try saveVaults(200..<210, in: again)
    let report = try again.rotate(options)
    #expect(report.outcome == .finished)
    #expect(report.wasResumed)
    #expect(report.to == stopped.to)
    #expect(report.from == stopped.from)
    try expectVaults(210, in: again)
    try again.close()
  }

  @Test func `only what was begun is finished, and a young key is left alone`() throws {
    let store = try open()
    var options = options
    options.onlyResumes = true
    #expect(try store.rotate(options).outcome == .nothingToDo)
    options.onlyResumes = false
    options.olderThan = 1_000
    #expect(try store.rotate(options).outcome == .nothingToDo)
    options.olderThan = 0
    #expect(try store.rotate(options).outcome == .finished)
    try store.close()
  }

  @Test func `a reader of a former state keeps the former key enabled`() throws {
    let store = try open()
    try saveVaults(0..<100, in: store)
    var options = options
    options.readerTimeout = 0
    let report = try store.read { _ in
      _ = try Vault.fetchAll()
      try saveApart(store)
      return try rotateApart(options)
    }
    #expect(report.outcome == .incomplete)
    #expect(report.obstacle == .reader)
    #expect(report.disabled == [])
    let next = try store.rotate(options)
    #expect(next.outcome == .finished)
    #expect(next.wasResumed)
    try store.close()
  }

  /// Saves through a store of its own, as another process would.
  private func saveApart(_ store: Store) throws {
    let other = try open()
    try saveVaults(100..<110, in: other)
    try other.close()
  }

  private func rotateApart(_ options: RotationOptions) throws -> RotationReport {
    let other = try open()
    defer { try? other.close() }
    return try other.rotate(options)
  }

  @Test func `another process follows to the new key and back to work`() throws {
    let (store, other) = (try open(), try open())
    try saveVaults(0..<100, in: store)
    try expectVaults(100, in: other)
    for round in 0..<3 {
      #expect(try store.rotate(options).outcome == .finished)
      try expectVaults(100 + round * 10, in: other)
      try saveVaults(100 + round * 10..<110 + round * 10, in: other)
      try expectVaults(110 + round * 10, in: store)
    }
    try store.close()
    try other.close()
  }

  @Test func `a page that somebody has changed keeps the former key, and is named`() throws {
    let store = try open()
    try saveVaults(0..<500, in: store)
    try store.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.seek(toOffset: 65_536 + 40 * 4_096 + 100)
    try file.write(contentsOf: [1, 2, 3, 4])
    try file.close()
    let again = try open()
    let report = try again.rotate(options)
    #expect(report.outcome == .incomplete)
    #expect(report.obstacle == .failedPages)
    #expect(report.badPages == [41])
    #expect(report.failed == 1)
    #expect(report.disabled == [])
    try again.close()
  }

  @Test func `a former file key can be enabled and destroyed, but not while pages need it`() throws
  {
    let store = try open()
    try saveVaults(0..<200, in: store)
    let (first, none) = (try #require(store.inspect().fileKeys.first), [StoredColumn]())
    #expect(first.state == .primary)
    #expect(first.purpose == .file)
    expectError(.badKeyState) { try store.destroyKey(first.id, ignoring: none) }
    _ = try store.rotate(options) { $0.phase == .scanning ? .stop : .goOn }
    expectError(.keyInUse) { try store.destroyKey(first.id) }
    expectError(.keyInUse) { try store.disableKey(first.id) }
    let second = try #require(store.inspect().fileKeys.first { $0.state == .primary })
    expectError(.badKeyState) { try store.promoteKey(second.id) }
    #expect(try store.rotate(options).outcome == .finished)
    try store.enableKey(first.id)
    #expect(try store.rotate(options).disabled == [first.id])
    try store.destroyKey(first.id)
    let states = try store.inspect().fileKeys.map { [$0.id: $0.state] }
    #expect(Set(states) == [[first.id: .destroyed], [second.id: .primary]])
    expectError(.badKeyState) { try store.enableKey(first.id) }
    try expectVaults(200, in: store)
    try store.close()
    try open().close()
  }

  @Test func `the plan of a file's rotation counts its pages and changes nothing`() throws {
    let store = try open()
    try saveVaults(0..<200, in: store)
    #expect(try store.emptyLog())
    let plan = try store.rotationPlan(options)
    #expect(plan.purposes == [.file])
    #expect(plan.pages > 10)
    #expect(plan.resealed == 0)
    #expect(plan.seconds > 0)
    let report = try store.rotate(options)
    #expect(report.resealedPages == plan.pages)
    #expect(report.from == plan.from)
    try store.close()
  }

  @Test func `a file that is not sealed has no key to rotate`() throws {
    let store = try scene.open(Scene.unlock) { _ in }
    expectError(.notSealed) { _ = try store.rotate(options) }
    try store.close()
  }

  @Test func `two rotations of pages do not run at once`() throws {
    let store = try open()
    try saveVaults(0..<50, in: store)
    var second: NacreError.Code?
    let other = try open()
    _ = try store.rotate(options) { _ in
      if second == nil {
        do { _ = try other.rotate(options) } catch { second = (error as? NacreError)?.code }
      }
      return .goOn
    }
    #expect(second == .rotationHeld)
    try store.close()
    try other.close()
  }
}
