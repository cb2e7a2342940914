import Foundation
import NacreCore
import NacreUpkeep
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

@Suite struct TableTests {
  private func tables(_ store: Store) throws -> [[Value]] {
    try store.read { try $0.ownTables().map { [.text($0.name)] } }
  }

  private func versions(_ store: Store) throws -> [[Value]] {
    try store.read { try $0.query("select name, version from TableVersions order by name") }
  }

  /// A module of one version, with what leads to it.
  private func module(_ version: String, _ more: String = "", _ attributes: String = "") -> String {
    """
    <module tableName="t" initializer="make" version="\(version)" \(attributes)>
      <update id="make">create table ${T} (a text)</update>
      <insert id="add" arguments="a">insert into ${T} (a) values (#{a})</insert>
      <select id="columns" result="[string]">select name from pragma_table_info('${T}')</select>
      <select id="count" result="int">select count(*) from ${T}</select>
      \(more)
    </module>
    """
  }

  private static let upgrades = """
    <upgrade toVersion='1.10'><step>alter table ${T} add column d</step></upgrade>
    <upgrade toVersion='1.1'>alter table ${T} add column b</upgrade>
    <upgrade toVersion='1.9'>
      <step resumable="true">alter table ${T} add column a</step>
      <step>alter table ${T} add column c</step>
    </upgrade>
    """

  @Test func `the table is made at the first call, and once`() throws {
    let desk = try Desk(module("1.0"))
    let events = Events()
    events.follow(desk.dao)
    #expect(try tables(desk.store) == [])
    #expect(try desk.dao.call("count").get() == 0)
    desk.dao.call("add", ["x"])
    #expect(try versions(desk.store) == [["t", "1.0"]])
    let again = try Desk(module("1.0"), in: desk.home)
    #expect(try again.dao.call("count").get() == 1)
    #expect(events.all == ["created t"])
  }

  @Test func `each table that the DAO is set to is made`() throws {
    let desk = try Desk(methods: "")
    for name in ["chat_1", "chat_2", "notes"] {
      desk.dao.tableName = name
      #expect(desk.dao.tableName == name)
      desk.dao.call("add", [1, name])
    }
    desk.dao.tableName = "chat_1"
    #expect(try desk.contents == ["chat_1"])
    #expect(try tables(desk.store) == [["chat_1"], ["chat_2"], ["notes"]])
  }

  @Test func `without a usable name of a table a call fails`() throws {
    let desk = try Desk(
      """
      <module initializer="make">
        <update id="make">create table if not exists ${T} (a)</update>
        <insert id="add" arguments="a">insert into ${t} values (#{a})</insert>
      </module>
      """
    )
    for name in ["", "a b", "x; drop table y", "\"q\""] {
      desk.dao.tableName = name
      #expect(desk.dao.call("add", [1]).code == .noTableName)
    }
    desk.dao.tableName = "fine"
    #expect(desk.dao.call("add", [1]).succeeded)
  }

  @Test func `upgrades run in the order of their versions, those that are missing`() throws {
    let home = try TestStore()
    #expect(try Desk(module("1.0"), in: home).dao.call("add", ["x"]).succeeded)
    let earlier = Self.upgrades.replacing(/<upgrade toVersion='1.10'.*?upgrade>/, with: "")
    let second = try Desk(module("1.9", earlier), in: home)
    let events = Events()
    events.follow(second.dao)
    #expect(try second.dao.call("columns").get() == ["a", "b", "c"])
    #expect(events.all == ["should t 1.0 1.9"])
    let third = try Desk(module("1.10", Self.upgrades), in: home)
    #expect(try third.dao.call("columns").get() == ["a", "b", "c", "d"])
    #expect(try third.dao.call("count").get() == 1)
    #expect(try versions(home.store) == [["t", "1.10"]])
  }

  @Test func `a new table begins at the newest version`() throws {
    let desk = try Desk(module("1.10", Self.upgrades))
    #expect(try desk.dao.call("columns").get() == ["a"])
    #expect(try versions(desk.store) == [["t", "1.10"]])
  }

  @Test func `a table of a later version fails the call and names both`() throws {
    let home = try TestStore()
    #expect(try Desk(module("1.10"), in: home).dao.call("add", ["x"]).succeeded)
    let result = try Desk(module("1.9"), in: home).dao.call("add", ["y"])
    #expect(result.code == .newerTable)
    let text = "\(String(describing: result.error))"
    #expect(text.contains("1.10") && text.contains("1.9"))
    #expect(try versions(home.store) == [["t", "1.10"]])
    #expect(try Desk(module("1.10"), in: home).dao.call("count").get() == 1)
  }

