import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
@testable import TestSupport
import Testing

/// A call that waits for the writer of its own process, or for the last user of the store, gives up in time.
@Suite(.timeLimit(.minutes(10))) struct WriterWaitTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  /// Runs `body` while another thread is inside of a write.
  private func whileWriting<T>(_ store: Store, _ body: () throws -> T) throws -> T {
    let (begun, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let end = onOwnThread {
      do {
        try store.write { _ in
          try Node.create().save()
          begun.signal()
          leave.wait()
        }
      } catch {
        Issue.record(error)
      }
    }
    begun.wait()
    defer {
      leave.signal()
      #expect(end())
    }
    return try body()
  }

  @Test func `a thread waits for another's write as long as it is told and is then busy`() throws {
    let store = try scene.open { $0.busyTimeout = 0.1 }
    let node = Node.create()
    try scene.save(node, in: store)
    node.label = 5
    try whileWriting(store) { () throws in
      for write in [
        { try node.save() }, { try store.write { _ in } }, { try store.begin() },
        { try node.delete() }, { _ = try Node.in(store).deleteAll() },
      ] as [() throws -> Void] {
        let begun = ContinuousClock.now
        let error = thrown(.busy, write)
        let elapsed = ContinuousClock.now - begun
        #expect(elapsed >= .milliseconds(100) && elapsed < .seconds(20))
        #expect(error?.detail?.contains("of this process") == true)
      }
      #expect(node.hasChanges && node.isStored)
      // Who reads waits for nobody.
      #expect(try Node.in(store).count() == 1)
    }
    try node.save()
    #expect(try Node.in(store).fetchAll().map(\.label).sorted() == [0, 5])
  }

  @Test
  func `a task waits for another's write as long as it is told, and leaves at once if cancelled`()
    async throws
  {
    let store = try scene.open { $0.busyTimeout = 0.1 }
    try await store.write { _ in try Node.create().save() }
    let begun = Shared(false)
    let leave = DispatchSemaphore(value: 0)
    let writing = Task {
      try await store.writeInBackground { _ in
        begun.withLock { $0 = true }
        leave.wait()
      }
    }
    while !begun.withLock({ $0 }) { await Task.yield() }
    let start = ContinuousClock.now
    let error = await #expect(throws: NacreError.self) { try await store.write { _ in } }
    #expect(error?.code == .busy)
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    try store.setBusyTimeout(600)
    let cancelled = Task { try await store.write { _ in } }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(ContinuousClock.now - start < .seconds(60))
    leave.signal()
    try await writing.value
    try await store.write { _ in try Node.create().save() }
    #expect(try await Node.in(store).count() == 2)
  }

  @Test func `a store that is used longer than the timeout is not closed, and goes on`() throws {
    let store = try scene.open { $0.busyTimeout = 0.1 }
    try scene.save(Node.create(), in: store)
    let cursor = try Node.in(store).cursor()
    try whileWriting(store) { () throws in
      let begun = ContinuousClock.now
      let error = thrown(.stillUsed) { try store.close() }
      #expect(ContinuousClock.now - begun >= .milliseconds(100))
      #expect(error?.detail?.hasPrefix("a write, 0 reads, 0 cursors") == true)
      #expect(try Node.in(store).count() == 1)
      expectError(.busy) { try Store.delete(at: scene.path) }
    }
    expectError(.storeClosed) { while try cursor.next() != nil {} }
    let second = try Node.in(store).cursor()
    #expect(try second.next() != nil)
    _ = try store.changes(of: Node.self)
    try scene.save(Node.create(), in: store)
    try store.close()
    expectError(.storeClosed) { _ = try Node.in(store).count() }
    try Store.delete(at: scene.path)
  }

  @Test func `a rotation waits longer than others for one who writes for long`() throws {
    let rotation = try RotationScene(count: 3)
    let store = try rotation.open { $0.busyTimeout = 0.1 }
    let report = Shared<RotationReport?>(nil)
    let end = try whileWriting(store) {
      let end = onOwnThread {
        do {
          let made = try store.rotate()
          report.withLock { $0 = made }
        } catch {
          Issue.record(error)
        }
      }
      // Somebody else has given up meanwhile, who began when the rotation did.
      for _ in 0..<3 { expectError(.busy) { try store.write { _ in } } }
      return end
    }
    #expect(end())
    #expect(report.withLock { $0 }?.outcome == .finished)
    try rotation.expectWhole(store)
  }

  @Test func `without a timeout a write fails at once while another goes on`() throws {
    let store = try scene.open { $0.busyTimeout = 0 }
    try scene.save(Node.create(), in: store)
    try whileWriting(store) {
      let elapsed = ContinuousClock().measure { expectError(.busy) { try store.write { _ in } } }
      #expect(elapsed < .seconds(5))
    }
    try store.write { _ in try Node.create().save() }
  }

  @Test func `queued work gives up if it waits for the thread that waits for it`() throws {
    let store = try scene.open { $0.busyTimeout = 0.1 }
    let queue = StoreQueue(store)
    let codes = Shared<[NacreError.Code?]>([])
    try store.write { _ in
      queue.async(.immediate) {
        _ = $0
      } completion: { result in
        if case .failure(let error) = result {
          codes.withLock { $0.append((error as? NacreError)?.code) }
        }
      }
      // It waits for what was given before, which waits for this write.
      try queue.sync { _ in }
    }
    #expect(codes.withLock { $0 } == [.busy])
  }
}

extension Store {
  /// Sets the busy timeout on a thread that need not wait for the writer.
  fileprivate func setBusyTimeout(_ seconds: Double) throws {
    try read { try $0.execute("PRAGMA busy_timeout = \(Int(seconds * 1000))") }
  }
}
