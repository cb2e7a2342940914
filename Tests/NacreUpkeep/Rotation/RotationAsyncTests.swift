import NacreCore
import NacreCrypto
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Rotations that tasks wait for.
@Suite struct RotationAsyncTests {
  @Test func `a task can wait for a rotation`() async throws {
    let scene = try RotationScene(count: 3)
    let store = try scene.open()
    #expect(try await store.rotationPlan().resealed == scene.valueCount)
    #expect(try await store.rotate().outcome == .finished)
    try scene.expectWhole(store)
  }

  @Test func `a cancelled task's rotation ends at a batch's edge`() async throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let task = Mutex<Task<RotationReport, any Error>?>(nil)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let made = Task {
      for await _ in begun { break }
      return try await store.rotate(.small) { progress in
        if progress.phase == .sealing { task.withLock { $0?.cancel() } }
        return .goOn
      }
    }
    task.withLock { $0 = made }
    beginning.yield()
    #expect(try await made.value.outcome == .stopped)
    #expect(try store.rotationState()?.phase == "sealing")
    #expect(try await store.rotate().outcome == .finished)
  }
}
