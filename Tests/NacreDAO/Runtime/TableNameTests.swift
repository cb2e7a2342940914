import NacreCore
import NacreUpkeep
import TestSupport
import Testing

@testable import NacreDAO

/// A table whose name is one of SQL's own words.
@Suite struct TableNameTests {
  private static let methods = """
    <crypt class="Letter" property="content"/>
    <insert id="seal" arguments="m">
      insert into ${t} (id, content) values (#{m.msgId}, #{m.content})
    </insert>
    <select id="some" arguments="from" result="[int]">
      select ${T}.id from main.${T} <where><if true="from != nil">${T}.id >= #{from}</if></where>
      order by ${T}.id
    </select>
    <select id="letters" result="[:letterMap]">
      select id, content, 7 as uin, 0 as read from ${T}
    </select>
    <update id="index">
      <step>create index if not exists idx_${T} on ${T} (content)</step>
      <step>create index if not exists main.${T}_idx on ${T} (uin)</step>
    </update>
    <select id="kept" result="string">select '${T}' from "${T}", [${T}]</select>
    <select id="indexes" result="[string]">
      select name from sqlite_schema where type = 'index' and tbl_name = '${T}' order by name
    </select>
    """

  @Test(arguments: ["nacre_notes", "NACRE_Notes", "nacre_store", "sqlite_notes"])
  func `a name that the store keeps is refused`(name: String) throws {
    let desk = try Desk(methods: Self.methods)
    desk.dao.tableName = name
    #expect(desk.dao.call("seal", [Letter(msgId: 1, content: "text")]).code == .noTableName)
    #expect(desk.dao.forTable(name).call("some", [1]).code == .noTableName)
    #expect(
      try desk.store.read { try $0.schema(includesOwnTables: true) }.allSatisfy {
        $0.name != "nacre_notes"
      }
    )
    let configuration = "<module name=\"m\" tableName=\"\(name)\"></module>"
    #expect(throws: ConfigurationError.self) {
      try DAO(configuration: configuration, store: desk.store)
    }
  }

  @Test(arguments: ["order", "Group", "values", "notes"])
  func `a table may bear a word of SQL`(name: String) throws {
    let desk = try Desk(methods: Self.methods, attributes: "version=\"1.0\"")
    desk.dao.tableName = name
    for number in 1...3 {
      let letter = Letter(msgId: number, content: "text")
      #expect(desk.dao.call("seal", [letter]).error == nil)
    }
    #expect(try desk.dao.call("some", [2]).get() == [2, 3])
    #expect(try desk.dao.call("some", [nil]).get() == [1, 2, 3])
    #expect(desk.dao.call("index").error == nil)
    #expect(try desk.dao.call("kept").get() == name)
    #expect(try desk.dao.call("indexes").get() == ["\(name)_idx", "idx_\(name)"].sorted())
    #expect(try desk.store.rotate().outcome == .finished)
    #expect(try desk.store.verify().isSound)
    let contents = try desk.dao.call("letters").get(as: [Letter].self).map(\.content)
    #expect(contents == ["text", "text", "text"])
    #expect(desk.dao.deleteTable().error == nil)
    #expect(try !desk.dao.tableExists(name))
  }

  @Test func `a configuration's table may bear a word of SQL`() throws {
    let desk = try Desk(
      """
      <module name="m" tableName="order" initializer="make">
        <update id="make">create table if not exists ${T} (id)</update>
        <insert id="add" arguments="id">insert into ${T} values (#{id})</insert>
        <select id="all" result="[int]">select id from ${T}</select>
      </module>
      """
    )
    #expect(desk.dao.call("add", [1]).error == nil)
    #expect(try desk.dao.call("all").get() == [1])
  }

  @Test(arguments: ["a b", "x; drop table y", "a-b", "1a"])
  func `a configuration's table of no usable name is told with its place`(name: String) {
    let (text, places) = Configuration.places(
      in: "<module ‸tableName=\"\(name)\"><update id=\"m\">delete from ${T}</update></module>"
    )
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places)
    #expect(issues.first?.message.contains(name) == true)
  }

  @Test func `a name that is set and not usable is told by the call`() throws {
    let desk = try Desk(methods: "")
    desk.dao.tableName = "a b"
    let result = desk.dao.call("count")
    #expect(result.code == .noTableName)
    #expect("\(String(describing: result.error))".contains("a b"))
  }
}
