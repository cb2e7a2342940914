import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// `<insert>`, `<update>`, `<delete>`, `<step>` and `<upgrade>`.
@Suite struct WriteSampleTests {
  /// The three methods, as they stand there.
  private static let methods = """
    <insert id="addMessages" arguments="messages" foreach="messages.model">
    insert or replace into ${T} (id, content, uin, read) values(#{model.msgId}, #{model.content}, #{model.uin}, #{model.read})
    </insert>
    <update id="createTable">
    <step>
    create table if not exists ${T} (id integer primary key, content text, uin integer, read boolean)
    </step>
    <step>
    create index if not exists uin_idx on ${T} (uin)
    </step>
    </update>
    <delete id="remove" arguments="msgId">
    delete from ${T} where msgId = #{msgId}
    </delete>
    """

  private func desk(_ methods: String = methods) throws -> Desk {
    try Desk(
      """
      <module name="demo" initializer="createTable" tableName="tableDemo">\(methods)
      <select id="rows" result="[{}]">select * from ${T} order by id</select>
      <select id="contents" result="[string]">select content from ${T} order by id</select>
      </module>
      """,
      models: [MessageModel.self]
    )
  }

  private let messages = [
    MessageModel(1, "a", uin: 7, read: true), MessageModel(2, "b", uin: 8, read: false),
  ]

  @Test func `an array of messages is stored by one call, once for each`() throws {
    let desk = try desk()
    #expect(desk.dao.call("addMessages", [messages]).succeeded)
    let insert =
      "insert or replace into tableDemo (id, content, uin, read) values(?, ?, ?, ?)"
    #expect(desk.statements(of: "addMessages", [messages]) == [insert, insert])
    let row = try #require(try desk.rows.last)
    #expect(row["id"] as? Int == 2 && row["uin"] as? Int == 8 && row["read"] as? Int == 0)
    #expect(desk.dao.call("addMessages", [[MessageModel(2, "new")]]).succeeded)
    #expect(try desk.contents == ["a", "new"])
    let index = "select tbl_name from sqlite_schema where name = 'uin_idx'"
    #expect(try desk.store.read { try $0.query(index) } == [["tableDemo"]])
  }

  @Test func `all messages of a call are one transaction`() throws {
    let desk = try desk(
      Self.methods.replacing("content text", with: "content text not null")
        .replacing("insert or replace", with: "insert")
    )
    let result = desk.dao.call("addMessages", [messages + [MessageModel(3, nil)]])
    #expect(result.code == .constraint)
    #expect(try desk.contents == [])
  }

  // A10: the table has a column `id`, and none `msgId`.
  @Test func `remove as it stands is a failed result, and with the right column it removes`() throws
  {
    let desk = try desk()
    desk.dao.call("addMessages", [messages])
    #expect(desk.dao.call("remove", [1]).code == .badStatement)
    #expect(try desk.contents == ["a", "b"])
    let right = try self.desk(Self.methods.replacing("where msgId", with: "where id"))
    right.dao.call("addMessages", [messages])
    #expect(right.dao.call("remove", [1]).succeeded)
    #expect(try right.contents == ["b"])
  }

  // MARK: - Steps and upgrades

  private func upgraded(
    to version: String,
    _ upgrade: String,
    columns: String = "a",
    in home: TestStore
  ) throws -> Desk {
    try Desk(
      sample: upgrade + """
        <select id="columns" result="[string]">select name from pragma_table_info('${T}')</select>
        """,
      columns: columns,
      attributes: "version=\"\(version)\"",
      in: home
    )
  }

  @Test(arguments: [
    ("a", ["a", "column1", "column2"]), ("a, column1", ["a", "column1", "column2"]),
    ("column2, column1", ["column2", "column1"]),
  ])
  func `a column that is there already does not stop an upgrade whose steps are resumable`(
    columns: String,
    after: [String]
  ) throws {
    let home = try TestStore()
    let old = try upgraded(to: "3.1", "", columns: columns, in: home)
    #expect(old.dao.call("rows").succeeded)
    let desk = try upgraded(
      to: "3.2",
      """
      <upgrade toVersion='3.2'>
      <step resumable="true">alter table ${T} add column1 text</step>
      <step resumable="true">alter table ${T} add column2 text</step>
      </upgrade>
      """,
      in: home
    )
    #expect(try desk.dao.call("columns").get() == after)
  }

  private static let upgrade = """
    <upgrade toVersion="1.1">
    <step>
    alter table...
    </step>
    <step>
    alter table...
    </step>
    </upgrade>
    """

  // The dots stand for what is not said.
  @Test func `the upgrade's sample with its dots fails the call and changes nothing`() throws {
    let home = try TestStore()
    #expect(try upgraded(to: "1.0", "", in: home).dao.call("rows").succeeded)
    let desk = try upgraded(to: "1.1", Self.upgrade, in: home)
    #expect(desk.dao.call("rows").code == .badStatement)
    let version = "select version from TableVersions"
    #expect(try home.store.read { try $0.query(version) } == [["1.0"]])
  }

  @Test func `the upgrade's sample with statements is run by the first call`() throws {
    let home = try TestStore()
    #expect(try upgraded(to: "1.0", "", in: home).dao.call("rows").succeeded)
    let upgrade = Self.upgrade.replacing(
      "alter table...",
      with: "alter table ${T} add b",
      maxReplacements: 1
    )
    .replacing("alter table...", with: "alter table ${T} rename column a to c")
    let desk = try upgraded(to: "1.1", upgrade, in: home)
    #expect(try desk.dao.call("columns").get() == ["c", "b"])
    let version = "select version from TableVersions"
    #expect(try home.store.read { try $0.query(version) } == [["1.1"]])
  }
}
