import Foundation
import NacreCore
import NacreOpen
import NacreRecords
import Testing
@testable import TestSupport

/// A class that no other test opens a store for.
private enum TaskPaper: PaperForm {
  static var text: SealedOptions? { nil }
  static var note: SealedOptions? { nil }
  static var number: SealedOptions? { nil }
}

/// Default stores that hold for one task.
@Suite(.timeLimit(.minutes(10))) struct TaskStoreTests {
  private func memory() throws -> Store { try Store.inMemory(options: .patient) }

  @Test func `each of many tasks has a default store of its own`() async throws {
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...8 {
        group.addTask {
          let store = try await Store.inMemory(options: .patient)
          return try await store.asDefault {
            for _ in 0..<number {
              let wheel = Wheel.create()
              wheel.size = number
              try await wheel.save()
              await Task.yield()
            }
            let sizes = try await Wheel.fetchAll().map(\.size)
            return sizes == Array(repeating: number, count: number) ? number : -1
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 36)
  }

  @Test func `a task's children use its store, and a thread does not know of it`() async throws {
    let store = try memory()
    let work: () throws -> Void = { try Wheel.create().save() }
    try await store.asDefault {
      try work()
      async let count = Wheel.count()
      #expect(try await count == 1)
      let other = Shared<Bool?>(nil)
      let end = onOwnThread { other.withLock { $0 = Store.default === store } }
      #expect(end())
      #expect(other.withLock { $0 } == false)
    }
    #expect(try await store.read { _ in try Wheel.count() } == 1)
  }

  @Test func `it is the default store in the closure alone, the innermost first`() throws {
    let (outer, inner) = (try memory(), try memory())
    #expect(Store.default !== outer)
    let result = try outer.asDefault {
      #expect(Store.default === outer)
      try inner.asDefault {
        #expect(Store.default === inner)
        try Wheel.create().save()
      }
      #expect(Store.default === outer)
      return try Wheel.count()
    }
    #expect(result == 0)
    #expect(Store.default !== outer && Store.default !== inner)
    #expect(try Wheel.in(inner).count() == 1)
    struct Stop: Error {}
    #expect(throws: Stop.self) { try outer.asDefault { () throws -> Void in throw Stop() } }
    #expect(Store.default !== outer)
  }

  @Test func `it comes before a store for a class, and after the block around a call`() throws {
    let archive = try TestStore { $0.entities = [Paper<TaskPaper>.self] }
    let (store, other) = (try memory(), try memory())
    try store.asDefault {
      try Paper<TaskPaper>.create().save()
      #expect(try Paper<TaskPaper>.count() == 1)
      try other.write { _ in try Wheel.create().save() }
      #expect(try Wheel.count() == 0)
      let wheel = Wheel.create()
      wheel.use(other)
      try wheel.save()
      #expect(try other.read { _ in try Wheel.count() } == 2)
    }
    #expect(try archive.store.read { _ in try Paper<TaskPaper>.count() } == 0)
    try archive.store.close()
  }

  @Test func `records, links and JSON use it`() throws {
    let store = try memory()
    try store.asDefault {
      var guest = Guest()
      guest.name = "Ada"
      try Table<Guest>().insert(contentsOf: [guest])
      let person = Person.create()
      person.code = "p"
      try person.save()
      #expect(try Link<Person>(objectID: person.objectID).get().code == "p")
    }
    #expect(try Table<Guest>().in(store).fetchAll().map(\.name) == ["Ada"])
  }

  @Test func `a closed store is no default store any more, by name`() throws {
    let store = try memory()
    try store.close()
    store.asDefault {
      let error = #expect(throws: NacreError.self) { try Wheel.create().save() }
      #expect(error?.code == .storeClosed)
    }
  }
}
