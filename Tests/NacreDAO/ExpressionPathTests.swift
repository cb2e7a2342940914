import Foundation
import NacreCore
import Testing

@testable import NacreDAO

/// Elements of lists, texts in either quotes, texts put together, and the words for those of other languages.
@Suite struct ExpressionPathTests {
  private static var values: [String: Any?] {
    [
      "l": [7, 8], "m": ["rows": [["a": 1], ["a": 2]]], "n": nil, "s": "it's",
      "p": ["x", nil] as [String?],
    ]
  }

  @Test(arguments: [
    ("#{l[0]}, #{l[1]}", ["7", "8"]), ("#{m.rows[1].a}", ["2"]), ("#{n[5]}", ["nil"]),
    ("#{n[5].a}", ["nil"]), ("#{p[1] or \"\"}", [""]), ("#{p[0]}", ["x"]),
    ("<foreach item='r' collection='m.rows'>#{r.a}</foreach>", ["1", "2"]),
  ])
  func `a path names an element by its number`(body: String, bound: [String]) throws {
    #expect(try Configuration.statement(body, Self.values).values == bound)
  }

  @Test(arguments: [
    "l[0] == 7", "l[1] > l[0]", "m.rows[0].a + 1 == m.rows[1].a", "n[3] == nil", "not p[1]",
    "s == \"it's\"", "s == 'it\\'s'", "\"say \\\"a\\\"\" == 'say \"a\"'", "'a' == \"a\"",
    "'a' + \"b\" + 'c' == 'abc'", "s + nil == nil", "l[ 0 ] == 7", "nil + s == nil",
  ])
  func `an expression knows elements, both quotes and texts put together`(text: String) throws {
    let values = TestValues(Self.values)
    let value = try ExpressionParser.parse(text).evaluated {
      DAOValue.operand(try values.value(of: $0).value)
    }
    #expect(value == .flag(true))
  }

  @Test(arguments: [
    ("l[", 2), ("l[a]", 2), ("l[-1]", 2), ("l[1.5]", 2), ("l[0", 3), ("l[0 1]", 4), ("[0]", 0),
    ("\"a", 0), ("l.size()", 6), ("a eq 1", 2), ("a &amp; b", 2), ("a | b", 2), ("a(1)", 1),
  ])
  func `a mistake in them says where it is`(text: String, offset: Int) {
    let error = #expect(throws: ExpressionError.self) { try ExpressionParser.parse(text) }
    #expect(error?.offset == offset, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    "a = #{l[}", "a = #{l[x]}", "a = #{l[-1]}", "a = #{l]}", "a = #{[0]}", "a = #{l.[0]}",
  ])
  func `what is no index is no name`(body: String) {
    let issues = Configuration.issues("<module><update id='m'>\(body)</update></module>")
    #expect(issues.map(\.column) == [28])
  }

  @Test func `a call takes elements of arrays, and fails for others`() throws {
    let desk = try Desk(
      methods: """
        <select id="second" arguments="list" result="string">select #{list[1]}</select>
        <select id="name" arguments="list" result="string">
          select <if true="list[0].content == 'a'">#{list[0].content}</if>
          <if true="list[0].content != 'a'">'other'</if>
        </select>
        <insert id="addPairs" arguments="pairs" foreach="pairs.pair">
          insert into ${T} (id, content) values (#{pair[0]}, #{pair[1]})
        </insert>
        """
    )
    #expect(try desk.dao.call("second", [["a", "b"]]).get() == "b")
    #expect(try desk.dao.call("second", [["a", "b", "c"].dropFirst()]).get() == "c")
    #expect(try desk.dao.call("second", [NSArray(array: ["a", "b"])]).get() == "b")
    #expect(try desk.dao.call("second", [nil]).get(as: String?.self) == nil)
    let others: [Any] = [["a"], Set(["a", "b"]), "ab", ["a": "b"]]
    for value in others {
      #expect(desk.dao.call("second", [value]).code == .badArgument)
    }
    #expect(try desk.dao.call("name", [[Message.make(1, "a")]]).get() == "a")
    #expect(try desk.dao.call("name", [[Letter(msgId: 1, content: "b")]]).get() == "other")
    #expect(desk.dao.call("addPairs", [[[1, "one"], [2, "two"]] as [[Any]]]).succeeded)
    #expect(try desk.contents == ["one", "two"])
  }

  @Test func `an element of a list for a sealed column is refused, and its property sealed`() throws
  {
    let xml = """
      <module tableName="letters" initializer="make">
        <crypt class="Letter" property="content"/>
        <update id="make">create table if not exists ${T} (msgId integer, content blob)</update>
        <insert id="add" arguments="list">insert into ${T} (content) values (VALUE)</insert>
        <select id="stored" result="binary">select content from ${T}</select>
      </module>
      """
    let issues = Configuration.issues(
      xml.replacing("VALUE", with: "#{list[0]}"),
      models: [Letter.self]
    )
    #expect(issues.map(\.line) == [4])
    let desk = try Desk(xml.replacing("VALUE", with: "#{list[0].content}"))
    #expect(desk.dao.call("add", [[Letter(msgId: 1, content: "MARKER")]]).succeeded)
    let stored: Data = try desk.dao.call("stored").get()
    #expect(stored.range(of: Data("MARKER".utf8)) == nil)
    let taken = try Desk(xml.replacing("VALUE", with: "#{list[0].content[0]}"))
    #expect(taken.dao.call("add", [[Letter(msgId: 1, content: "MARKER")]]).code == .badArgument)
  }

  @Test(arguments: [
    ("l.size() > 0", ".count"), ("l.isEmpty()", ".count == 0"), ("s.equals('a')", "=="),
    ("s.trim()", "calls no methods"), ("a &amp;&amp; b", "and"), ("a || b", "or"), ("!a", "not"),
    ("a gte 2", ">="), ("a lt 2", "&lt;"), ("a = 2", "=="),
  ])
  func `a word of another language is answered with ours`(text: String, word: String) throws {
    let issues = Configuration.issues(
      "<module><update id='m'><if true=\"\(text)\">a</if></update></module>"
    )
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains(word) == true, "\(issues)")
  }
}
