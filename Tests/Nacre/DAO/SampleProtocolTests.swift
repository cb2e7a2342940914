import Foundation
import Nacre
import NacreDAO
@testable import TestSupport
import Testing

// The protocols of the original text, as they stand there but for their language.

struct MessageModel: Codable, Sendable, Equatable {
  var msgId: Int?
  var content: String?
}

@DAO protocol DemoProtocol: DAOProtocol {
  func insertItem(_ content: String?) -> DAOResult
  func getItem(_ index: Int) throws -> String?
}

@DAO protocol MyDAOOperations: DAOProtocol {
  func insertMessage(_ model: MessageModel) -> DAOResult
  func find(_ id: Int?, time: Int?) throws -> MessageModel?
  func addMessages(_ messages: [MessageModel])
  func getMessage(_ msgId: Int) throws -> MessageModel?
}

@Suite(.sqliteOnly("a DAO keeps its tables in a file")) struct SampleProtocolTests {
  private let directory: TemporaryDirectory
  private let center: DataCenter

  init() throws {
    directory = try TemporaryDirectory()
    center = DataCenter(directory: directory.file("center"))
    center.currentUser = "ada"
  }

  // A8, A9: the column is called `idx`, and `content` is what is selected.
  @Test func `the first sample goes round through its protocol`() throws {
    let filePath = URL(fileURLWithPath: directory.file("demo_config.xml"))
    try Data(
      """
      <module name="Demo" initializer="createTable" tableName="demoTable" version="1.0">
      <update id="createTable">
      create table if not exists ${T} (idx integer primary key, content text)
      </update>
      <insert id="insertItem" arguments="content">
      insert into ${T} (content) values(#{content})
      </insert>
      <select id="getItem" arguments="index" result="string">
      select content from ${T} where idx = #{index}
      </select>
      </module>
      """.utf8
    ).write(to: filePath)
    let proxy = try center.dao((any DemoProtocol).self, config: filePath, userDependent: true)
    _ = proxy.insertItem("something")
    let lastIndex = proxy.lastInsertRowID
    #expect(try proxy.getItem(Int(lastIndex)) == "something")
    try center.close()
  }

  private static let messages = """
    <module name="demo" initializer="createTable" tableName="tableDemo" version="1.0">
    <crypt class="MessageModel" property="content"/>
    <map id="messageModelMap" result="MessageModel"><result property="msgId" column="id"/></map>
    <update id="createTable">
    create table if not exists ${T} (id integer primary key, content text, time integer default 2015)
    </update>
    <insert id="insertMessage" arguments="model">
    insert into ${T} (content) values(#{model.content})
    </insert>
    <insert id="addMessages" arguments="messages" foreach="messages.model">
    insert or replace into ${T} (id, content) values(#{model.msgId}, #{model.content})
    </insert>
    <select id="find" arguments="id, time" result=":messageModelMap">
    select * from ${T} where id = #{id} and time > @{time}
    </select>
    <select id="getMessage" arguments="msgId" result="MessageModel">
    select id as msgId, content from ${T} where id = #{msgId}
    </select>
    </module>
    """

  private func operations() throws -> any MyDAOOperations {
    try center.dao((any MyDAOOperations).self, config: Self.messages, userDependent: true)
  }

  @Test func `messages go in and out through their protocol, sealed on the way`() throws {
    let proxy = try operations()
    proxy.addMessages([MessageModel(msgId: 1234, content: "MARKER")])
    #expect(proxy.lastChangedRowCount == 1)
    #expect(try proxy.find(1234, time: 2014)?.content == "MARKER")
    #expect(try proxy.find(1234, time: 2015) == nil)
    #expect(proxy.insertMessage(MessageModel(content: "next")).succeeded)
    #expect(try proxy.getMessage(1235) == MessageModel(msgId: 1235, content: "next"))
    // The method that neither throws nor returns anything keeps silent; nothing was stored.
    center.currentUser = nil
    proxy.addMessages([MessageModel(msgId: 1, content: "lost")])
    center.currentUser = "ada"
    #expect(try proxy.getMessage(1) == nil)
    #expect(try proxy.store.verify().isSound)
    let path = try proxy.databasePath
    try center.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.range(of: Data("MARKER".utf8)) == nil)
  }

  @Test func `a proxy for another table is of the same protocol`() throws {
    let proxy = try operations()
    let other = proxy.forTable("chat_1")
    other.addMessages([MessageModel(msgId: 1, content: "a")])
    #expect(try proxy.getMessage(1) == nil)
    #expect(try other.getMessage(1)?.content == "a")
    #expect(proxy.tableName == "tableDemo" && other.tableName == "chat_1")
    #expect(try proxy.tableExists("Chat_1"))
    #expect(try proxy.schema().keys.sorted() == ["chat_1", "tableDemo"])
    #expect(try proxy.schema(ofTable: "chat_1") == other.schema()["chat_1"])
    #expect(proxy.prepareParallelConnection(autoclose: 1).succeeded)
    #expect(proxy.deleteTable(named: "chat_1").succeeded)
    #expect(proxy.deleteTables { $0.hasPrefix("table") }.succeeded)
    #expect(try proxy.schema().isEmpty)
    try center.close()
  }

  @Test func `the async twins of a proxy do the same`() async throws {
    let proxy = try operations()
    #expect(await proxy.call("getMessage", [1]).succeeded)
    #expect(try await proxy.tableExists("tableDemo"))
    #expect(try await proxy.schema().keys.sorted() == ["tableDemo"])
    #expect(try await proxy.schema(ofTable: "none") == nil)
    #expect(await proxy.prepareParallelConnection(autoclose: 1).succeeded)
    #expect(await proxy.deleteTables(where: { _ in false }).succeeded)
    #expect(await proxy.deleteTable(named: "tableDemo").succeeded)
    try await center.close()
  }

  @Test func `the methods of a data center seal for its proxies, too`() throws {
    try center.installDefault(
      encrypt: { _, type, property in .text("\(type).\(property)") },
      decrypt: { value, _, _ in value }
    )
    let proxy = try operations()
    proxy.addMessages([MessageModel(msgId: 1, content: "a")])
    #expect(try proxy.getMessage(1)?.content == "MessageModel.content")
    try center.close()
  }
}
