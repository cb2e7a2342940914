import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// Selects with `parallel="true"`, which run on a connection that no transaction of their thread writes on.
@Suite struct ParallelTests {
  struct Inner: Codable, Equatable { var at: Date }
  struct Outer: Codable, Equatable { var inner: Inner }

  private static let methods = """
    <select id="other" parallel="true" result="int">select count(*) from ${T}</select>
    """

  private func desk(_ change: (inout StoreOptions) -> Void) throws -> Desk {
    let desk = try Desk(methods: Self.methods, in: TestStore(change))
    #expect(desk.dao.call("add", [1, "a"]).succeeded)
    return desk
  }

  @Test(.timeLimit(.minutes(10)))
  func `parallel selects inside of a read need no second connection, and see its state`() throws {
    let desk = try desk { $0.readerLimit = 1 }
    let counts = try desk.store.read { _ in
      let first = try desk.dao.call("other").get(as: Int.self)
      let second = try desk.dao.call("other").get(as: Int.self)
      return [first, second]
    }
    #expect(counts == [1, 1])
  }

  @Test func `parallel selects inside of a transaction see what was stored before it`() throws {
    let desk = try desk { $0.readerLimit = 1 }
    let count = try desk.store.write { _ in
      #expect(desk.dao.call("add", [2, "b"]).succeeded)
      return try desk.dao.call("other").get(as: Int.self)
    }
    #expect(count == 1)
  }

  @Test func `the first parallel select inside of a transaction makes its table, and finds it`()
    throws
  {
    let desk = try Desk(methods: Self.methods)
    let counts = try desk.store.write { (_) throws in
      [
        try desk.dao.call("other").get(as: Int.self),
        try desk.dao.forTable("more").call("other").get(as: Int.self),
      ]
    }
    #expect(counts == [0, 0])
    desk.dao.daoTransaction(.begin)
    #expect(try desk.dao.forTable("third").call("other").get() == 0)
    #expect(desk.dao.daoTransaction(.commit).succeeded)
  }

  @Test func `parallel selects read JSON as their own store writes it`() throws {
    let test = try TestStore { $0.json.dates = .iso8601 }
    let dao = try DAO(
      configuration: """
        <module>
          <select id="get" parallel="true" result="Outer">
            select '{"at":"1970-01-01T00:00:05Z"}' as inner
          </select>
        </module>
        """,
      store: test.store,
      models: [Outer.self]
    )
    // A read of another store is open on the thread, whose JSON is another.
    let other = try TestStore()
    let found = try other.store.read { _ in try dao.call("get").get(as: Outer.self) }
    let wanted = Outer(inner: Inner(at: Date(timeIntervalSince1970: 5)))
    #expect(found == wanted)
  }
}
