import Foundation
import Testing

@testable import NacreDAO

@Suite struct ModuleReaderTests {
  /// A configuration with a mark before each place where something is wrong, and pieces of the messages, in order.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let marked: String
    let messages: [String]
    var testDescription: String { messages.joined(separator: "; ") }

    init(_ marked: String, _ messages: String...) {
      self.marked = marked
      self.messages = messages
    }

    /// In a method without arguments.
    static func body(_ marked: String, _ messages: String...) -> Mistake {
      Mistake("<module>\n<update id='m'>\(marked)</update></module>", messages)
    }

    private init(_ marked: String, _ messages: [String]) {
      self.marked = marked
      self.messages = messages
    }
  }

  private func check(_ mistake: Mistake) {
    let (text, places) = Configuration.places(in: mistake.marked)
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places, "\(issues)")
    for (issue, message) in zip(issues, mistake.messages) {
      #expect(issue.message.contains(message))
    }
    #expect(issues.count == mistake.messages.count)
  }

  @Test(arguments: [
    Mistake("<!-- -->\n‸<mapper/>", "the root is <mapper>"),
    Mistake("<module name='a' ‸table='b'/>", "tableName, version, resetOnUpgrade"),
    Mistake("<module ‸xmlns='urn:a'/>", "no attribute “xmlns”"),
    Mistake("<module ‸initializer='make'><insert id='make'/></module>", "not an <update> without"),
    Mistake(
      "<module ‸initializer='make'><update id='make' arguments='a'/></module>",
      "“make” is not an <update> without"
    ),
    Mistake("<module ‸version='1.x'/>", "“1.x” is not a version"),
    Mistake("<module ‸version='1..2'/>", "numbers with dots"),
    Mistake("<module version='1.0' ‸upgradeMinVersion='a'/>", "“a” is not a version"),
    Mistake("<module version='1.9' ‸upgradeMinVersion='1.10'/>", "later than the version 1.9"),
    Mistake("<module ‸upgradeMinVersion='1.10'/>", "needs a version"),
    Mistake("<module ‸resetOnUpgrade='maybe'/>", "true or false"),
    Mistake("<module>\n  ‸text</module>", "text can't stand in <module>"),
    Mistake("<module>\n ‸<procedure/></module>", "<const>, <sql>, <map>, <crypt>, <upgrade>"),
    Mistake("<module>‸<step/>‸<if true='1'/></module>", "<step>", "<if>"),
  ])
  func `a mistake in module is told with its place`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("<module>‸<const/></module>", "needs a name and a value"),
    Mistake("<module><const a='1' ‸T='2'/></module>", "the table's name"),
    Mistake("<module><sql ‸id='t'>a</sql></module>", "the table's name"),
    Mistake("<module><const ‸a-b='1'/></module>", "“a-b” can't be the name"),
    Mistake("<module><const a='1'/><sql ‸id='a'/></module>", "defined twice"),
    Mistake("<module><const a='1'>‸x‸<b/></const></module>", "text", "<b>"),
    Mistake("<module>‸<sql>a</sql></module>", "needs the attribute “id”"),
    Mistake("<module><sql id='a' ‸b=''>‸<step/></sql></module>", "takes id", "<step>"),
    Mistake("<module><const a='b ‸${c}'/></module>", "no <const> or <sql> “c”"),
    Mistake("<module><const a='‸${ }'/></module>", "no <const> or <sql> “”"),
    Mistake("<module><const a='‸${b'/></module>", "has no “}”"),
    Mistake("<module><sql id='a'>${b}</sql><const b=' ‸${a}'/></module>", "circle: a → b → a"),
    Mistake("<module><const a='‸${a}'/></module>", "circle: a → a"),
    Mistake("<module><const a=\"‸%{'*'}\"/></module>", "a comma and names are missing"),
    Mistake("<module><const a='‸%{*, a}'/></module>", "format in single quotes"),
    Mistake("<module><const a=\"‸%{'*, a}\"/></module>", "format in single quotes"),
    Mistake("<module><const a=\"‸%{'*', a,, b}\"/></module>", "a name is missing"),
    Mistake("<module><const a=\"‸%{'*', a\"/></module>", "has no “}”"),
    .body("\n a ‸${unknown}", "no <const> or <sql> “unknown”"),
    .body("‸%{'*'}", "a comma and names are missing"),
  ])
  func `a mistake in const and sql is told with its place`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("<module>‸<update/></module>", "needs the attribute “id”"),
    Mistake("<module>‸<update id=' '/></module>", "needs the attribute “id”"),
    Mistake("<module><update id='a' ‸result='int'/></module>", "takes id, arguments, foreach"),
    Mistake("<module><insert id='a' ‸parallel='true'/></module>", "takes id, arguments, foreach"),
    Mistake("<module><select id='a' ‸parallel='2'/></module>", "true or false"),
    Mistake(
      "<module>\n<update id='a' arguments='b'/>\n‸<select id='a' arguments='c'/></module>",
      "line 2 has a method “a” with 1 argument, too"
    ),
    Mistake("<module><update id='a' ‸arguments='b,'/></module>", "“” can't be the name"),
    Mistake("<module><update id='a' ‸arguments='b c'/></module>", "“b c” can't be the name"),
    Mistake("<module><update id='a' ‸arguments='$'/></module>", "can't be the name"),
    Mistake("<module><update id='a' ‸arguments='b, $b'/></module>", "two arguments “b”"),
    Mistake("<module><select id='a' ‸result='[int'/></module>", "“[int” is not a result"),
    Mistake("<module><select id='a' ‸result='[]'/></module>", "long long, bool"),
    Mistake("<module><select id='a' ‸result='a b'/></module>", "is not a result"),
    Mistake("<module><select id='a' ‸result='[:b]'/></module>", "no <map> “b”"),
    Mistake("<module><update id='a' arguments='b' ‸foreach='b'/></module>", "collection.item"),
    Mistake("<module><update id='a' arguments='b' ‸foreach='b.c.d'/></module>", "collection.item"),
    Mistake(
      "<module><update id='a' arguments='b' ‸foreach='c.d'/></module>",
      "“c” of foreach is not an argument"
    ),
    Mistake(
      "<module><update id='a' arguments='b, c' ‸foreach='b.c'/></module>",
      "“c” of foreach has the name of an argument"
    ),
  ])
  func `a mistake in a method is told with its place`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("<module><map ‸a='1' id='m' result='A'/></module>", "takes id, result"),
    Mistake("<module>‸<map result='A'/></module>", "needs the attribute “id”"),
    Mistake("<module>‸<map id='m'/></module>", "needs the attribute “result”"),
    Mistake("<module><map id='m' result='A'>‸a‸<b/></map></module>", "text", "<result> can"),
    Mistake("<module><map id='m' result='A'>‸<result column='b'/></map></module>", "“property”"),
    Mistake("<module><map id='m' result='A'>‸<result property='b'/></map></module>", "“column”"),
    Mistake(
      "<module><map id='m' result='A'><result property='a' column='c'/>"
        + "‸<result property='b' column='c'/></map></module>",
      "“c” is mapped twice"
    ),
    Mistake(
      "<module><map id='m' result='A'/>\n‸<map id='m' result='B'/></module>",
      "another <map>"
    ),
    Mistake("<module>‸<crypt property='a'/></module>", "needs the attribute “class”"),
    Mistake("<module>‸<crypt class='A'/></module>", "needs the attribute “property”"),
    Mistake("<module><crypt class='A' property='a' ‸key='b'>‸x</crypt></module>", "“key”", "text"),
    Mistake(
      "<module><crypt class='A' property='content'/><update id='m'>\n a = ‸@{model.content}"
        + "<if true='1'> b = ‸@{x.y.content no \"\"}</if> #{model.content} @{content}</update></module>",
      "write #{model.content}",
      "write #{x.y.content}"
    ),
    Mistake("<module version='1'>‸<upgrade>a</upgrade></module>", "“toVersion”"),
    Mistake("<module version='1'><upgrade ‸toVersion='x'>a</upgrade></module>", "is not a version"),
    Mistake(
      "<module version='1.9'><upgrade ‸toVersion='1.10'/></module>",
      "later than the module's"
    ),
    Mistake(
      "<module version='1.1'><upgrade toVersion='1.1'/>\n‸<upgrade toVersion='1.1.0'/></module>",
      "another <upgrade> leads to 1.1"
    ),
    Mistake("‸<module><upgrade toVersion='1'/></module>", "<module> has no version"),
    Mistake(
      "<module version='1' resetOnUpgrade='YES'>‸<upgrade toVersion='1'/></module>",
      "an <upgrade> would never run"
    ),
    Mistake(
      "<module version='1'><upgrade toVersion='1'>‸<try>a<except>b</except></try></upgrade></module>",
      "<try> can't stand in <upgrade>"
    ),
  ])
  func `a mistake in map, crypt and upgrade is told with its place`(mistake: Mistake) {
    check(mistake)
  }

  @Test(arguments: [
    Mistake.body("<step>a</step>\n ‸b\n<step>c</step>", "text can't stand beside <step>"),
    .body("<step>a</step>‸<if true='1'>b</if>", "<if> can't stand beside <step>"),
    .body("<step>‸<step>a</step></step>", "<step> can't stand in <step>"),
    .body("<if true='1'>‸<step>a</step></if>", "<step> can't stand in <if>"),
    .body("<step ‸resumable='perhaps'>a</step>", "true or false"),
    .body("<step ‸resume='true'>a</step>", "takes resumable"),
    Mistake(
      "<module><select id='a'>‸<step>b</step></select></module>",
      "<if>, <choose>, <foreach>"
    ),
    .body(
      "‸a<try>b<except>c</except></try>‸d",
      "text can't stand beside <try>",
      "text can't stand beside <try>"
    ),
    .body("<try>b<except>c</except></try>‸<if true='1'/>", "<if> can't stand beside <try>"),
    .body("<try>b<except>c</except></try>\n‸<try>d<except>e</except></try>", "only one <try>"),
    .body("<try>b<except>c</except>‸<except>d</except></try>", "only one <except>"),
    .body("‸<try>b</try>", "needs an <except>"),
    .body("<try ‸a=''>b<except ‸b=''>c</except></try>", "takes none", "takes none"),
    .body("‸<except>c</except>", "<except> can't stand in <update>"),
    .body("<where>‸<try>b<except>c</except></try></where>", "<try> can't stand in <where>"),
  ])
  func `a mistake in step, try and except is told with its place`(mistake: Mistake) {
    check(mistake)
  }

  @Test(arguments: [
    Mistake.body("‸<if>a</if>", "needs one of"),
    .body("‸<if true='1' false='0'>a</if>", "needs one of"),
    .body("<if ‸test='1' true='1'>a</if>", "takes true, false"),
    .body("<if true='a and ‸'>b</if>", "a value is missing before the end"),
    .body("<if true='a ‸= 1'>b</if>", "write =="),
    .body("<if true=' ‸#{a}'>b</if>", "“#” can't stand here"),
    .body("<if false='a &lt; &quot;‸'>b</if>".replacing("&quot;", with: ""), "a value is missing"),
    .body("<if true=\"‸'a\">b</if>", "no closing quote"),
    .body("<if true='‸'>b</if>", "the expression is empty"),
    .body("‸<loop/>", "<trim>, <format>, <bind>, <include> can"),
    .body("‸<when true='1'/>‸<otherwise/>", "<when>", "<otherwise>"),
    .body("‸<choose></choose>", "needs a <when>"),
    .body("‸<choose ‸a='1'>‸b‸<if true='1'/></choose>", "<when>", "none", "text", "<otherwise>"),
    .body("<choose><when true='1'/><otherwise/>‸<otherwise/></choose>", "only one <otherwise>"),
    .body("<choose><otherwise/>‸<when true='1'/></choose>", "has to stand before"),
    .body("<choose>‸<when>a</when><when true='1'/></choose>", "needs one of"),
    .body("‸<foreach item='a'/>", "“collection”"),
    .body("‸<foreach collection='a'/>", "“item”"),
    .body("<foreach ‸item='a.b' collection='c'/>", "“a.b” can't be the name"),
    .body("<foreach item='a' ‸collection='c.'/>", "“c.” is not a name"),
    .body("<foreach item='a' collection='c' ‸reverse='2'/>", "true or false"),
    .body("<foreach item='a' collection='c' ‸each='i'/>", "takes item, index, collection"),
    .body("<where ‸onVoid='stop'/>", "ignoreAfter or quit"),
    .body("<where ‸prefix='a'/>", "takes onVoid"),
    .body("<set ‸suffixOverrides=','/>", "takes onVoid"),
    .body("<trim ‸prefixOverride='a'/>", "takes prefix, suffix, prefixOverrides"),
    .body("‸<format/>", "“pairs”"),
    .body("<format ‸pairs='a b'>‸c</format>", "is not a name", "text"),
    .body("a = ‸#{}", "is not a name"),
    .body("a = ‸#{a b}", "only or"),
    .body("a = ‸#{a or}", "only or"),
    .body("a = ‸#{a or 'x'}", "only or"),
    .body("a = ‸#{a no \"\"}", "can stand only in @{}"),
    .body("a = ‸@{a", "“@{” has no “}”"),
    .body("a = ‸@{a.}", "is not a name"),
  ])
  func `a mistake in a statement is told with its place`(mistake: Mistake) { check(mistake) }

  @Test func `all mistakes are told at once, in the order of their places`() {
    check(
      Mistake(
        """
        <module version='1.0' ‸initializer='create' ‸size='3'>
          <select id='a' ‸result=':b'>‸${c}</select>
          ‸<upgrade>a</upgrade>
          <update id='d' ‸foreach='e.f'><if true='1 ‸2'/></update>
        </module>
        """,
        "create",
        "size",
        "<map> “b”",
        "“c”",
        "toVersion",
        "“e”",
        "not expected"
      )
    )
    let many = String(repeating: "<a/>\n", count: 1000)
    #expect(Configuration.issues("<module>\(many)</module>").count == ConfigurationIssues.limit)
  }

  @Test func `an error says each issue in a line`() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration.module("<module>\n<a/></module>")
    }
    #expect(error.description.hasPrefix("the configuration can't be used:\n2:1: <a> can't stand"))
    #expect(error.localizedDescription == error.description)
  }
}
