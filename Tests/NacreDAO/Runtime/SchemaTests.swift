import Foundation
import NacreCore
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

/// Methods that later headers of the original add.
@Suite struct SchemaTests {
  @Test func `a DAO for another table has what was set, and goes its own way`() throws {
    let desk = try Desk(
      methods: #"<select id="who" result="string">select #{who} || '@${T}'</select>"#
    )
    let events = Mutex<[String]>([])
    desk.dao.globalArguments = ["who": "Ada"]
    desk.dao.eventHandler = { dao, _ in events.withLock { $0.append(dao.tableName) } }
    let other = desk.dao.forTable("chat_1")
    #expect(other.tableName == "chat_1" && desk.dao.tableName == "notes")
    #expect(try other.call("who").get() == "Ada@chat_1")
    other.globalArguments = ["who": "Bob"]
    #expect(try desk.dao.call("who").get() == "Ada@notes")
    other.call("add", [5, "a"])
    #expect(other.lastInsertRowID == 5 && desk.dao.lastInsertRowID == 0)
    #expect(try desk.contents == [])
    #expect(events.withLock { $0 } == ["chat_1", "notes"])
    #expect(desk.dao.forTable("no name").call("add", [1, "a"]).code == .noTableName)
  }

  @Test func `rows that a call changed are counted`() throws {
    let desk = try Desk(
      methods: """
        <update id="rename" arguments="from">update ${T} set content = 'x' where id > #{from}</update>
        <update id="fail">update ${T} set id = 1</update>
        """
    )
    #expect(desk.dao.lastChangedRowCount == 0)
    // Of a loop those of its last element.
    desk.dao.call("addAll", [(1...5).map { Message.make($0, "a") }])
    #expect(desk.dao.lastChangedRowCount == 1)
    desk.dao.call("rename", [3])
    #expect(desk.dao.lastChangedRowCount == 2)
    #expect(desk.dao.call("fail").failed)
    desk.dao.call("count")
    #expect(desk.dao.lastChangedRowCount == 2)
    desk.dao.call("rename", [9])
    #expect(desk.dao.lastChangedRowCount == 0)
    desk.dao.call("rename", [0])
    #expect(desk.dao.lastChangedRowCount == 5)
    desk.dao.call("addAll", [[Message]()])
    #expect(desk.dao.lastChangedRowCount == 0)
  }

  @Test func `a statement that changes no rows counts none after one that did`() throws {
    let desk = try Desk(
      methods: """
        <update id="index">create index if not exists i on ${T} (content)</update>
        <update id="touch">update ${T} set content = 'x'</update>
        <update id="indexEach" arguments="list" foreach="list.e">
          create index if not exists i on ${T} (content)
        </update>
        <update id="touchAndIndex">
          <step>update ${T} set content = 'x'</step>
          <step>create index if not exists i on ${T} (content)</step>
        </update>
        <update id="indexAndTouch">
          <step>create index if not exists i on ${T} (content)</step>
          <step>update ${T} set content = 'x'</step>
        </update>
        """
    )
    desk.dao.call("addAll", [[Message.make(1, "a"), Message.make(2, "a")]])
    for (method, arguments, count) in [
      ("touch", [], 2), ("index", [], 0), ("touch", [], 2), ("indexEach", [[1, 2]], 0),
      ("touchAndIndex", [], 0), ("indexAndTouch", [], 2),
    ] as [(String, [Any?], Int)] {
      #expect(desk.dao.call(method, arguments).error == nil)
      #expect(desk.dao.lastChangedRowCount == count, "\(method)")
    }
  }

  @Test func `a table is looked up and its statement read, in any case`() throws {
    let desk = try Desk(methods: "", attributes: "version='1.0'")
    #expect(try !desk.dao.tableExists("notes"))
    desk.dao.call("add", [1, "a"])
    try desk.store.write { _ in try Message.make(1, "kept").save() }
    #expect(try desk.dao.tableExists("NOTES") && desk.dao.tableExists("Message"))
    // Of entities and the store's own a DAO makes nothing.
    let schema = try desk.dao.schema()
    #expect(schema.keys.sorted() == ["notes"])
    #expect(schema["notes"]?.hasPrefix("CREATE TABLE notes (id integer primary key") == true)
    #expect(try desk.dao.schema(ofTable: "Notes") == schema["notes"])
    #expect(try desk.dao.schema(ofTable: "Message") == nil)
  }

