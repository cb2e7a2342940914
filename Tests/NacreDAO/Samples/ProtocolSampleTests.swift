import Foundation
import NacreCore
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

/// The methods of every DAO, in the order of the protocol with which the original text ends.
@Suite struct ProtocolSampleTests {
  private func desk(in home: TestStore? = nil) throws -> Desk {
    try Desk(
      sample: """
        <insert id="insertMessage" arguments="model">
        insert into ${T} (id, content) values(#{model.msgId}, #{model.content})
        </insert>
        <select id="contents" result="[string]">select content from ${T} order by id</select>
        <select id="whose" result="string">select #{name} || @{name}</select>
        """,
      columns: "id integer primary key, content text",
      attributes: "version=\"1.0\"",
      in: home
    )
  }

  @Test func `a message goes in by its model, and how that ended comes back`() throws {
    let desk = try desk()
    let result: DAOResult = desk.dao.call("insertMessage", [MessageModel(1, "a")])
    #expect(result.succeeded && !result.failed && result.error == nil)
    let again = desk.dao.call("insertMessage", [MessageModel(1, "b")])
    #expect(again.failed && again.code == .constraint)
    #expect(try desk.contents == ["a"])
  }

  @Test func `table, file, connection, globals and methods are at hand`() throws {
    let desk = try desk()
    desk.dao.call("insertMessage", [MessageModel(5, "a")])
    #expect(desk.dao.tableName == "tableDemo")
    #expect(try desk.dao.databasePath == desk.store.path)
    // A252: the connection is lent to a closure.
    #expect(try desk.dao.store.read { try $0.query("select id from tableDemo") } == [[5]])
    desk.dao.globalArguments = ["name": "Ada"]
    #expect(try desk.dao.call("whose").get() == "AdaAda")
    #expect(desk.dao.lastInsertRowID == 5)
    #expect(
      desk.dao.allMethodsList == ["contents", "createTable", "insertMessage", "rows", "whose"]
    )
    desk.dao.tableName = "another"
    desk.dao.call("insertMessage", [MessageModel(6, "b")])
    #expect(try desk.contents == ["b"])
  }

  @Test func `the events of a table are told with the DAO that they are of`() throws {
    let events = Mutex<[String]>([])
    let note = { @Sendable (dao: DAO, event: DAOEvent) in
      let name =
        switch event {
        case .shouldUpgrade: "should upgrade"
        case .upgradeFailed: "upgrade failed"
        case .tableCreated: "created"
        case .tableDeleted: "deleted"
        }
      events.withLock { $0.append("\(dao.name): \(name)") }
    }
    let desk = try desk()
    desk.dao.eventHandler = note
    desk.dao.call("contents")
    desk.dao.deleteTable()
    desk.dao.call("contents")
    let next = try Desk(
      sample: "<upgrade toVersion=\"1.1\">alter table nowhere add a</upgrade>",
      columns: "id",
      attributes: "version=\"1.1\"",
      in: desk.home
    )
    next.dao.eventHandler = note
    #expect(next.dao.call("rows").failed)
    #expect(
      events.withLock { $0 } == [
        "demo: created", "demo: deleted", "demo: created", "demo: should upgrade",
        "demo: upgrade failed",
      ]
    )
  }

  @Test func `tables are deleted alone and by a pattern, and the file becomes smaller`() throws {
    let desk = try desk()
    let text = String(repeating: "x", count: 200_000)
    for table in ["chat_1", "chat_2", "tableDemo"] {
      desk.dao.tableName = table
      desk.dao.call("insertMessage", [MessageModel(1, text)])
    }
    #expect(desk.dao.deleteTable().succeeded)
    #expect(try desk.contents == [])
    let progress = Mutex<[Double]>([])
    let result = desk.dao.deleteTables(withRegex: "chat_.*", autovacuum: true) { part in
      progress.withLock { $0.append(part) }
    }
    #expect(result.succeeded && progress.withLock { $0.first == 0 && $0.last == 1 })
    #expect(try desk.store.read { try $0.query("pragma freelist_count") } == [[0]])
    desk.dao.vacuumDatabase()
    #expect(try desk.contents == [])
  }

  @Test func `many calls are one transaction, and connections stand by`() throws {
    let desk = try desk()
    #expect(desk.dao.daoTransaction(.begin).succeeded)
    desk.dao.call("insertMessage", [MessageModel(1, "a")])
    desk.dao.call("insertMessage", [MessageModel(2, "b")])
    #expect(desk.dao.daoTransaction(.commit).succeeded)
    #expect(try desk.contents == ["a", "b"])
    #expect(desk.dao.prepareParallelConnection().succeeded)
    #expect(desk.dao.prepareParallelConnection().succeeded)
  }
}