  @Test func `an upgrade that fails changes nothing, tells so, and fails the call`() throws {
    let home = try TestStore()
    #expect(try Desk(module("1.0"), in: home).dao.call("add", ["x"]).succeeded)
    let bad = """
      <upgrade toVersion="1.1">
        <step>alter table ${T} add column b</step><step>alter table nowhere add column c</step>
      </upgrade>
      """
    let desk = try Desk(module("1.1", bad), in: home)
    let events = Events()
    events.follow(desk.dao)
    #expect(desk.dao.call("add", ["y"]).code == .badStatement)
    #expect(events.all == ["should t 1.0 1.1", "failed t"])
    #expect(try versions(home.store) == [["t", "1.0"]])
    #expect(try Desk(module("1.0"), in: home).dao.call("columns").get() == ["a"])
    #expect(try Desk(module("1.0"), in: home).dao.call("count").get() == 1)
  }

  @Test(arguments: ["true", "YES"])
  func `a table can be made anew instead of upgraded`(flag: String) throws {
    let home = try TestStore()
    #expect(try Desk(module("1.0"), in: home).dao.call("add", ["x"]).succeeded)
    let desk = try Desk(module("1.1", "", "resetOnUpgrade=\"\(flag)\""), in: home)
    let events = Events()
    events.follow(desk.dao)
    #expect(try desk.dao.call("count").get() == 0)
    #expect(try desk.dao.call("columns").get() == ["a"])
    #expect(events.all == ["should t 1.0 1.1", "deleted t", "created t"])
    #expect(try versions(home.store) == [["t", "1.1"]])
  }

  @Test(arguments: [("1.0", 0), ("1.2", 1), ("1.3", 1)])
  func `below a least version the table is made anew`(version: String, count: Int) throws {
    let home = try TestStore()
    #expect(try Desk(module(version), in: home).dao.call("add", ["x"]).succeeded)
    let upgrade = "<upgrade toVersion=\"1.5\">alter table ${T} add column z</upgrade>"
    let desk = try Desk(module("1.5", upgrade, "upgradeMinVersion=\"1.2\""), in: home)
    #expect(try desk.dao.call("count").get() == count)
    let columns = try desk.dao.call("columns").get(as: [String].self)
    #expect(columns == (count == 0 ? ["a"] : ["a", "z"]))
  }

  @Test func `a handler may call the DAO whose table is to be upgraded`() throws {
    let home = try TestStore()
    #expect(try Desk(module("1.0"), in: home).dao.call("add", ["x"]).succeeded)
    let upgrade = "<upgrade toVersion=\"1.1\">alter table ${T} add column z</upgrade>"
    let desk = try Desk(module("1.1", upgrade), in: home)
    desk.dao.eventHandler = { dao, _ in #expect(dao.call("count").succeeded) }
    #expect(try desk.dao.call("columns").get() == ["a", "z"])
  }

  @Test func `a deleted table is made anew by the next call, of any DAO`() throws {
    let desk = try Desk(module("1.0"))
    let events = Events()
    events.follow(desk.dao)
    let other = try Desk(module("1.0"), in: desk.home)
    desk.dao.call("add", ["x"])
    #expect(try other.dao.call("count").get() == 1)
    #expect(desk.dao.deleteTable().succeeded)
    #expect(try versions(desk.store) == [])
    #expect(try other.dao.call("count").get() == 0)
    #expect(desk.dao.call("add", ["y"]).succeeded)
    #expect(events.all == ["created t", "deleted t"])
  }

  @Test func `a table that another thread deletes while it is looked for is made again`() throws {
    let look = Mutex<(@Sendable () -> Void)?>(nil)
    let home = try TestStore {
      $0.trace = { event in
        guard case .profile(let sql, _) = event, sql.hasSuffix("\"name\" = ?1 COLLATE NOCASE")
        else { return }
        look.withLock { action in
          defer { action = nil }
          return action
        }?()
      }
    }
    let other = try Desk(methods: "", in: home)
    #expect(other.dao.call("add", [1, "a"]).succeeded)
    // The reader's statement is of the tables that are there now, so that it ends once.
    #expect(try home.store.read { try $0.hasTable("notes") })
    let desk = try Desk(methods: "", in: home)
    look.withLock {
      $0 = {
        let end = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          #expect(other.dao.deleteTable().succeeded)
          end.signal()
        }
        end.wait()
      }
    }
    #expect(try desk.dao.call("count").get() == 0)
    #expect(look.withLock { $0 == nil })
  }

