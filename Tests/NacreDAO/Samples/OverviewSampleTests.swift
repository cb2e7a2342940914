import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// The samples with which the original text begins, from top to bottom.
@Suite struct OverviewSampleTests {
  /// The first configuration, as it stands there.
  private static let configuration = """
    <module name="Demo" initializer="createTable" tableName="demoTable" version="1.0">
    <update id="createTable">
    create table if not exists ${T} (index integer primary key, content text)
    </update>
    <insert id="insertItem" arguments="content">
    insert into ${T} (content) values(#{content})
    </insert>
    <select id="getItem" arguments="index" result="string">
    select * from ${T} where index = #{index}
    </select>
    </module>
    """

  private let directory: TemporaryDirectory
  private let center: DataCenter

  init() throws {
    directory = try TemporaryDirectory()
    center = DataCenter(directory: directory.file("center"))
  }

  private func proxy(_ configuration: String) throws -> DAO {
    let filePath = URL(fileURLWithPath: directory.file("demo_config.xml"))
    try Data(configuration.utf8).write(to: filePath)
    return try center.dao(config: filePath, userDependent: true)
  }

  // A8: `index` is a reserved word.
  @Test func `the first sample as it stands fails with the database's own error`() throws {
    let proxy = try proxy(Self.configuration)
    center.currentUser = "ada"
    let result = proxy.call("insertItem", ["something"])
    #expect(result.code == .badStatement)
    let text = "\(String(describing: result.error))"
    #expect(text.contains("Demo") && text.contains("index"))
    #expect(proxy.lastInsertRowID == 0)
    #expect(proxy.call("getItem", [1]).code == .badStatement)
    try center.close()
  }

  // A8: the column is called `idx`. A9: a string is the first column, so that `content` is what is selected.
  @Test func `the first sample goes round from its file, for the current user`() throws {
    let proxy = try proxy(
      Self.configuration.replacing("(index integer", with: "(idx integer")
        .replacing("where index =", with: "where idx =")
        .replacing("select *", with: "select content")
    )
    center.currentUser = "ada"
    #expect(proxy.call("insertItem", ["something"]).succeeded)
    let lastIndex = proxy.lastInsertRowID
    let content: String = try proxy.call("getItem", [lastIndex]).get()
    #expect(content == "something")
    try center.close()
  }

  // A9: of `select *` a string is the first column.
  @Test func `select * as a string is the first column, not the second`() throws {
    let proxy = try proxy(
      Self.configuration.replacing("(index integer", with: "(idx integer")
        .replacing("where index =", with: "where idx =")
    )
    center.currentUser = "ada"
    proxy.call("insertItem", ["something"])
    #expect(try proxy.call("getItem", [1]).get(as: String.self) == "1")
    try center.close()
  }
}

/// `<module>` and `<const>`.
@Suite struct ModuleSampleTests {
  private static func module(_ version: String) -> String {
    """
    <module name="demo" initializer="createTable" tableName="tableDemo" version="\(version)" \
    resetOnUpgrade="true" upgradeMinVersion="1.2">
    <const table_columns="(id, time, content, uin, read)"/>
    <update id="createTable">create table if not exists ${t} ${table_columns}</update>
    <insert id="add" arguments="id">
    insert into ${T} ${table_columns} values(#{id}, 2014, 'text', 7, 0)
    </insert>
    <select id="ids" result="[int]">select id from ${T}</select>
    </module>
    """
  }

  @Test func `the module's sample makes its table at the first call and anew at a new version`()
    throws
  {
    let home = try TestStore()
    let desk = try Desk(Self.module("1.5"), in: home)
    #expect(desk.dao.name == "demo")
    #expect(desk.dao.call("add", [1]).succeeded)
    let versions = "select name, version from TableVersions"
    #expect(try home.store.read { try $0.query(versions) } == [["tableDemo", "1.5"]])
    #expect(try Desk(Self.module("1.5"), in: home).dao.call("ids").get() == [1])
    #expect(try Desk(Self.module("1.6"), in: home).dao.call("ids").get(as: [Int].self) == [])
    #expect(try home.store.read { try $0.query(versions) } == [["tableDemo", "1.6"]])
  }

  @Test func `the constant's sample is put in wherever it is named`() throws {
    let desk = try Desk(Self.module("1.5"))
    desk.dao.call("ids")
    let statements = desk.home.statements { desk.dao.call("add", [1]) }
    #expect(
      statements == [
        "insert into tableDemo (id, time, content, uin, read) values(?, 2014, 'text', 7, 0)"
      ]
    )
  }

  @Test func `one configuration serves the messages of any number of conversations`() throws {
    let desk = try Desk(
      Self.module("1.5").replacing("tableName=\"tableDemo\"", with: "tableName=\"\"")
    )
    #expect(desk.dao.call("ids").code == .noTableName)
    for (id, table) in ["chat_1", "chat_2"].enumerated() {
      desk.dao.tableName = table
      #expect(desk.dao.call("add", [id]).succeeded)
    }
    #expect(try desk.dao.call("ids").get() == [1])
    desk.dao.tableName = "chat_1"
    #expect(try desk.dao.call("ids").get() == [0])
  }
}
