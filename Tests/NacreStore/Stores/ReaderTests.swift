import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Threads and tasks that hold a cursor and read something else.
@Suite(.timeLimit(.minutes(10))) struct ReaderTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  /// A store with cars, each with an owner.
  private func filled(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> Store {
    let store = try scene.open(Scene.unlock, change)
    let cars = (0..<3).map { number in
      let (car, owner) = (Car.create(), Person.create())
      owner.code = "owner \(number)"
      car.owner = Link(owner)
      return car
    }
    try store.save(cars)
    return store
  }

  @Test func `8 threads that each hold a cursor and read a link inside of it finish`() throws {
    let store = try filled()
    let holding = Shared(0)
    let found = Shared(0)
    let ends = (0..<8).map { _ in
      onOwnThread {
        do {
          let cars = try Car.in(store).cursor()
          var car = try cars.next()
          holding.withLock { $0 += 1 }
          // All of them hold their reader before the first one asks for another.
          while holding.withLock({ $0 }) < 8 { sched_yield() }
          while let each = car {
            if try each.owner?.get() != nil { found.withLock { $0 += 1 } }
            car = try cars.next()
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    for end in ends { #expect(end()) }
    #expect(found.withLock { $0 } == 24)
    #expect(store.readerCount <= 8)
    try store.close()
  }

  @Test func `8 tasks that each hold a cursor and read a link inside of it finish`() async throws {
    let store = try filled { $0.readerLimit = 4 }
    let holding = Shared(0)
    let found = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let cars = try await Car.in(store).cursor()
          var car = try cars.next()
          holding.withLock { $0 += 1 }
          while holding.withLock({ $0 }) < 8 { await Task.yield() }
          var count = 0
          while let each = car {
            if try await each.owner?.get() != nil { count += 1 }
            car = try cars.next()
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(found == 24)
    try await store.close()
  }

  @Test func `many open cursors need one reader besides their own, and leave few open`()
    throws
  {
    let store = try filled { $0.readerLimit = 2 }
    let end = onOwnThread {
      do {
        let cursors = try (0..<20).map { _ in try Car.in(store).cursor() }
        for cursor in cursors { #expect(try cursor.next()?.owner?.get() != nil) }
        // The 20, and one for what was read beside them.
        #expect(store.readerCount == 21)
      } catch {
        Issue.record(error)
      }
    }
    #expect(end())
    #expect(store.readerCount == 2)
  }

  @Test func `a cursor never lends its reader, whose state is old`() throws {
    let store = try filled { ($0.readerLimit, $0.maximumReaderCount) = (1, 2) }
    let cars = try Car.in(store).cursor()
    _ = try cars.next()
    try scene.save(Car.create(), in: store)
    #expect(try Car.in(store).count() == 4)
    #expect(try store.read { _ in try Car.count() } == 4)
    var left = 0
    while try cars.next() != nil { left += 1 }
    #expect(left == 2)
  }

  @Test func `reads that wait for each other get further readers`() throws {
    let store = try filled { $0.readerLimit = 2 }
    let inside = Shared(0)
    let counts = Shared<[Int]>([])
    let ends = (0..<5).map { _ in
      onOwnThread {
        do {
          try store.read { _ in
            inside.withLock { $0 += 1 }
            while inside.withLock({ $0 }) < 5 { sched_yield() }
            let count = try Car.count()
            counts.withLock { $0.append(count) }
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    for end in ends { #expect(end()) }
    #expect(counts.withLock { $0 } == Array(repeating: 3, count: 5))
  }

  @Test func `a read fails by name after the timeout if there are as many readers as may be`()
    async throws
  {
    let store = try filled {
      ($0.readerLimit, $0.maximumReaderCount, $0.busyTimeout) = (1, 2, 0.1)
    }
    let cursors = try (0..<2).map { _ in try Car.in(store).cursor() }
    let reads: [() throws -> Void] = [
      { _ = try Car.in(store).count() }, { try store.read { _ in } },
      { _ = try Car.in(store).cursor() }, { _ = try cursors[0].next()?.owner?.get() },
    ]
    for read in reads {
      let begun = ContinuousClock.now
      expectError(.readersHeld, read)
      let elapsed = ContinuousClock.now - begun
      #expect(elapsed >= .milliseconds(100) && elapsed < .seconds(20))
    }
    let error = await #expect(throws: NacreError.self) {
      try await store.read { _ in }
    }
    #expect(error?.code == .readersHeld)
    #expect(error?.detail?.contains("0 reads, 2 cursors") == true)
    cursors[1].close()
    #expect(try await Car.in(store).count() == 3)
    // Its writer is none of them.
    try scene.save(Car.create(), in: store)
  }

  @Test func `a read needs no reader but its own for all that is read in it`() throws {
    let store = try filled {
      ($0.readerLimit, $0.maximumReaderCount, $0.busyTimeout) = (1, 1, 0.1)
    }
    try store.read { (_) throws in
      let cars = try Car.cursor()
      while let car = try cars.next() { #expect(try car.owner?.get() != nil) }
      #expect(try store.read { _ in try Person.count() } == 3)
    }
    #expect(store.readerCount == 1)
  }

  @Test func `an async read needs no reader but its own for all that is read in it`() async throws {
    let store = try filled {
      ($0.readerLimit, $0.maximumReaderCount, $0.busyTimeout) = (1, 1, 0.1)
    }
    let count = try await store.read { (_) throws in
      let cars = try Car.cursor()
      while let car = try cars.next() { _ = try car.owner?.get() }
      return try store.read { _ in try Person.count() }
    }
    #expect(count == 3 && store.readerCount == 1)
  }

  @Test func `a cursor that can not begin gives its reader back`() throws {
    let store = try filled {
      ($0.readerLimit, $0.maximumReaderCount, $0.busyTimeout) = (1, 1, 0.1)
    }
    for _ in 0..<3 {
      expectError(.badStatement) { _ = try Car.where("nothing = 1").in(store).cursor() }
    }
    #expect(try Car.in(store).count() == 3)
  }
}
