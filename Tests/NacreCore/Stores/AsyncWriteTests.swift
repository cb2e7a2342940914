import Foundation
import NacreCore
import NacreStore
import Testing
@testable import TestSupport

/// A main actor's class that holds an object.
@MainActor private final class Screen {
  let store: Store
  let node = Node.create()
  var saves = 0

  init(_ store: Store) {
    self.store = store
    node.use(store)
  }

  func save(_ label: Int) async throws {
    try await store.write { _ in
      MainActor.assertIsolated()
      node.label = label
      try node.save()
      saves += 1
    }
  }
}

/// An actor that holds an object.
private actor Holder {
  let store: Store
  let node = Node.create()
  var saves = 0

  init(_ store: Store) { self.store = store }

  func save(_ label: Int) async throws -> Int {
    try await store.write { _ in
      assertIsolated()
      node.use(store)
      node.label = label
      try node.save()
      saves += 1
      return node.label
    }
  }
}

/// Async transactions with objects that the caller holds.
@Suite(.timeLimit(.minutes(10))) struct AsyncWriteTests {
  private let test: TestStore
  private var store: Store { test.store }

  init() throws { test = try TestStore() }

  private var labels: [Int] {
    get throws { try Node.in(store).ordered(by: "label").fetchAll().map(\.label) }
  }

  @MainActor
  @Test func `the main actor saves an object that it holds`() async throws {
    let screen = Screen(store)
    try await screen.save(1)
    try await screen.save(2)
    #expect(screen.saves == 2 && !screen.node.hasChanges)
    #expect(try labels == [2])
  }

  @Test func `an actor saves an object that it holds`() async throws {
    let keeper = Holder(store)
    #expect(try await keeper.save(3) == 3)
    #expect(await keeper.saves == 1)
    #expect(try labels == [3])
  }

  @Test func `a task saves an object that it holds, and goes on with it`() async throws {
    let node = Node.create()
    node.label = 4
    let made = try await store.write { _ in
      try node.save()
      return Node.create()
    }
    node.label = 5
    try await store.write { _ in
      try node.save()
      try made.save()
    }
    #expect(try labels == [0, 5])
  }

  @Test func `a write that throws leaves the caller's objects as unsaved as before`() async throws {
    struct Stop: Error {}
    let node = Node.create()
    await #expect(throws: Stop.self) {
      try await store.write { _ in
        try node.save()
        throw Stop()
      }
    }
    #expect(!node.isStored)
    #expect(try labels.isEmpty)
    try await store.write { _ in try node.save() }
    #expect(try labels == [0])
  }

  @Test func `many tasks write on their own actors at once, and nothing is lost`() async throws {
    let store = store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<50 {
        group.addTask { _ = try await Holder(store).save(index) }
        group.addTask { try await Screen(store).save(50 + index) }
      }
      try await group.waitForAll()
    }
    #expect(try labels == Array(0..<100))
  }

  @Test func `a write on the caller's actor waits no longer than it is told`() async throws {
    let short = try TestStore { $0.busyTimeout = 0.1 }
    let node = Node.create()
    node.use(short.store)
    let (begun, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ended = onOwnThread { [store = short.store] in
      try? store.write { _ in
        begun.signal()
        leave.wait()
      }
    }
    #expect(onOwnThread { begun.wait() }())
    let error = await #expect(throws: NacreError.self) {
      try await short.store.write { _ in try node.save() }
    }
    #expect(error?.code == .busy && !node.isStored)
    let cancelled = Task { [store = short.store] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.write { _ in Issue.record("ran in a cancelled task") }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    leave.signal()
    #expect(ended())
    try await short.store.write { _ in try node.save() }
    #expect(node.isStored)
  }

  @MainActor
  @Test func `a write in background leaves the caller's actor free`() async throws {
    let entered = DispatchSemaphore(value: 0)
    // Only the main actor, which waits for the write, can let the write go on.
    let free = Task { @MainActor in entered.signal() }
    let count = try await store.writeInBackground { _ in
      #expect(entered.wait(timeout: .now() + 30) == .success)
      try Node.create().save()
      return try Node.count()
    }
    _ = await free.value
    #expect(count == 1)
  }
}
