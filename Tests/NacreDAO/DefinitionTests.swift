import Foundation
import NacreCore
import Testing

@testable import NacreDAO

/// `<bind>`, and the `index` of loops.
@Suite struct DefinitionTests {
  private static var values: [String: Any?] {
    [
      "title": "Swift", "n": nil, "l": ["a", "b"], "m": ["x": ["p": 1, "q": 2]],
      "d": ["z": 3, "y": 4],
      "e": [String: Int](),
    ]
  }

  @Test(
    arguments: [
      ("<bind name='p' value=\"'%' + title + '%'\"/>a like #{p}", "a like ?", ["%Swift%"]),
      ("<bind name='two' value='1 + 1'/>#{two} @{two}", "? 2", ["2"]),
      ("<bind name='x' value='m.x'/>#{x.p}, #{x.q}", "?, ?", ["1", "2"]),
      ("<bind name='title' value=\"title + '!'\"/>#{title}", "?", ["Swift!"]),
      ("<bind name='p' value=\"'%' + n\"/><if true='p != nil'>#{p}</if>a", "a", []),
      ("<if true='1'><bind name='title' value='1'/>#{title}</if> #{title}", "? ?", ["1", "Swift"]),
      (
        "<bind name='all' value='l'/><foreach item='i' collection='all'>#{i}</foreach>", "??",
        ["a", "b"]
      ),
      ("<bind name='f' value='title == nil'/>@{f}", "0", []),
      ("5 -<bind name='f' value='1'/>-#{f} a<bind name='g' value='1'/>b", "5 - -? a b", ["1"]),
      ("<bind name='o' value='l[1]'/>#{o}", "?", ["b"]),
    ] as [(String, String, [String])]
  )
  func `a value has a name for what follows in the same tag`(
    body: String,
    sql: String,
    bound: [String]
  ) throws {
    let statement = try Configuration.statement(body, Self.values)
    #expect(statement.sql == sql)
    #expect(statement.values == bound)
  }

  @Test(
    arguments: [
      (
        "<foreach item='i' index='k' collection='l' separator=','>#{k}=#{i}</foreach>",
        ["0", "a", "1", "b"]
      ),
      (
        "<foreach item='i' index='k' collection='l' reverse='true'>#{k}#{i}</foreach>",
        ["1", "b", "0", "a"]
      ),
      ("<foreach item='v' index='k' collection='d'>#{k}#{v}</foreach>", ["y", "4", "z", "3"]),
      ("<foreach item='v' collection='d'>#{v}</foreach>", ["4", "3"]),
      ("<foreach item='v' index='k' collection='m.x' reverse='yes'>#{k}</foreach>", ["q", "p"]),
      ("<foreach item='v' index='k' collection='e' empty='0'>#{k}</foreach>", []),
      (
        "<foreach item='i' index='k' collection='l'><if true='k > 0'>#{i}</if></foreach>", ["b"]
      ),
    ] as [(String, [String])]
  )
  func `a loop gives each element its number or key`(body: String, bound: [String]) throws {
    #expect(
      try Configuration.statement(body, Self.values).values == bound
    )
  }

  @Test(arguments: [
    "‸<bind value='1'/>", "‸<bind name='a'/>", "<bind ‸name='a.b' value='1'/>",
    "<bind name='a' value='1 + ‸'/>", "<bind name='a' value='1' ‸as='b'>‸text</bind>",
    "<bind name='no' value='1'/><if true='‸no'>a</if>", "<bind name='a' value=' ‸m.secret'/>",
    "<bind name='a' value=\"‸m.secret[0] + 'x'\"/>",
    "<foreach item='i' ‸index='i' collection='l'/>",
    "<foreach item='i' ‸index='a b' collection='l'/>",
    "<foreach item='i' index='no' collection='l'><if true='‸no'>a</if></foreach>",
  ])
  func `a mistake in them is told with its place`(marked: String) {
    let (text, places) = Configuration.places(
      in: "<module><crypt class='M' property='secret'/><update id='m'>\(marked)</update></module>"
    )
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places, "\(issues)")
  }

  @Test func `a bound name searches, and a dictionary becomes rows`() throws {
    let desk = try Desk(
      methods: """
        <select id="search" arguments="text" result="[string]">
          <bind name="pattern" value="'%' + text + '%'"/>
          select content from ${T}
          <where><if true="pattern != nil">content like #{pattern}</if></where>
          order by id
        </select>
        <insert id="addDictionary" arguments="rows">
          insert into ${T} (id, content) values
          <foreach item="content" index="id" collection="rows" separator=",">(#{id}, #{content})</foreach>
        </insert>
        """
    )
    #expect(desk.dao.call("addDictionary", [["1": "swift", "2": "rust"]]).succeeded)
    let more = NSDictionary(dictionary: ["3": "c"])
    #expect(desk.dao.call("addDictionary", [more]).succeeded)
    #expect(try desk.contents == ["swift", "rust", "c"])
    #expect(try desk.dao.call("search", ["s"]).get() == ["swift", "rust"])
    #expect(try desk.dao.call("search", [nil]).get() == ["swift", "rust", "c"])
  }

  @Test func `a name for a sealed value does not store it unsealed`() throws {
    let xml = """
      <module tableName="letters" initializer="make">
        <crypt class="Letter" property="content"/>
        <update id="make">create table if not exists ${T} (msgId integer, content blob)</update>
        <insert id="add" arguments="letter">
          <bind name="it" value="EXPRESSION"/>insert into ${T} (content) values (VALUE)
        </insert>
        <select id="stored" result="binary">select content from ${T}</select>
      </module>
      """
    func module(_ expression: String, _ value: String) -> String {
      xml.replacing("EXPRESSION", with: expression).replacing("VALUE", with: value)
    }
    let bare = module("'a' + letter.msgId", "#{it}")
    #expect(Configuration.issues(bare, models: [Letter.self]).map(\.line) == [5])
    let desk = try Desk(module("letter", "#{it.content}"))
    #expect(desk.dao.call("add", [Letter(msgId: 1, content: "MARKER")]).succeeded)
    let stored: Data = try desk.dao.call("stored").get()
    #expect(stored.range(of: Data("MARKER".utf8)) == nil)
  }

  @Test func `a name for a property that its entity seals fails the call`() throws {
    let desk = try Desk(
      """
      <module tableName="todos">
        <select id="note" arguments="todo" result="string">
          <bind name="it" value="todo.note"/>select #{it}
        </select>
      </module>
      """,
      models: [Todo.self]
    )
    #expect(desk.dao.call("note", [Todo.make("a", "secret")]).code == .badArgument)
  }
}
