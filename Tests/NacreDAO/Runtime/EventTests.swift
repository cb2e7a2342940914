import NacreCore
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

/// When an event handler is told of tables that a transaction makes and deletes.
@Suite struct EventTests {
  private struct Stop: Error {}

  private func desk() throws -> (Desk, Events) {
    let desk = try Desk(methods: "", attributes: "version=\"1.0\"")
    let events = Events()
    events.follow(desk.dao)
    return (desk, events)
  }

  @Test func `a handler is told nothing of a transaction that is rolled back`() throws {
    let (desk, events) = try desk()
    desk.dao.daoTransaction(.begin)
    #expect(desk.dao.call("add", [1, "a"]).succeeded)
    desk.dao.daoTransaction(.rollback)
    #expect(throws: Stop.self) {
      try desk.store.write { (_) throws in
        #expect(desk.dao.call("add", [1, "a"]).succeeded)
        throw Stop()
      }
    }
    #expect(events.all == [])
    #expect(desk.dao.call("add", [1, "a"]).succeeded)
    #expect(events.all == ["created notes"])
    desk.dao.daoTransaction(.begin)
    #expect(desk.dao.deleteTable().succeeded)
    desk.dao.daoTransaction(.rollback)
    #expect(events.all == ["created notes"])
    #expect(try desk.contents == ["a"])
  }

  @Test func `a handler is told all of a transaction after its commit, in order`() throws {
    let (desk, events) = try desk()
    desk.dao.daoTransaction(.begin)
    desk.dao.call("add", [1, "a"])
    desk.dao.deleteTable()
    desk.dao.call("add", [2, "b"])
    #expect(events.all == [])
    #expect(desk.dao.daoTransaction(.commit).succeeded)
    let whole = ["created notes", "deleted notes", "created notes"]
    #expect(events.all == whole)
    try desk.store.write { (_) throws in
      #expect(desk.dao.deleteTable(named: "notes").succeeded)
      #expect(events.all == whole)
    }
    #expect(events.all == whole + ["deleted notes"])
  }

  @Test func `a handler is told nothing of what an inner transaction has undone`() throws {
    let (desk, events) = try desk()
    let other = desk.dao.forTable("others")
    try desk.store.write { (_) throws in
      #expect(throws: Stop.self) {
        try desk.store.write { (_) throws in
          #expect(desk.dao.call("add", [1, "a"]).succeeded)
          throw Stop()
        }
      }
      #expect(other.call("add", [1, "a"]).succeeded)
    }
    #expect(events.all == ["created others"])
  }

  @Test func `an event handler that a commit calls is outside of the transaction`() throws {
    let (desk, _) = try desk()
    let told = Mutex<[Bool]>([])
    desk.dao.eventHandler = { dao, _ in
      let isOutside = (try? dao.store.isWritingOnThisThread) == false
      told.withLock { $0.append(isOutside) }
      #expect(dao.call("add", [told.withLock { $0.count } + 10, "told"]).succeeded)
    }
    desk.dao.daoTransaction(.begin)
    desk.dao.call("add", [1, "a"])
    desk.dao.forTable("others").call("add", [1, "a"])
    #expect(desk.dao.daoTransaction(.commit).succeeded)
    try desk.store.write { (_) throws in _ = desk.dao.forTable("third").call("add", [1, "a"]) }
    #expect(told.withLock { $0 } == [true, true, true])
    #expect(try desk.contents == ["a", "told"])
  }

  @Test func `a handler is told of an asynchronous transaction after its commit`() async throws {
    let (desk, events) = try desk()
    let dao = desk.dao
    try await desk.store.write { (_) throws in
      #expect(dao.call("add", [1, "a"]).succeeded)
      #expect(events.all == [])
    }
    #expect(events.all == ["created notes"])
  }

  @Test func `an upgrade that is rolled back is told again when it is done again`() throws {
    let home = try TestStore()
    #expect(
      try Desk(methods: "", attributes: "version=\"1\"", in: home).dao.call("count").succeeded
    )
    let upgrade = "<upgrade toVersion=\"2\">alter table ${T} add column z</upgrade>"
    let desk = try Desk(methods: upgrade, attributes: "version=\"2\"", in: home)
    let events = Events()
    events.follow(desk.dao)
    desk.dao.daoTransaction(.begin)
    #expect(desk.dao.call("count").succeeded)
    desk.dao.daoTransaction(.rollback)
    #expect(desk.dao.call("count").succeeded)
    #expect(events.all == ["should notes 1 2", "should notes 1 2"])
  }

  @Test func `a handler is told of an upgrade before it begins`() throws {
    let home = try TestStore()
    let first = try Desk(methods: "", attributes: "version=\"1\"", in: home)
    #expect(first.dao.call("count").succeeded)
    let upgrade = "<upgrade toVersion=\"2\">alter table ${T} add column z</upgrade>"
    let desk = try Desk(methods: upgrade, attributes: "version=\"2\"", in: home)
    let column = "select name from pragma_table_info('notes') where name = 'z'"
    let told = Mutex<[Bool]>([])
    desk.dao.eventHandler = { dao, event in
      guard case .shouldUpgrade = event else { return }
      let rows = try? dao.store.read { try $0.query(column) }
      told.withLock { $0.append(rows?.isEmpty == true) }
    }
    #expect(desk.dao.call("count").succeeded)
    #expect(told.withLock { $0 } == [true])
    #expect(try home.store.read { try $0.query(column) } == [["z"]])
  }

  @Test func `a handler that uses the DAO that it is given does not keep it alive`() throws {
    let home = try TestStore()
    let told = Mutex<[String]>([])
    weak var first: DAO?
    weak var second: DAO?
    do {
      let desk = try Desk(methods: "", in: home)
      desk.dao.eventHandler = { dao, _ in
        #expect(dao.call("count").succeeded)
        told.withLock { $0.append(dao.tableName) }
      }
      let other = desk.dao.forTable("others")
      (first, second) = (desk.dao, other)
      #expect(other.call("add", [1, "a"]).succeeded)
      desk.dao.daoTransaction(.begin)
      #expect(desk.dao.call("add", [1, "a"]).succeeded)
      #expect(desk.dao.daoTransaction(.commit).succeeded)
    }
    #expect(told.withLock { $0 } == ["others", "notes"])
    #expect(first == nil && second == nil)
  }

  // MARK: - Upgrades that leave no table

  @Test(arguments: ["drop table ${T}", "alter table ${T} rename to gone"])
  func `an upgrade that leaves no table fails and is undone`(sql: String) throws {
    let home = try TestStore()
    let first = try Desk(methods: "", attributes: "version=\"1\"", in: home)
    #expect(first.dao.call("add", [1, "a"]).succeeded)
    let upgrade = "<upgrade toVersion=\"2\">\(sql)</upgrade>"
    let desk = try Desk(methods: upgrade, attributes: "version=\"2\"", in: home)
    let events = Events()
    events.follow(desk.dao)
    #expect(desk.dao.call("count").code == .migrationFailed)
    #expect(events.all == ["should notes 1 2", "failed notes"])
    #expect(try Desk(methods: "", attributes: "version=\"1\"", in: home).contents == ["a"])
    #expect(try !desk.dao.tableExists("gone"))
  }

  @Test func `a table that would be deleted and not made anew is kept`() throws {
    let home = try TestStore()
    let first = try Desk(methods: "", attributes: "version=\"1\"", in: home)
    #expect(first.dao.call("add", [1, "a"]).succeeded)
    let desk = try Desk(
      """
      <module tableName="notes" version="2" initializer="make" resetOnUpgrade="true">
        <update id="make">create table another (a)</update>
        <select id="count" result="int">select count(*) from ${T}</select>
      </module>
      """,
      in: home
    )
    let events = Events()
    events.follow(desk.dao)
    #expect(desk.dao.call("count").code == .migrationFailed)
    #expect(events.all == ["should notes 1 2", "failed notes"])
    #expect(try first.contents == ["a"])
    #expect(try !desk.dao.tableExists("another"))
  }
}
