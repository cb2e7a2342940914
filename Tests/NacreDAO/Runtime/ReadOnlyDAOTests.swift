import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// DAOs inside of a read of their store.
@Suite(.timeLimit(.minutes(10))) struct ReadOnlyDAOTests {
  @Test func `a call that writes is refused inside of read, and stores nothing`() throws {
    let desk = try Desk(methods: "")
    #expect(desk.dao.call("add", [1, "a"]).succeeded)
    try desk.store.read { (_) throws in
      #expect(desk.dao.call("add", [2, "b"]).code == .transactionState)
      #expect(desk.dao.call("addAll", [[Letter(msgId: 3)]]).code == .transactionState)
      #expect(desk.dao.deleteTable().code == .transactionState)
      #expect(desk.dao.daoTransaction(.begin).code == .transactionState)
      #expect(desk.dao.vacuumDatabase().code == .transactionState)
      #expect(try desk.contents == ["a"])
    }
    #expect(try desk.contents == ["a"])
    try desk.store.write { _ in #expect(desk.dao.call("add", [2, "b"]).succeeded) }
    #expect(try desk.contents == ["a", "b"])
  }

  @Test func `the first select of a DAO makes its table, also inside of read`() throws {
    let desk = try Desk(methods: "")
    let counts = try desk.store.read { (_) throws in
      [
        try desk.dao.call("count").get(as: Int.self),
        try desk.dao.forTable("more").call("count").get(as: Int.self),
      ]
    }
    #expect(counts == [0, 0])
    #expect(desk.dao.call("add", [1, "a"]).succeeded)
  }

  @Test func `key-values are read inside of read, and not written`() throws {
    let home = try TestStore()
    let values = KeyValues(home.store)
    #expect(try home.store.read { _ in try values.get("k", as: String.self) } == nil)
    try values.set("v", forKey: "k")
    try home.store.read { (_) throws in
      let error = #expect(throws: NacreError.self) { try values.set("w", forKey: "k") }
      #expect(error?.code == .transactionState)
      #expect(try values.get("k", as: String.self) == "v")
    }
  }
}
