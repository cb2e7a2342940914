import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Processes that are killed in a rotation, and the next that goes on.
@Suite struct RotationCrashTests {
  @Test(arguments: RotationPhase.allCases)
  func `a rotation that is killed in any phase is finished by the next`(
    _ phase: RotationPhase
  ) async throws {
    let scene = try RotationScene()
    let (path, name) = (scene.scene.path, phase.rawValue)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, name = name as String] in
      try RotationCrashTests.die(path) { progress, _ in
        progress.phase.rawValue == name && (progress.done > 0 || progress.phase != .sealing)
      }
    }
    try expectFinished(scene, wasDone: phase == .done)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6])
  func `a rotation that is killed in a write transaction is finished by the next`(
    _ transaction: Int
  ) async throws {
    let scene = try RotationScene()
    let path = scene.scene.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, transaction = transaction as Int] in
      try RotationCrashTests.dieInTransaction(path, transaction)
    }
    try expectFinished(scene, wasDone: false)
  }

  private func expectFinished(_ scene: RotationScene, wasDone: Bool) throws {
    // The kernel has let go of the dead process's lock.
    let store = try scene.open()
    try scene.expectWhole(store)
    let unfinished = try store.rotationState()
    let report = try store.rotate(RotationOptions { $0.onlyResumes = true })
    #expect(report.outcome == (wasDone || unfinished == nil ? .nothingToDo : .finished))
    if unfinished != nil {
      let state = try #require(try store.rotationState())
      #expect(state.finished != nil)
      let old = try #require(state.from.first)
      #expect(try store.state(of: old) == .disabled)
      #expect(try scene.namedKeys(store) == [store.key(.primary)])
      #expect(state.to.first == (try store.key(.primary)))
      #expect(try scene.heads(of: old) == 0)
    }
    #expect(try scene.scene.edit("PRAGMA integrity_check") == [[.text("ok")]])
    try scene.expectWhole(store)
    #expect(try store.inspect().ring?.keys.filter { $0.state == .pending }.count == 0)
  }

  private static func die(
    _ path: String,
    _ condition: (RotationProgress, Int) -> Bool
  ) throws {
    let store = try Store.open(path, unlock: Scene.unlock)
    var calls = 0
    _ = try store.rotate(.small) { progress in
      calls += 1
      if condition(progress, calls) { kill(getpid(), SIGKILL) }
      return .goOn
    }
  }

  /// Dies right before a commit.
  private static func dieInTransaction(_ path: String, _ transaction: Int) throws {
    var options = StoreOptions()
    let commits = Counter()
    options.trace = { event in
      guard case .statement(let sql) = event else { return }
      if sql.hasPrefix("UPDATE") || sql.hasPrefix("INSERT") { commits.note() }
      if sql.hasPrefix("COMMIT"), commits.next() == transaction { kill(getpid(), SIGKILL) }
    }
    let store = try Store.open(path, unlock: Scene.unlock, options: options)
    commits.begin()
    _ = try store.rotate(.small)
  }

  @Test func `a copy taken in the middle of a rotation is finished on its own`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let copy = scene.scene.directory.file("copy.db")
    _ = try store.rotate(
      .small,
      watching: { progress in
        if progress.phase == .sealing, progress.done == 12 { try store.backup(to: copy) }
        return .goOn
      }
    )
    let opened = try Store.open(copy, unlock: Scene.unlock)
    try scene.expectWhole(opened)
    let report = try opened.rotate(RotationOptions { $0.onlyResumes = true })
    #expect(report.outcome == .finished)
    #expect(try scene.namedKeys(opened) == [opened.key(.primary)])
    try scene.expectWhole(opened)
  }
}

/// Counts the transactions that write.
private final class Counter: Sendable {
  private struct State {
    var isCounting = false
    var hasWritten = false
    var count = 0
  }

  private let state = Mutex(State())

  func begin() { state.withLock { $0.isCounting = true } }

  func note() { state.withLock { $0.hasWritten = true } }

  /// The number of the transaction that ends; 0 for one that has written nothing.
  func next() -> Int {
    state.withLock { state in
      guard state.isCounting, state.hasWritten else { return 0 }
      state.hasWritten = false
      state.count += 1
      return state.count
    }
  }
}
