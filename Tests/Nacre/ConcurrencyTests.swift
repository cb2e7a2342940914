import Foundation
import Nacre
import Testing
import TestSupport

/// One store, many tasks and threads.
@Suite struct ConcurrencyTests {
  @Test func `many tasks write and read at once, and nothing is lost`() async throws {
    let test = try TestStore()
    let store = test.store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          try await store.write { _ in
            let car = Car.create()
            car.power = index
            car.vin = "VIN-\(index)"
            car.wheels = [Wheel.create(), Wheel.create()]
            try car.save()
          }
        }
        group.addTask {
          let cars = try await store.read { _ in
            try Car.fetchAll().map { ($0.power, $0.vin, $0.wheels.count) }
          }
          for (power, vin, wheels) in cars {
            #expect(vin == "VIN-\(power)")
            #expect(wheels == 2)
          }
        }
      }
      try await group.waitForAll()
    }
    let powers = try await store.read { _ in
      try Car.fetchValues(\.power, orderBy: "power")
    }
    #expect(powers == Array(0..<200))
  }

  @Test func `stores are opened, fail and close at once on many threads`() throws {
    DispatchQueue.concurrentPerform(iterations: 60) { index in
      do {
        let test = try TestStore()
        let node = Node.create()
        node.use(test.store)
        node.next = Node.create()
        try node.save()
        #expect(throws: NacreError.self) {
          try test.store.read { _ in try Node.fetchAll(where: "title = ? OR ?", index) }
        }
        #expect(throws: NacreError.self) {
          try test.store.write { _ in try Node.deleteAll(where: "nothing = 1") }
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func `objects are saved by an async call on the caller's own actor`() async throws {
    let test = try TestStore()
    let node = Node.create()
    node.use(test.store)
    node.title = "a"
    try await node.save()
    #expect(node.isStored)
    node.title = "b"
    try await node.save(cascade: false)
    let plan = try await node.deletionPlan()
    #expect(plan.count == 1)
    try await node.delete(cascade: true)
    #expect(try await test.store.read { _ in try Node.count() } == 0)
  }

  @Test func `objects come back from an async fetch and belong to the caller`() async throws {
    let test = try TestStore()
    try await test.store.write { _ in
      for title in ["a", "b"] {
        let node = Node.create()
        node.title = title
        try node.save()
      }
    }
    let nodes = try await test.store.read { _ in
      nonisolated(unsafe) let nodes = try Node.fetchAll(orderBy: "title")
      return nodes
    }
    #expect(nodes.map(\.title) == ["a", "b"])
    nodes[0].friend = Link(nodes[1])
    try await nodes[0].save()
    let found = try await test.store.read { _ in
      nonisolated(unsafe) let found = try Node.fetchOne(\.title, equals: "a")
      return found
    }
    #expect(try await found?.friend?.get().title == "b")
  }

  @Test func `a write returns what its closure returns`() async throws {
    let test = try TestStore()
    let store = test.store
    let count = try await store.write { _ in
      try Node.create().save()
      return try Node.count()
    }
    #expect(count == 1)
  }

  @Test func `a cancelled task leaves the queue of writers`() async throws {
    let test = try TestStore()
    let store = test.store
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.write { _ in try Node.count() }
    }
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try await store.write { _ in try Node.count() } == 0)
  }
}
