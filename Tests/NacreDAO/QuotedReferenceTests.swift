import Testing

@testable import NacreDAO

/// A parameter in quotes or a comment is none, which is said when the configuration is read, where it is certain.
@Suite struct QuotedReferenceTests {
  private func check(_ body: String, parts: String = "") {
    let (text, places) = Configuration.places(
      in: "<module>\(parts)\n<update id='m'>\n\(body)</update></module>"
    )
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places, "\(body) \(issues)")
  }

  @Test(arguments: [
    "a like '‸#{x}'", "a like '%‸#{x}%' or b = '‸#{x.y or \"\"}'", "a = \"‸#{x}\"", "a = [‸#{x}]",
    "a = `‸#{x}`", "a = 'it''s ‸#{x}'", "a = '\"‸#{x}\"'", "a = '-- ‸#{x}'", "a = '/* ‸#{x} */'",
    "a = 1 -- ‸#{x}\n", "/* it's ‸#{x} */ a", "-- it's\na = '‸#{x}'", "/* ' */ a = '‸#{x}'",
    "a = '@{y}‸#{x}'", "a = @{y} and b = '‸#{x}'", "a = '${T}' and b = '‸#{x}'",
    "a = #{x} and b = '‸#{x}'", "a - '‸#{x}'", "a = '<if true='1'>‸#{x}</if>'",
    "<if true='1'>a = 'y'</if> b = '‸#{x}'", "<where>a = '‸#{x}'</where>",
    "a in <foreach item='i' collection='l' open='(' separator=',' close=')'>'‸#{i}'</foreach>",
    "a in (<foreach item='i' collection='l' separator=','>#{i}</foreach>) and '‸#{x}'",
    "<choose><when true='1'>'y'</when><otherwise>z</otherwise></choose> '‸#{x}'",
    "<choose><when true='y'>'a</when><otherwise>'b</otherwise></choose>‸#{x}'",
    "<trim prefix=\"'\" suffix=\"'\">‸#{x}</trim>", "update t <format pairs='p'/> where '‸#{x}'",
  ])
  func `a parameter in quotes or a comment is told with its place`(body: String) { check(body) }

  @Test(arguments: [
    "a = '' and b = #{x}", "a = 'it''s' and b = #{x}", "-- it's\nb = #{x}", "/* ' */ #{x}",
    "a = '--' and b = #{x}", "a = '/*' and b = #{x}", "[it's] = #{x}", "a = \"'\" and b = #{x}",
    "a = '\"' and b = #{x}", "a = `'` and b = #{x}", "a - -#{x}", "a / #{x} * 2",
    "a = '@{y}' and #{x}",
    // What these become is known when they are called alone.
    "<if true='y'>'</if>#{x}<if true='y'>'</if>", "@{y no \"\"}'#{x}'",
    "<foreach item='i' collection='l' separator=\"'\">#{i}</foreach>'#{x}'",
    "<foreach item='i' collection='l'>a -- it's\n</foreach>'#{x}'",
    "<trim suffixOverrides=\"'\">'</trim>'#{x}'", "<where>a -- it's\n</where> '#{x}'",
    "<choose><when true='y'>'</when><otherwise>a</otherwise></choose>#{x}'",
    "a like <choose><when true='p'>'%</when><otherwise>'</otherwise></choose>@{x}%' and id = #{id}",
    "<where><format pairs='p' prefix=\"'\"/></where>#{x}",
  ])
  func `a parameter that may stand outside of quotes is accepted`(body: String) { check(body) }

  @Test
  func `a quoted parameter in a fragment is told at its use, and quotes end with the statement`() {
    check(
      "<step>a = '</step><step>#{x} ‸${part}</step>",
      parts: "<sql id='part'>b = '#{y}'</sql>"
    )
    check("<try>a = '<except>b = #{x} '‸#{y}'</except></try>")
  }
}