  @Test func `tables are deleted by name and by what a closure says`() throws {
    let desk = try Desk(methods: "", attributes: "version='1.0'")
    for name in ["chat_1", "chat_2", "chat_3", "notes"] {
      desk.dao.forTable(name).call("add", [1, "a"])
    }
    try desk.store.write { _ in try Message.make(1, "kept").save() }
    #expect(desk.dao.deleteTable(named: "CHAT_1").succeeded)
    #expect(desk.dao.deleteTable(named: "chat_1").code == .noTableName)
    #expect(desk.dao.deleteTable(named: "Message").code == .noTableName)
    #expect(desk.dao.deleteTable(named: "TableVersions").code == .noTableName)
    let seen = Mutex<[String]>([])
    let result = desk.dao.deleteTables(autovacuum: true) { name in
      seen.withLock { $0.append(name) }
      return name.hasSuffix("2")
    }
    #expect(result.succeeded && seen.withLock { $0 } == ["chat_2", "chat_3", "notes"])
    struct Stop: Error {}
    #expect(desk.dao.deleteTables { _ in throw Stop() }.error is Stop)
    #expect(try desk.dao.schema().keys.sorted() == ["chat_3", "notes"])
    let versions = "select name from TableVersions order by name"
    #expect(try desk.store.read { try $0.query(versions) } == [["chat_3"], ["notes"]])
  }

  @Test func `the async twins for tables do the same`() async throws {
    let desk = try Desk(methods: "")
    let dao = desk.dao
    await dao.call("add", [1, "a"])
    #expect(try await dao.tableExists("notes"))
    #expect(try await dao.schema().keys.sorted() == ["notes"])
    #expect(try await dao.schema(ofTable: "none") == nil)
    #expect(await dao.deleteTables(where: { $0 == "notes" }).succeeded)
    // The file is made smaller only where that is asked for.
    let free = try await desk.store.read { try $0.query("PRAGMA freelist_count") }
    #expect(free != [[.integer(0)]])
    await dao.call("add", [2, "b"])
    #expect(await dao.deleteTable(named: "Notes").succeeded)
    #expect(try await !dao.tableExists("notes"))
  }

  @Test func `stored properties are read whether they are public or not`() throws {
    final class Closed {
      private let content = "hidden"
      fileprivate let msgId = 3
    }
    let desk = try Desk(
      methods: """
        <insert id="addOne" arguments="model">
          insert into ${T} (id, content) values (#{model.msgId}, #{model.content})
        </insert>
        """
    )
    #expect(desk.dao.call("addOne", [Closed()]).succeeded)
    #expect(try desk.contents == ["hidden"])
  }

  @Test func `a full-text index is kept by a step of the method that inserts`() throws {
    let desk = try Desk(
      """
      <module tableName="mails" initializer="make">
        <update id="make">
          <step>create table if not exists ${T} (id integer primary key, content text)</step>
          <step>create virtual table if not exists search using fts5(content, content=${T}, content_rowid=id)</step>
        </update>
        <insert id="add" arguments="content">
          <step>insert into ${T} (content) values (#{content})</step>
          <step>insert into search (rowid, content) values (last_insert_rowid(), #{content})</step>
        </insert>
        <select id="find" arguments="word" result="[int]">
          select rowid from search where search match #{word}
        </select>
      </module>
      """
    )
    for content in ["a red car", "a blue car", "nothing"] {
      #expect(desk.dao.call("add", [content]).error == nil)
    }
    #expect(try desk.dao.call("find", ["car"]).get() == [1, 2])
    #expect(try desk.dao.call("find", ["blue"]).get() == [2])
  }

  @Test func `each call opens a connection that stands by, up to the limit`() throws {
    let desk = try Desk(methods: "")
    desk.dao.call("add", [1, "a"])
    let open = desk.store.readerCount
    #expect(desk.dao.prepareParallelConnection(autoclose: 1000).succeeded)
    #expect(desk.store.readerCount == open + 1)
    for _ in 0..<20 { desk.dao.prepareParallelConnection() }
    #expect(desk.store.readerCount == desk.store.options.readerLimit)
    try desk.store.close()
    #expect(desk.dao.prepareParallelConnection().code == .storeClosed)
  }

  @Test func `the last call says how soon connections are closed`() async throws {
    let desk = try Desk(methods: "")
    #expect(await desk.dao.prepareParallelConnection(autoclose: 80_000).succeeded)
    #expect(await desk.dao.prepareParallelConnection(autoclose: 0.01).succeeded)
    while desk.store.readerCount > 0 { await Task.yield() }
  }

  @Test func `connections that stand by are closed when nobody needs them`() async throws {
    let desk = try Desk(methods: "")
    for _ in 0..<2 {
      for _ in 0..<2 {
        #expect(await desk.dao.prepareParallelConnection(autoclose: 0.01).succeeded)
      }
      while desk.store.readerCount > 0 { await Task.yield() }
    }
    #expect(await desk.dao.call("add", [1, "a"]).succeeded)
    #expect(try await desk.dao.call("contents").get() == ["a"])
  }
}