  @Test func `a table that a rolled back transaction made is made again`() throws {
    let desk = try Desk(module("1.0"))
    #expect(desk.dao.daoTransaction(.begin).succeeded)
    desk.dao.call("add", ["x"])
    #expect(try desk.dao.call("count").get() == 1)
    #expect(desk.dao.daoTransaction(.rollback).succeeded)
    #expect(try tables(desk.store) == [])
    #expect(try desk.dao.call("count").get() == 0)
    desk.dao.daoTransaction(.begin)
    desk.dao.deleteTable()
    desk.dao.daoTransaction(.rollback)
    #expect(desk.dao.call("add", ["y"]).succeeded)
  }

  @Test func `tables are deleted whose whole names match`() throws {
    let desk = try Desk(methods: "", attributes: "version=\"1.0\"")
    for name in ["chat_1", "chat_22", "my_chat_3", "notes"] {
      desk.dao.tableName = name
      desk.dao.call("add", [1, String(repeating: "x", count: 100_000)])
    }
    try desk.store.write { _ in try Message.make(1, "kept").save() }
    let progress = Mutex<[Double]>([])
    let result = desk.dao.deleteTables(withRegex: "chat_\\d+", autovacuum: true) { part in
      progress.withLock { $0.append(part) }
    }
    #expect(result.succeeded)
    #expect(progress.withLock { $0 } == [0, 0.25, 0.5, 1])
    #expect(try tables(desk.store) == [["my_chat_3"], ["notes"]])
    #expect(try versions(desk.store) == [["my_chat_3", "1.0"], ["notes", "1.0"]])
    #expect(try desk.store.read { try $0.query("pragma freelist_count") } == [[0]])
    #expect(desk.dao.deleteTables(withRegex: ".*").succeeded)
    #expect(try tables(desk.store) == [])
    #expect(try desk.store.read { _ in try Message.count() } == 1)
    #expect(desk.dao.deleteTables(withRegex: "(").code == .badArgument)
  }

  @Test func `tables with sealed columns are deleted with the others`() throws {
    let sealed = """
      <crypt class="Letter" property="content"/>
      <insert id="addLetter" arguments="letter">
        insert into ${T} (id, content) values (#{letter.msgId}, #{letter.content})
      </insert>
      """
    let desk = try Desk(methods: sealed)
    for name in ["chat_1", "chat_2", "notes"] {
      desk.dao.tableName = name
      #expect(desk.dao.call("addLetter", [Letter(msgId: 1, content: "a")]).succeeded)
    }
    try desk.store.write { _ in try Message.make(1, "kept").save() }
    #expect(desk.dao.deleteTables(withRegex: "chat_.*").succeeded)
    #expect(try tables(desk.store) == [["notes"]])
    #expect(desk.dao.deleteTables(withRegex: ".*").succeeded)
    #expect(try tables(desk.store) == [])
    #expect(try desk.store.read { _ in try Message.count() } == 1)
    #expect(try desk.store.verify().isSound)
  }

  @Test func `free pages are given back`() throws {
    let desk = try Desk(methods: "")
    desk.dao.call("add", [1, String(repeating: "x", count: 100_000)])
    desk.dao.deleteTable()
    #expect(try desk.store.read { try $0.query("pragma freelist_count") } != [[0]])
    #expect(desk.dao.vacuumDatabase().succeeded)
    #expect(try desk.store.read { try $0.query("pragma freelist_count") } == [[0]])
    desk.dao.daoTransaction(.begin)
    #expect(desk.dao.vacuumDatabase().failed)
    desk.dao.daoTransaction(.rollback)
  }

  @Test func `the file and its connections are at hand`() throws {
    let desk = try Desk(methods: "")
    #expect(try desk.dao.databasePath == desk.home.directory.file("store.db"))
    desk.dao.call("add", [1, "a"])
    let rows = try desk.dao.store.read { try $0.query("select content from notes") }
    #expect(rows == [["a"]])
    #expect(desk.dao.prepareParallelConnection().succeeded)
  }

  @Test func `a transaction goes over several DAOs of one file`() throws {
    let desk = try Desk(methods: "")
    let other = try Desk(methods: "", in: desk.home)
    other.dao.tableName = "others"
    #expect(desk.dao.daoTransaction(.commit).code == .transactionState)
    #expect(desk.dao.daoTransaction(.begin).succeeded)
    #expect(other.dao.daoTransaction(.begin).code == .transactionState)
    desk.dao.call("add", [1, "a"])
    other.dao.call("add", [1, "a"])
    #expect(other.dao.daoTransaction(.rollback).succeeded)
    #expect(try desk.dao.call("count").get() == 0)
    #expect(try other.dao.call("count").get() == 0)
    desk.dao.daoTransaction(.begin)
    desk.dao.call("add", [1, "a"])
    other.dao.call("add", [1, "a"])
    #expect(desk.dao.daoTransaction(.commit).succeeded)
    #expect(try other.dao.call("count").get() == 1)
  }
}
