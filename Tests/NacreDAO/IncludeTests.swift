import NacreCore
import Testing

@testable import NacreDAO

/// `<include>` with properties, and tags inside of `<sql>`.
@Suite struct IncludeTests {
  private static let parts = """
    <const all="${own}, time"/>
    <sql id="own">id, name</sql>
    <sql id="columns">${alias}.id, ${alias}.name</sql>
    <sql id="both"><include refid="columns"/>, ${more}</sql>
    <sql id="more">${columns}, 1</sql>
    <sql id="conditions">
      <where><if true="a != nil">and ${alias}.a = #{a}</if><if true="b != nil">and b = #{b}</if></where>
    </sql>
    <sql id="plain"><where><if true="a != nil">a = #{a}</if></where></sql>
    <sql id="set"><bind name="c" value="1"/>#{c}</sql>
    <sql id="nested"><include refid="${which}"><property name="alias" value="${alias}2"/></include></sql>
    <sql id="end">a -- the last</sql>
    """

  private func sql(_ body: String) throws -> String {
    try Configuration.sql(body, ["a": 1, "b": nil, "c": 5], parts: Self.parts).squeezed
  }

  @Test(arguments: [
    ("select <include refid='own'/> from t", "select id, name from t"),
    ("select<include refid='own'/>from t", "select id, name from t"),
    (
      "select <include refid='columns'><property name='alias' value='t'/></include> from t",
      "select t.id, t.name from t"
    ),
    (
      "select <include refid='both'><property name='alias' value='u'/></include>",
      "select u.id, u.name , u.id, u.name, 1"
    ),
    (
      "select 1<include refid='conditions'><property name='alias' value='${T}'/></include>order by 1",
      "select 1 WHERE t.a = ? order by 1"
    ),
    ("a <include refid='plain'/> b", "a WHERE a = ? b"),
    ("<include refid='set'/> #{c}", "? ?"),
    (
      """
      <include refid='nested'><property name='which' value='columns'/>\
      <property name='alias' value='x'/></include>
      """, "x2.id, x2.name"
    ),
    (
      "<include refid='columns'><property name='alias' value='${all}'/></include>",
      "id, name, time.id, id, name, time.name"
    ),
    ("<include refid='end'/>b", "a -- the last b"), ("'<include refid='own'/>'", "'id, name'"),
    ("<if true='1'><include refid='plain'/></if>", "WHERE a = ?"),
  ])
  func `an include stands for the fragment, with its properties put in`(
    body: String,
    sql: String
  ) throws {
    #expect(try self.sql(body) == sql)
  }

  @Test func `a fragment's comment ends with it, and its texts stay one statement`() throws {
    let comment = try Configuration.sql("<include refid='end'/>b", parts: Self.parts)
    #expect(comment == "a -- the last\nb")
    let module = try Configuration.module(
      "<module>\(Self.parts)<update id='m'>a <include refid='own'/></update></module>"
    )
    let body = try #require(module.methods[.init(id: "m", arity: 0)]?.body)
    guard case .fixed = CompiledStatement(body.statements.first ?? [], "t") else {
      Issue.record("the statement is not the same at every call")
      return
    }
  }

  private func check(_ marked: String) {
    let (text, places) = Configuration.places(in: marked)
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places, "\(issues)")
  }

  @Test(arguments: [
    "<module><update id='m'>‸<include/></update></module>",
    "<module><update id='m'><include ‸refid='a'/></update></module>",
    "<module><const a='b'/><update id='m'><include ‸refid='a'/></update></module>",
    "<module><sql id='a'>b</sql><update id='m'><include refid='a' ‸id='c'>‸d‸<e/></include></update></module>",
    "<module><sql id='a'>b</sql><update id='m'><include refid='a'>‸<property value='c'/></include></update></module>",
    "<module><sql id='a'>b</sql><update id='m'><include refid='a'>‸<property name='c'/></include></update></module>",
    "<module><sql id='a'>b</sql><update id='m'><include refid='a'><property ‸name='T' value='c'/></include></update></module>",
    "<module><sql id='a'>b <include ‸refid='a'/></sql></module>",
    "<module><sql id='a'><include refid='b'/></sql><sql id='b'><include ‸refid='a'/></sql>\n</module>"
      .replacing("<include refid='b'/>", with: "<include ‸refid='b'/>"),
    "<module><sql id='a'><if true='1 ‸2'>b</if></sql></module>",
    "<module><sql id='a'><where>‸<step>b</step></where></sql></module>",
    "<module><sql id='a'><if true='1'>b</if></sql><update id='m'>‸${a}</update></module>",
    "<module><sql id='a'>${p}</sql><update id='m'>‸${a}<include refid='a'><property name='p' value='1'/></include></update></module>",
    "<module><sql id='a'>b ‸${p}</sql><update id='m'><include refid='a'/></update></module>",
    "<module><update id='m'><step>a</step>‸<include refid='a'/></update></module>",
    "<module><sql id='a'>b</sql><update id='m'><include refid='a'><property name='c' value='‸${d}'/></include></update></module>",
  ])
  func `a mistake in an include is told with its place`(marked: String) { check(marked) }

  @Test func `fragments that include each other twice end with an error`() {
    let parts = (1...40).map {
      "<sql id='a\($0)'><include refid='a\($0 - 1)'/><include refid='a\($0 - 1)'/></sql>"
    }
    let issues = Configuration.issues(
      "<module><sql id='a0'>laugh</sql>\(parts.joined(separator: "\n"))</module>"
    )
    #expect(issues.contains { $0.message.contains("bytes together") })
  }

  @Test func `a long chain of includes ends with an error`() {
    let parts = (1...300).map { "<sql id='a\($0)'><include refid='a\($0 + 1)'/></sql>" }
    let issues = Configuration.issues(
      "<module>\(parts.joined(separator: "\n"))<sql id='a301'>b</sql></module>"
    )
    #expect(issues.contains { $0.message.contains("levels deep") })
  }

  @Test func `methods share a condition, and each names its own column`() throws {
    let desk = try Desk(
      methods: """
        <sql id="named">
          <where>
            <foreach item="n" index="i" collection="names" separator="or">${column} = #{n}</foreach>
          </where>
        </sql>
        <select id="find" arguments="names" result="[int]">
          select id from ${T}
          <include refid="named"><property name="column" value="content"/></include>
          order by id
        </select>
        <delete id="remove" arguments="names">
          delete from ${T} <include refid="named"><property name="column" value="id"/></include>
        </delete>
        """
    )
    for (id, content) in ["a", "b", "c"].enumerated() { desk.dao.call("add", [id, content]) }
    #expect(try desk.dao.call("find", [["c", "a"]]).get() == [0, 2])
    #expect(desk.dao.call("remove", [[0, 1]]).succeeded)
    #expect(try desk.contents == ["c"])
  }
}
