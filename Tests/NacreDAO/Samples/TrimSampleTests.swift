import Foundation
import NacreCore
import Testing

@testable import NacreDAO

/// `<where>`, `<set>` and `<trim>`.
@Suite struct TrimSampleTests {
  private static let conditions = """
    <if true="state != nil">
    state = #{state}
    </if>
    <if true="title != nil">
    AND title like #{title}
    </if>
    <if true="author != nil and author.name != nil">
    AND author_name like #{author.name}
    </if>
    """

  private func desk(_ opening: String, _ closing: String) throws -> Desk {
    try Desk(
      sample: """
        <select id="search" arguments="state, title, author" result="[string]">
        select title from ${T} \(opening)
        \(Self.conditions)
        \(closing)
        order by title
        </select>
        <insert id="add" arguments="title, author">
        insert into ${T} values ('ACTIVE', #{title}, #{author})
        </insert>
        """,
      columns: "state, title, author_name"
    )
  }

  @Test(arguments: [
    (#"<where onVoid="quit">"#, "</where>"),
    (#"<trim prefix="WHERE" prefixOverrides="AND | OR | and | or " onVoid="quit">"#, "</trim>"),
  ])
  func `a where has the conditions that hold, and as a trim it is the same`(
    opening: String,
    closing: String
  ) throws {
    let desk = try desk(opening, closing)
    desk.dao.call("add", ["Emma", "Jane"])
    desk.dao.call("add", ["Ulysses", "James"])
    let author = Author(name: "Ja%s")
    #expect(
      desk.statements(of: "search", [nil, nil, author])
        == ["select title from tableDemo WHERE author_name like ? order by title"]
    )
    #expect(try desk.dao.call("search", [nil, nil, author]).get() == ["Ulysses"])
    #expect(try desk.dao.call("search", ["ACTIVE", nil, nil]).get() == ["Emma", "Ulysses"])
    #expect(try desk.dao.call("search", ["ACTIVE", "E%", Author()]).get() == ["Emma"])
    #expect(desk.statements(of: "search", [nil, nil, nil]) == [])
    let quit = desk.dao.call("search", [nil, nil, nil])
    #expect(try quit.get(as: [String].self) == [] && quit.flags == [.void])
  }

  @Test func `onVoid leaves out what follows, and without it the statement goes on`() throws {
    let ignoring = try desk(
      #"<trim prefix="WHERE" prefixOverrides="AND | OR | and | or " onVoid="ignoreAfter">"#,
      "</trim>"
    )
    #expect(
      ignoring.statements(of: "search", [nil, nil, nil]) == ["select title from tableDemo"]
    )
    let going = try desk("<where>", "</where>")
    #expect(
      going.statements(of: "search", [nil, nil, nil])
        == ["select title from tableDemo order by title"]
    )
  }

  @Test func `the empty trims of the text are read with the comments beside them`() throws {
    let sql = try Configuration.sql(
      """
      select 1 <trim prefix="WHERE" prefixOverrides="AND | OR | and | or " onVoid="ignoreAfter">
      </trim>
      <!--
      is equivalent to<where>
      -->
      <trim prefix="SET" suffixOverrides=",">
      </trim>
      <!--
      is equivalent to<set>
      -->
      """
    )
    #expect(sql == "select 1")
  }

  // A221: two of the conditions say `false`, and hold where there is no name and no password.
  @Test(arguments: [("<set>", "</set>"), (#"<trim prefix="SET" suffixOverrides=",">"#, "</trim>")])
  func `a set has what its conditions say, literally, and no comma at its end`(
    opening: String,
    closing: String
  ) throws {
    let body = """
      \(opening)
      <if false="username != nil">username=#{username},</if>
      <if false="password != nil">password=#{password},</if>
      <if true="email != nil">email=#{email},</if>
      <if true="bio != nil">bio=#{bio},</if>
      \(closing)
      """
    var values: [String: Any?] = ["username": nil, "password": "p", "email": "e", "bio": "b"]
    #expect(try Configuration.sql(body, values).squeezed == "SET username=?, email=?, bio=?")
    #expect(try Configuration.statement(body, values).values == ["nil", "e", "b"])
    values = ["username": "u", "password": "p", "email": "e", "bio": nil]
    #expect(try Configuration.sql(body, values) == "SET email=?")
    values = ["username": "u", "password": "p", "email": nil, "bio": nil]
    #expect(try Configuration.sql(body, values) == "")
  }
}

/// `<sql>` and `<try>`.
@Suite struct FragmentSampleTests {
  @Test func `a fragment stands where it is named, and a global gives what no argument does`()
    throws
  {
    let desk = try Desk(
      sample: """
        <sql id="userColumns"> id,username,password </sql>
        <select id="selectUsers" result="{}">
        select ${userColumns}
        from some_table
        where id = #{id}
        </select>
        """,
      columns: "a"
    )
    try desk.store.write {
      try $0.execute("create table some_table (id, username, password, more)")
      try $0.execute("insert into some_table values (1, 'u', 'p', 'm')")
    }
    // A64: the sample has no arguments; its name comes from the globals, or the call fails.
    #expect(desk.dao.call("selectUsers").code == .badArgument)
    desk.dao.globalArguments = ["id": 1]
    let row: [String: Any] = try desk.dao.call("selectUsers").get()
    #expect(row.mapValues { "\($0)" } == ["id": "1", "username": "u", "password": "p"])
    #expect(
      desk.statements(of: "selectUsers", [])
        == ["select id,username,password from some_table where id = ?"]
    )
  }

  @Test func `a template that is there is updated and keeps its rowid`() throws {
    let desk = try Desk(
      sample: """
        <insert id="insertTemplates" arguments="templates" foreach="templates.model">
        <try>
        insert into ${T} (tplId, tplVersion, time, data, tag) values(%{'#{model.*}', tplId, tplVersion, time, data, tag})
        <except>
        update ${T} set %{'* = #{model.*}', data, tag} where tplId = #{model.tplId} and tplVersion = #{model.tplVersion}
        </except>
        </try>
        </insert>
        <select id="list" result="[string]">
        select rowid || tplId || time || data || tag from ${T} order by rowid
        </select>
        """,
      columns: "tplId, tplVersion, time int, data, tag, primary key (tplId, tplVersion)"
    )
    let first = [
      Template("a", "1", time: 10, data: "x", tag: "t"),
      Template("b", "1", time: 11, data: "y", tag: "t"),
    ]
    #expect(desk.dao.call("insertTemplates", [first]).flags == [.ran, .ran])
    let second = [
      Template("c", "1", time: 12, data: "z", tag: "t"),
      Template("a", "1", time: 13, data: "new", tag: "u"),
    ]
    #expect(desk.dao.call("insertTemplates", [second]).flags == [.ran, .excepted])
    #expect(try desk.dao.call("list").get() == ["1a10newu", "2b11yt", "3c12zt"])
  }
}
