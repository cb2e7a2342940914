import Testing

@testable import NacreDAO

/// The SQL that stands in attributes.
@Suite struct AttributeTests {
  @Test(arguments: [
    (
      "a in <foreach item='i' collection='l' open='${open}' separator='${comma} ' close='${close}'>@{i}</foreach>",
      "a in (0, 1, 2)"
    ),
    (
      "a in <foreach item='i' collection='e' open='(' close=')' empty='${none}'>@{i}</foreach>",
      "a in (null)"
    ),
    ("<trim prefix='${set}' suffix='${close}'>a = 1</trim>", "set x = 0, a = 1 )"),
    ("<trim prefix='where' prefixOverrides='${words}'>or a</trim>", "where a"),
    (
      "<format prefix='${set}' pairs='p' join='${comma}'/>", "set x = 0, \"a\" = ?, \"b\" = ?"
    ),
    (
      "<foreach item='i' collection='l' open=\"%{'* = 0', x, y} \">@{i}</foreach>",
      "x = 0, y = 0 1 2"
    ),
  ])
  func `a constant stands in an attribute`(body: String, sql: String) throws {
    let parts = """
      <const open="(0, " close=")" comma="," none="(null)" words="and | or"/>
      <sql id="set">set x = 0,</sql>
      """
    let values: [String: Any?] = ["l": [1, 2], "e": [Int](), "p": ["a": 1, "b": 2]]
    #expect(try Configuration.sql(body, values, parts: parts).squeezed == sql)
  }

  @Test(arguments: [
    "<foreach item='i' collection='l' open='(‸#{x}, ' close=')'>#{i}</foreach>",
    "<foreach item='i' collection='l' separator=' ‸@{x} '>#{i}</foreach>",
    "<foreach item='i' collection='l' close=', ‸#{x.y})'>#{i}</foreach>",
    "<foreach item='i' collection='l' empty='‸#{x}'>#{i}</foreach>",
    "<foreach item='i' collection='l' open='‸${unknown}'>#{i}</foreach>",
    "<trim prefix='set a = ‸#{x}, '>b</trim>", "<trim suffix='‸@{x}'>b</trim>",
    "<trim prefixOverrides='‸#{x}'>b</trim>", "<trim prefix='update ‸${T} set'>b</trim>",
    "<trim prefix='‸${bound}'>b</trim>", "<format prefix='‸#{x}' pairs='p'/>",
    "<format pairs='p' join='‸@{x}'/>", "<trim prefix='‸${open'>b</trim>",
  ])
  func `a reference to a value in an attribute is told with its place`(body: String) {
    let (text, places) = Configuration.places(
      in: "<module><const bound='a = #{x}'/>\n<update id='m'>\n\(body)</update></module>"
    )
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places, "\(body) \(issues)")
  }

  @Test(arguments: [
    (", a = 1", "SET a = 1"), (",a = 1,", "SET a = 1"),
    ("<if true='0'>a = 1</if>, b = 2", "SET b = 2"),
    ("<if true='1'>, a = 1</if><if true='1'>, b = 2</if>", "SET a = 1, b = 2"), (",", ""),
  ])
  func `a set begins and ends without a comma`(body: String, sql: String) throws {
    #expect(try Configuration.sql("<set>\(body)</set>").squeezed == sql)
  }
}
