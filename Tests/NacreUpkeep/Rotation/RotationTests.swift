import Foundation
import NacreCore
import NacreCrypto
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// New data keys, and everything sealed anew under them.
@Suite struct RotationTests {
  @Test func `a rotation reseals all values under a new key and disables the old one`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let old = try store.key(.primary)
    let report = try store.rotate(.small)
    #expect(report.outcome == .finished)
    #expect(report.obstacle == nil)
    #expect(report.purposes == [.field])
    #expect(report.from == [old])
    #expect(report.disabled == [old])
    #expect(report.resealed == scene.valueCount)
    #expect(report.reindexed == 0)
    #expect(report.failed == 0)
    #expect(report.scans == 1)
    #expect(report.wasResumed == false)
    let new = try store.key(.primary)
    #expect(report.to == [new])
    #expect(new != old)
    #expect(try store.state(of: old) == .disabled)
    #expect(try scene.namedKeys(store) == [new])
    try scene.expectWhole(store)
  }

  @Test func `a rotation leaves no value under the old key in the file or its log`() throws {
    let scene = try RotationScene(count: 60)
    let store = try scene.open()
    let old = try store.key(.primary)
    #expect(try scene.heads(of: old) >= scene.valueCount)
    let report = try store.rotate(.small)
    #expect(report.outcome == .finished)
    #expect(report.remnants == 0)
    #expect(try scene.heads(of: old) == 0)
    #expect(try scene.heads(of: store.key(.primary)) >= scene.valueCount)
  }

  @Test func `another store reads and writes before, during and after a rotation`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let other = try scene.open()
    try scene.expectWhole(other)
    let old = try store.key(.primary)
    var batches = 0
    let report = try store.rotate(
      .small,
      watching: { _ in
        try scene.expectWhole(other)
        try other.write { (_) throws in
          let vault = try #require(try Vault.fetchAll().dropFirst(batches % 25).first)
          let secret = vault.secret
          vault.secret = secret
          try vault.save()
        }
        batches += 1
        return .goOn
      }
    )
    #expect(batches > 10)
    #expect(report.outcome == .finished)
    #expect(try scene.namedKeys(other).contains(old) == false)
    try scene.expectWhole(other)
    try scene.expectWhole(store)
    try scene.expectWhole(scene.open())
  }

  @Test func `the journal says what is going on and what was done`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    #expect(try store.rotationState() == nil)
    let old = try store.key(.primary)
    var phases: [String] = []
    var totals: Set<Int> = []
    _ = try store.rotate(
      .small,
      watching: { progress in
        if phases.last != progress.phase.rawValue { phases.append(progress.phase.rawValue) }
        totals.insert(progress.total)
        #expect(progress.done <= progress.total)
        let state = try #require(try store.rotationState())
        #expect((state.finished == nil) == (progress.phase != .done))
        #expect(state.from == [old])
        return .goOn
      }
    )
    #expect(phases == ["pending", "sealing", "scanning", "clearing", "done"])
    #expect(totals == [25])
    let state = try #require(try store.rotationState())
    #expect(state.kind == "field")
    #expect(state.phase == "done")
    #expect(state.finished != nil)
    #expect(state.failed == 0)
    #expect(state.to == [try store.key(.primary)])
  }

  @Test func `a rotation stops at a batch's edge and goes on from there`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let old = try store.key(.primary)
    let stopped = try store.rotate(.small) { $0.done >= 12 ? .stop : .goOn }
    #expect(stopped.outcome == .stopped)
    #expect(stopped.resealed > 0 && stopped.resealed < scene.valueCount)
    #expect(try store.rotationState()?.done == 12)
    #expect(try store.state(of: old) == .enabled)
    try scene.expectWhole(store)
    let report = try store.rotate(RotationOptions { $0.onlyResumes = true })
    #expect(report.outcome == .finished)
    #expect(report.wasResumed)
    #expect(report.from == [old])
    #expect(report.resealed + stopped.resealed == scene.valueCount)
    #expect(try scene.namedKeys(store) == [store.key(.primary)])
    try scene.expectWhole(store)
  }

  @Test
  func `the next rows are read before a batch is written, so that they can be sealed meanwhile`()
    throws
  {
    let scene = try RotationScene(count: 10)
    let steps = Mutex<[String]>([])
    let store = try scene.open { options in
      options.trace = { event in
        guard case .statement(let sql) = event else { return }
        let isRead = sql.hasPrefix("SELECT") && sql.contains("ORDER BY r.\"objectID\" LIMIT ?")
        guard isRead || sql.hasPrefix("UPDATE"), sql.contains("Vault") else { return }
        steps.withLock { steps in
          if isRead || steps.last != "write" { steps.append(isRead ? "read" : "write") }
        }
      }
    }
    #expect(try store.rotate(.small).outcome == .finished)
    // Three batches; then the second pass, which writes nothing.
    let expected = ["read", "read", "write", "read", "write", "read", "read", "read"]
    #expect(steps.withLock { $0 } == expected)
    try scene.expectWhole(store)
  }

  @Test func `a rotation can be stopped in every phase`() throws {
    let scene = try RotationScene(count: 9)
    let store = try scene.open()
    let old = try store.key(.primary)
    for phase in [RotationPhase.pending, .sealing, .scanning, .clearing] {
      let report = try store.rotate(.small) { $0.phase == phase ? .stop : .goOn }
      #expect(report.outcome == .stopped)
      #expect(try store.rotationState()?.phase == phase.rawValue)
      try scene.expectWhole(store)
    }
    #expect(try store.rotate(.small).outcome == .finished)
    #expect(try store.state(of: old) == .disabled)
    #expect(try store.rotationState()?.from == [old])
  }

  @Test func `keys under which nothing is sealed are replaced, too`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try scene.save(Node.create(), in: store)
    for purpose in KeyPurpose.ofRing {
      let old = try store.key(.primary, purpose)
      let report = try store.rotate(RotationOptions { $0.purposes = [purpose] })
      #expect(report.outcome == .finished)
      #expect(report.from == [old])
      #expect(report.to == [try store.key(.primary, purpose)])
      #expect(report.disabled == [old])
      #expect(report.resealed == 0 && report.reindexed == 0)
      #expect(try store.state(of: old) == .disabled)
    }
    let resumed = try store.rotate(RotationOptions { $0.onlyResumes = true })
    #expect(resumed.outcome == .nothingToDo)
  }

  @Test func `a rotation that goes on has no rate before its first batch`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    _ = try store.rotate(.small) { $0.done >= 12 ? .stop : .goOn }
    var first: RotationProgress?
    _ = try store.rotate(.small) { progress in
      first = first ?? progress
      return .goOn
    }
    #expect(first?.done == 12)
    #expect(first?.rowsPerSecond == 0)
    #expect(first?.secondsLeft == nil)
  }

  @Test func `a rotation that only resumes, or that finds a young key, begins nothing`() throws {
    let scene = try RotationScene(count: 3)
    let store = try scene.open()
    let generation = try store.generation()
    let resumed = try store.rotate(RotationOptions { $0.onlyResumes = true })
    #expect(resumed.outcome == .nothingToDo)
    let young = try store.rotate(RotationOptions { $0.olderThan = 3600 })
    #expect(young.outcome == .nothingToDo)
    #expect(try store.generation() == generation)
    #expect(try store.rotate(RotationOptions { $0.olderThan = -1 }).outcome == .finished)
  }

  @Test func `a rotation uses a pending key`() throws {
    let scene = try RotationScene(count: 3)
    let store = try scene.open()
    let waiting = try store.addKey(.field)
    #expect(try store.rotate(.field).to == [waiting])
    #expect(try store.key(.primary) == waiting)
    #expect(try scene.namedKeys(store) == [waiting])
  }

  @Test func `a rotation reseals the values of all earlier keys, too`() throws {
    let scene = try RotationScene(count: 5)
    let store = try scene.open()
    let first = try store.key(.primary)
    let second = try store.addKey(.field)
    try store.promoteKey(second)
    let report = try store.rotate(.field)
    #expect(report.from == [second])
    #expect(Set(report.disabled) == [first, second])
    #expect(try scene.namedKeys(store) == [store.key(.primary)])
  }

  @Test func `a new key is made under another suite when asked`() throws {
    let scene = try RotationScene { $0.suite = .aes256GCM }
    let store = try scene.open()
    let old = try store.key(.primary)
    let report = try store.rotate(RotationOptions { $0.suite = .xaes256GCM })
    #expect(report.outcome == .finished)
    #expect(report.disabled.contains(old))
    #expect(Set(try store.sealedCounts().map(\.suite)) == [.xaes256GCM])
    try scene.expectWhole(store)
    // And back: the suite of the store is the lowest that has a primary key.
    let back = try store.rotate(RotationOptions { $0.suite = .aes256GCM })
    #expect(back.outcome == .finished)
    #expect(Set(try store.sealedCounts().map(\.suite)) == [.aes256GCM])
    try scene.expectWhole(store)
    try RotationScene.expectSealed(store, .aes256GCM)
  }

  @Test func `the seals of a key whose suite limits them are counted`() throws {
    let scene = try RotationScene { $0.suite = .aes256GCM }
    let store = try scene.open()
    let new = try #require(try store.rotate(.small).to.first)
    let seals = try store.read {
      try $0.query("SELECT seals FROM nacre_key WHERE id = ?", Int(new.rawValue))
    }
    #expect(seals == [[.integer(65_536)]])
  }

  @Test func `a rotation is refused without keys and inside a transaction`() throws {
    let scene = try RotationScene(count: 1)
    let locked = try scene.scene.open(nil)
    expectError(.storeLocked) { _ = try locked.rotate() }
    expectError(.storeLocked) { _ = try locked.rotationPlan() }
    let plain = try Scene()
    let ringless = try plain.open(nil)
    expectError(.noKeyRing) { _ = try ringless.rotate() }
    let store = try scene.open()
    try store.write { _ in expectError(.transactionState) { _ = try store.rotate() } }
    #expect(try store.rotationState() == nil)
  }
}

extension RotationScene {
  /// Fails when a new value is not sealed under a suite.
  static func expectSealed(_ store: Store, _ suite: Suite) throws {
    try store.write { _ in try RotationScene.vault(999).save() }
    #expect(Set(try store.sealedCounts().map(\.suite)) == [suite])
  }
}
