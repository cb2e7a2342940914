import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// SQL brings no parameters of its own: they would shift those of the references.
@Suite struct ParameterMarkTests {
  private func check(_ body: String, parts: String = "") {
    let (text, places) = Configuration.places(
      in: "<module>\(parts)\n<update id='m'>\n\(body)</update></module>"
    )
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places, "\(body) \(issues)")
  }

  @Test(arguments: [
    "a = ‸?", "a in (‸?, #{x})", "a = ‸?1", "a = ‸:name and b = #{x}", "a = ‸@x", "a = ‸$x",
    "a = #{x} and b > ‸?", "a = 'it''s' and b = ‸?", "a like '?' || ‸:x", "-- it's\na = ‸?",
    "/* ? */ a = ‸?", "<where>a = ‸?</where>", "<if true='x'>a = ‸:b</if>", "a = ‸:b + ‸:c",
    "(a, b) = (#{x}‸?, 1)", "a = \"?\" and ‸?", "[a?] = ‸?", "a = b‸:c", "a = b‸@c", "1 ‸#a",
    "a in <foreach item='i' collection='l' ‸open='(?, ' separator=',' close=')'>#{i}</foreach>",
    "a in <foreach item='i' collection='l' open='(' ‸separator=', ?, ' close=')'>#{i}</foreach>",
    "a in <foreach item='i' collection='l' open='(' ‸close=', :x)'>#{i}</foreach>",
    "a in <foreach item='i' collection='l' open='(' ‸empty='(?)' close=')'>#{i}</foreach>",
    "<trim ‸prefix='where ? and'>a</trim>", "<trim prefix='where' ‸suffix='and :x'>a</trim>",
    "<format ‸prefix='set a = ?,' pairs='p'/>", "a = #{x}‸1",
  ])
  func `a parameter that no reference binds is told with its place`(body: String) { check(body) }

  @Test(arguments: [
    "a = '?'", "a = ':name'", "a = \"a?\"", "[@x] = 1", "`$x` = 1", "-- ? :x\na", "/* @x */ a",
    "a$b = 1", "a -> '$.b'", "a like '%?%' and b = #{x}", "a = #{x} / 2 - :",
    "a = #{x}", "'<if true='1'>?</if>'", "<if true='y'>'</if>?<if true='y'>'</if>",
    "@{y no \"\"} ?", "a = @{x}1",
  ])
  func `a mark that is no parameter, or may be none, is accepted`(body: String) { check(body) }

  @Test func `an unbound parameter in a fragment is told where the fragment is used`() {
    check("a ‸${part}", parts: "<sql id='part'>b = ? and c = #{x}</sql>")
  }

  private static let module = """
    <module name="Notes" tableName="notes" initializer="make">
      <update id="make">create table if not exists ${T} (a, b, c)</update>
      <insert id="quoted" arguments="a, b, open">
        insert into ${T} (a, b) values (
        <if true="open">'</if>?<if true="open">'</if>, #{a})
      </insert>
      <insert id="raw" arguments="sql, a">
        insert into ${T} (a, b) values (@{sql no ""}, #{a})
      </insert>
      <insert id="behind" arguments="a, sql">
        insert into ${T} (a, b) values (#{a}, @{sql no ""})
      </insert>
      <insert id="number" arguments="a, b, digit">
        insert into ${T} (a, b) values (#{a}@{digit no ""}, #{b})
      </insert>
      <insert id="each" arguments="all" foreach="all.x">
        insert into ${T} (a) values (#{x})
      </insert>
      <select id="rows" result="[{}]">select a, b from ${T}</select>
    </module>
    """

  @Test(arguments: ["?", ":x", "@x", "$x", "?1", "?2", "?7", "'a', ?"])
  func `a parameter mark in an inserted text is refused at the call, with the place of the method`(
    sql: String
  ) throws {
    let desk = try Desk(Self.module)
    let result = desk.dao.call("raw", [sql, 1])
    #expect(result.code == .badStatement)
    #expect("\(String(describing: result.error))".contains("Notes.raw: line 7, column 3"))
    #expect(try desk.dao.call("rows").get(as: [[String: Any?]].self).isEmpty)
    #expect(desk.dao.call("raw", ["'?'", 1]).error == nil)
    #expect(desk.dao.call("raw", ["5", 1]).error == nil)
  }

  @Test func `a parameter mark that repeats another's value is refused at the call`() throws {
    let desk = try Desk(Self.module)
    #expect(desk.dao.call("behind", [1, "?1"]).code == .badStatement)
    #expect(desk.dao.call("behind", [1, "2"]).error == nil)
    #expect(try desk.store.read { try $0.query("select a, b from notes") } == [[1, 2]])
  }

  @Test func `a parameter mark is refused at a call that leaves it outside of quotes`() throws {
    let desk = try Desk(Self.module)
    #expect(desk.dao.call("quoted", [1, 2, false]).code == .badStatement)
    #expect(desk.dao.call("quoted", [1, 2, true]).error == nil)
    let rows = try desk.store.read { try $0.query("select a, b from notes") }
    #expect(rows == [["?", 1]])
  }

  @Test(arguments: [1, 2, 3])
  func `a digit behind a reference does not become its number`(digit: Int) throws {
    let desk = try Desk(Self.module)
    #expect(desk.dao.call("number", ["a", "b", digit]).code == .badStatement)
    #expect(desk.dao.call("number", ["a", "b", ""]).error == nil)
    #expect(try desk.store.read { try $0.query("select a, b from notes") } == [["a", "b"]])
  }
}
