import Foundation
import NacreCore
import Testing
@testable import TestSupport

@Suite(.timeLimit(.minutes(10))) struct LiveQueryTests {
  @Test func `a live query runs again when a table that it read has changed, and only then`()
    async throws
  {
    let test = try ObservingScene()
    let runs = Counter()
    var sizes = test.store.live { (_) throws in
      runs.increment()
      return try Wheel.fetchAll(orderBy: "size").map(\.size)
    }
    .makeAsyncIterator()
    #expect(try await sizes.next() == [])
    let save: (any Entity) throws -> Void = { try test.scene.save($0, in: test.store) }
    let wheel = Wheel.create()
    wheel.size = 3
    try save(wheel)
    #expect(try await sizes.next() == [3])
    let person = Person.create()
    try save(person)
    wheel.size = 4
    try save(wheel)
    #expect(try await sizes.next() == [4])
    #expect(runs.count == 3)
  }

  @Test func `tables that only a later run reads are followed from then on`() async throws {
    let test = try ObservingScene()
    var counts = test.store.live { (_) throws in
      try Wheel.count() == 0 ? 0 : 10 + Person.count()
    }
    .makeAsyncIterator()
    #expect(try await counts.next() == 0)
    _ = try test.wheel()
    #expect(try await counts.next() == 10)
    try test.scene.save(Person.create(), in: test.store)
    #expect(try await counts.next() == 11)
  }

  @Test func `a live query follows other processes, and makes fresh objects each time`()
    async throws
  {
    let test = try ObservingScene()
    let wheel = try test.wheel()
    var wheels = test.store.live { (_) throws in try Wheel.fetchAll() }.makeAsyncIterator()
    let first = try #require(try await wheels.next()?.first)
    try test.scene.edit("UPDATE \"Wheel\" SET size = 12")
    let second = try #require(try await wheels.next()?.first)
    #expect(first !== second && first.size == 1 && second.size == 12)
    #expect(second.objectID == wheel.objectID)
  }

  @Test func `equal results are left out on request`() async throws {
    let test = try ObservingScene()
    let wheel = try test.wheel()
    var counts = test.store.live(removingDuplicates: true) { (_) throws in try Wheel.count() }
      .makeAsyncIterator()
    #expect(try await counts.next() == 1)
    wheel.size = 2
    try test.scene.save(wheel, in: test.store)
    _ = try test.wheel()
    #expect(try await counts.next() == 2)
  }

  @Test func `a live query ends with the store, and with its first error`() async throws {
    let test = try ObservingScene()
    struct Stop: Error {}
    var failing = test.store.live { (_) throws -> Int in throw Stop() }.makeAsyncIterator()
    await #expect(throws: Stop.self) { _ = try await failing.next() }
    #expect(try await failing.next() == nil)
    var counts = test.store.live { (_) throws in try Wheel.count() }.makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try await test.store.close()
    #expect(try await counts.next() == nil)
  }
}

/// Counts what happens on other threads.
private final class Counter: @unchecked Sendable {
  // Sendable holds: the count is used under the lock alone.
  private let lock = NSLock()
  private var value = 0

  var count: Int { lock.withLock { value } }

  func increment() { lock.withLock { value += 1 } }
}
