import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// What tags, values and fragments put side by side is not read as one.
@Suite struct JointTests {
  private func sql(_ body: String, parts: String = "") throws -> String {
    let values: [String: Any?] = ["l": [1, 2], "e": [Int](), "x": "x", "n": -1]
    return try Configuration.sql(body, values, parts: parts)
  }

  @Test(arguments: [
    ("5 -<if true='1'>-1</if>", "5 - -1"), ("5 -<if true='1'>-#{x}</if>", "5 - -?"),
    ("<if true='1'>5 -</if>-1", "5 - -1"),
    ("<if true='1'>5 -</if><if true='1'>-1</if>", "5 - -1"),
    ("5 -<if true='1'>@{n}</if>", "5 - -1"),
    ("5 /<if true='1'>* 1</if>", "5 / * 1"), ("'a'<if true='1'>'b'</if>", "'a' 'b'"),
    ("'a'@{x}", "'a' 'x'"), ("@{x}'b'", "'x' 'b'"), ("@{x}@{x}", "'x' 'x'"),
    ("\"a\"<where>\"b\"</where>", "\"a\"WHERE \"b\""), ("x<if true='1'>'41'</if>", "x '41'"),
    ("1<if true='1'>.5</if>", "1 .5"), ("1.<if true='1'>5</if>", "1. 5"),
    ("a &lt;<if true='1'>= 1</if>", "a < = 1"), ("a |<if true='1'>| b</if>", "a | | b"),
    (
      "<foreach item='i' collection='l' open='-' separator='-'>-@{i}</foreach>",
      "- -1- -2"
    ),
    ("t<if true='1'>.a</if>", "t.a"), ("a -<if true='1'>1</if>", "a -1"),
    ("'5 -<if true='1'>-1</if>'", "'5 --1'"), ("'it<if true='1'>''</if>s'", "'it''s'"),
  ])
  func `a tag or a value does not become a part of the token beside it`(
    body: String,
    sql: String
  ) throws {
    #expect(try self.sql(body) == sql)
  }

  @Test(arguments: [
    (
      "in <foreach item='i' collection='l' open='(' separator=',' close=')'>@{i} -- it's\n</foreach> or a",
      "in (1 -- it's\n,2 -- it's\n) or a"
    ),
    (
      "in <foreach item='i' collection='l' open='(' separator=',' close=')'>@{i} -- each</foreach>",
      "in (1 -- each\n,2 -- each\n)"
    ),
    ("<if true='1'>a -- first</if> and b", "a -- first\n and b"),
    ("<if true='1'>a -- first</if>\n and b", "a -- first\n and b"),
    ("<if true='1'>a -- first</if>#{x}", "a -- first\n?"),
    ("<where>a -- all\n</where>order by b", "WHERE a -- all\norder by b"),
    ("(<trim suffix=')' prefix='('>a -- all\n</trim>", "(( a -- all\n )"),
    ("<if true='1'>a -- b</if><trim prefixOverrides='and'>and c</trim>", "a -- b\nc"),
    ("a -- the <if true='1'>list</if> of all\n and b", "a -- the list of all\n and b"),
    ("a -- now <where>\nb</where>", "a -- now WHERE \nb"),
    ("a -- now <trim prefixOverrides='and'>\nand b</trim>", "a -- now \nb"),
    (
      "<choose><when true='0'>a -- b</when><otherwise>c -- d</otherwise></choose> #{x}",
      "c -- d\n ?"
    ),
    ("'<if true='1'>a -- b</if>'", "'a -- b'"), ("a <if true='1'>b -- c</if>", "a b -- c"),
  ])
  func `a comment that begins in a tag ends with it`(body: String, sql: String) throws {
    #expect(try self.sql(body) == sql)
  }

  @Test(arguments: [
    ("select ${all} from t", "select a, b -- both\n from t"),
    ("${all}\nfrom t", "a, b -- both\nfrom t"),
    ("${more}, d", "a, b -- both\n, c, d"), ("5 -${less}", "5 - -1"), ("${minus}-1", "5 - -1"),
    ("${minus}${less}", "5 - -1"), ("'5 -${less}'", "'5 --1'"),
    ("-- ${all} of\na", "-- a, b -- both of\na"),
    ("'${all}'", "'a, b -- both'"), ("a${number}", "a7"),
  ])
  func `a fragment swallows nothing that follows`(body: String, sql: String) throws {
    let parts = """
      <sql id="all">
        a, b -- both
      </sql>
      <sql id="more">${all}, c</sql><const less="-1" minus="5 -" number="7"/>
      """
    #expect(try self.sql(body, parts: parts) == sql)
  }

  @Test func `a statement whose loop has a comment in it finds what it names`() throws {
    let desk = try Desk(
      methods: """
        <select id="some" arguments="ids, least" result="[string]">
          select content from ${T} where id in
          <foreach item="id" collection="ids" open="(" separator="," close=")">
            #{id} -- don't look for more
          </foreach>
          and id -<if true="least != nil">-#{least}</if> > 0
        </select>
        """
    )
    for (id, content) in ["a", "b", "c"].enumerated() { desk.dao.call("add", [id, content]) }
    #expect(try desk.dao.call("some", [[0, 2], 0]).get() == ["c"])
    #expect(try desk.dao.call("some", [[0, 2], 1]).get() == ["a", "c"])
  }
}
