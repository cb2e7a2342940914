import Foundation
import NacreCore
import NacreCrypto
import NacreUpkeep
import Testing
@testable import TestSupport

/// A rotation's plan.
@Suite struct RotationPlanTests {
  @Test func `progress tells the time left while a rotation goes through rows`() throws {
    let scene = try RotationScene()
    var told: [RotationProgress] = []
    _ = try scene.open().rotate(.small) { progress in
      told.append(progress)
      return .goOn
    }
    for progress in told {
      let isPass = [.sealing, .scanning].contains(progress.phase) && progress.rowsPerSecond > 0
      let left = Double(max(0, progress.total - progress.done)) / progress.rowsPerSecond
      #expect(progress.secondsLeft == (isPass ? left : nil))
    }
    #expect(told.contains { ($0.secondsLeft ?? 0) > 0 })
    #expect(told.contains { $0.phase == .clearing })
  }

  @Test func `a plan has the keys and counts of the rotation that follows`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    try store.write { _ in
      for index in 0..<5 { try Badge.make("\(index)") { $0.email = "\(index)@x.org" }.save() }
    }
    let key = try store.key(.primary)
    let plan = try store.rotationPlan()
    #expect(plan.unfinished == nil)
    #expect(plan.purposes == [.field, .index])
    #expect(plan.from == [key, try store.key(.primary, .index)])
    #expect(plan.to == [])
    #expect(plan.seconds > 0)
    #expect(plan.counts.allSatisfy { $0.isStale && $0.keyID == key && $0.suite == .xaes256GCM })
    let secret = try #require(plan.counts.first { $0.entity == "Vault" && $0.property == "secret" })
    #expect(secret.count == 25)
    let report = try store.rotate()
    #expect(report.resealed == plan.resealed)
    // The index of an email has 8 bits; by chance it can be the same under the new key.
    #expect(plan.reindexed == 5 * 4 && (16...20).contains(report.reindexed))
    #expect(report.from == plan.from)
  }

  @Test func `a plan changes no byte and reserves no seal`() throws {
    let scene = try RotationScene { $0.suite = .aes256GCM }
    let store = try scene.open()
    func bytes() throws -> [String: Data] {
      try scene.scene.fileBytes().filter { !$0.key.hasSuffix("-shm") }
    }
    let before = try bytes()
    let plan = try store.rotationPlan()
    #expect(plan.resealed == scene.valueCount)
    #expect(try bytes() == before)
    #expect(try store.rotationState() == nil)
  }

  @Test func `an unfinished rotation is told with what is left of it`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let stopped = try store.rotate(.small) { $0.done >= 8 ? .stop : .goOn }
    let plan = try store.rotationPlan()
    #expect(plan.unfinished == (try store.rotationState()))
    #expect(plan.from == stopped.from)
    #expect(plan.to == stopped.to)
    #expect(plan.resealed == scene.valueCount - stopped.resealed)
    #expect(Set(plan.counts.filter(\.isStale).map(\.keyID)) == Set(stopped.from))
    #expect(try store.rotate().resealed == plan.resealed)
  }

  @Test func `a plan resumes an unfinished rotation only if the rotation would`() throws {
    let scene = try RotationScene(count: 3)
    let store = try scene.open()
    let stopped = try store.rotate(.small) { _ in .stop }
    let other = RotationOptions { $0.suite = .aes256GCM }
    expectError(.rotationUnfinished) { _ = try store.rotationPlan(other) }
    expectError(.rotationUnfinished) { _ = try store.rotate(other) }
    try store.destroyKey(try #require(stopped.to.first))
    let plan = try store.rotationPlan(.field)
    #expect(plan.unfinished == nil && plan.from == stopped.from)
    #expect(try store.rotate(.field).resealed == plan.resealed)
  }

  @Test func `a journal that something else has written is not planned by`() throws {
    let scene = try RotationScene(count: 3)
    let store = try scene.open()
    _ = try store.rotate(.small) { _ in .stop }
    try scene.scene.edit("UPDATE nacre_rotation SET mac = zeroblob(32)")
    expectError(.ringTampered) { _ = try store.rotationPlan() }
  }

  @Test func `a plan counts every value if the rotation has resealed nothing yet`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    _ = try store.rotate(.small) { _ in .stop }
    #expect(try store.rotationState()?.phase == "pending")
    #expect(try store.rotationPlan().resealed == scene.valueCount)
  }

  @Test func `a plan names a pending key as the successor`() throws {
    let scene = try RotationScene(count: 2)
    let store = try scene.open()
    let waiting = try store.addKey(.field)
    #expect(try store.rotationPlan().to == [waiting])
  }

  @Test func `both passes go no faster than the rate`() throws {
    let scene = try RotationScene(count: 10)
    let store = try scene.open()
    #expect(try store.rotationPlan(RotationOptions { $0.rowsPerSecond = 0.5 }).seconds == 40)
  }

  @Test func `a plan is empty where a rotation has nothing to do`() throws {
    let scene = try RotationScene(count: 2)
    let store = try scene.open()
    for options in [
      RotationOptions { $0.onlyResumes = true }, RotationOptions { $0.olderThan = 3600 },
      RotationOptions { $0.purposes = [] },
    ] {
      let plan = try store.rotationPlan(options)
      #expect(plan.purposes == [])
      #expect(plan.resealed == 0)
      #expect(plan.reindexed == 0)
      #expect(plan.seconds == 0)
      #expect(plan.counts.allSatisfy { !$0.isStale })
    }
  }
}
