import Foundation
import Testing

@testable import NacreDAO

@Suite struct ModuleTests {
  @Test func `the first line of a configuration says how its table is made`() throws {
    let module = try Configuration.module(
      """
      <module name="demo" initializer="createTable" tableName="tableDemo" version="1.5"
        resetOnUpgrade="true" upgradeMinVersion="1.2">
        <update id="createTable">create table if not exists ${T} (id integer)</update>
      </module>
      """
    )
    #expect(module.name == "demo")
    #expect(module.initializer == "createTable")
    #expect(module.tableName == "tableDemo")
    #expect(module.version?.description == "1.5")
    #expect(module.resetsOnUpgrade)
    #expect(module.upgradeMinimum?.description == "1.2")
  }

  @Test func `every attribute of the module may be left out or empty`() throws {
    for text in [
      "<module/>", "<module initializer='' tableName=' ' version='' upgradeMinVersion=''/>",
    ] {
      let module = try Configuration.module(text)
      #expect(module.initializer == nil && module.tableName == nil && module.version == nil)
      #expect(!module.resetsOnUpgrade && module.upgradeMinimum == nil)
    }
  }

  @Test(arguments: [
    ("true", true), ("YES", true), ("yes", true), ("True", true), ("false", false), ("NO", false),
    ("", false),
  ])
  func `a flag is true or YES in any case`(text: String, value: Bool) throws {
    let module = try Configuration.module("<module resetOnUpgrade='\(text)'/>")
    #expect(module.resetsOnUpgrade == value)
  }

  @Test func `versions compare part by part`() throws {
    let versions = try ["0", "1.2", "1.9", "1.10", "2"].map { try #require(DAOVersion($0)) }
    #expect(versions.reversed().sorted() == versions)
    #expect(DAOVersion("1.0") == DAOVersion("1") && DAOVersion(" 1.1 ") != DAOVersion("1.10"))
    for text in ["", ".", "1.", "a", "-1", "1,0", "1.99999999999999999999"] {
      #expect(DAOVersion(text) == nil)
    }
  }

  @Test func `arguments are named in order, without blanks and dollars`() throws {
    let module = try Configuration.module(
      """
      <module><insert id="add" arguments=" a,$b , $ c" foreach="a.x">1</insert>
      <insert id="add" arguments="a">2</insert><insert id="add">3</insert></module>
      """
    )
    let method = try #require(module.methods[.init(id: "add", arity: 3)])
    #expect(method.arguments.map(\.name) == ["a", "b", "c"])
    #expect(method.arguments.map(\.refusesNil) == [false, true, true])
    #expect(method.loop == .init(collection: "a", item: "x"))
    #expect(module.methods[.init(id: "add", arity: 1)]?.body == .statement([.text("2")]))
    #expect(module.methods[.init(id: "add", arity: 0)]?.body == .statement([.text("3")]))
    #expect(module.methods.count == 3)
  }

  @Test(
    arguments: [
      ("int", .int, false), ("long long", .longLong, false), ("bool", .bool, false),
      ("double", .double, false), ("string", .string, false), ("binary", .binary, false),
      ("{}", .dictionary, false), ("AType", .object("AType"), false),
      (":AMap", .map("AMap"), false),
      ("[int]", .int, true), ("[ long   long ]", .longLong, true), ("[bool]", .bool, true),
      ("[double]", .double, true), ("[string]", .string, true), ("[binary]", .binary, true),
      ("[{}]", .dictionary, true), ("[ AType ]", .object("AType"), true),
      ("[:AMap]", .map("AMap"), true),
      ("App.AType", .object("App.AType"), false),
    ] as [(String, ResultType.Element, Bool)]
  )
  func `a result is read with its blanks`(
    text: String,
    element: ResultType.Element,
    isArray: Bool
  ) throws {
    let module = try Configuration.module(
      """
      <module><select id="a" result=" \(text) " parallel="true">b</select>
      <map id="AMap" result="AType"><result property="msgId" column="id"/></map></module>
      """
    )
    let method = try #require(module.methods[.init(id: "a", arity: 0)])
    #expect(method.result?.element == element)
    #expect(method.result?.isArray == isArray)
    #expect(method.isParallel)
    #expect(module.maps["AMap"]?.type == "AType")
    #expect(module.maps["AMap"]?.properties.mapValues({ $0.name }) == ["id": "msgId"])
  }

  @Test func `steps, attempts and single statements are told apart`() throws {
    let module = try Configuration.module(
      """
      <module version='3.2'>
        <upgrade toVersion="3.10.0">z</upgrade>
        <upgrade toVersion='3.2'>
          <step resumable="true">alter table ${T} add column1 text</step>
          <step>alter <if true="a">b</if></step>
        </upgrade>
        <insert id="a"><try>b<except> c </except></try></insert>
      </module>
      """
      .replacing("version='3.2'>\n  <u", with: "version='3.10'>\n  <u")
    )
    #expect(module.upgrades.map(\.version.description) == ["3.2", "3.10.0"])
    let condition = TemplateNode.Condition(
      expression: try ExpressionParser.parse("a"),
      wanted: true
    )
    #expect(
      module.upgrades.first?.body
        == .steps([
          .init(
            nodes: [.text("alter table "), .tableName, .text(" add column1 text")],
            isResumable: true
          ),
          .init(
            nodes: [.text("alter "), .conditional(condition, [.text("b")])],
            isResumable: false
          ),
        ])
    )
    #expect(module.upgrades.last?.body == .statement([.text("z")]))
    #expect(
      module.methods[.init(id: "a", arity: 0)]?.body
        == .attempt([.text("b")], except: [.text(" c ")])
    )
  }

  @Test func `crypt names classes and properties`() throws {
    let module = try Configuration.module(
      "<module><crypt class='M' property='content'/><crypt class='N' property='title'/></module>"
    )
    #expect(
      module.crypts == [
        .init(type: "M", property: "content"), .init(type: "N", property: "title"),
      ]
    )
  }

  @Test func `constants and fragments are put in, before and behind their definition`() throws {
    let parts = """
      <const both="${a}, ${c}" a="id"/><const table_columns="(id, time)"/>
      <sql id="c">
        x ${d}
      </sql>
      <sql id="d">from ${t}</sql>
      <sql id="empty"/>
      """
    #expect(try Configuration.sql("${both}", parts: parts) == "id, x from t")
    #expect(try Configuration.sql("${ table_columns }${empty}", parts: parts) == "(id, time)")
    #expect(try Configuration.sql("${T} ${t}") == "t t")
  }

  @Test func `a list repeats its format for each name`() throws {
    #expect(
      try Configuration.statement(
        "%{'#{model.*}', a, b}",
        ["model": ["a": 1, "b": 2]]
      ).values == ["1", "2"]
    )
    #expect(try Configuration.sql("%{'* = #{m.*}', a, b}", ["m": [:]]) == "a = ?, b = ?")
    #expect(try Configuration.sql("%{'* is *',a}") == "a is a")
    #expect(try Configuration.sql("%{'x',a , b}") == "x, x")
    let parts = """
      <const columns="a, b"/><const values="%{'#{m.*}', ${columns}}"/>
      <const update="update ${T} set %{'* = #{m.*}', ${columns}}"/>
      """
    #expect(
      try Configuration.sql("(${columns}) (${values})", ["m": [:]], parts: parts) == "(a, b) (?, ?)"
    )
    #expect(
      try Configuration.sql("${update}", ["m": [:]], parts: parts) == "update t set a = ?, b = ?"
    )
  }

  @Test func `fragments that double each other end with an error`() {
    let parts = (1...40).map { "<const a\($0)='${a\($0 - 1)}${a\($0 - 1)}'/>" }.joined(
      separator: "\n"
    )
    let issues = Configuration.issues("<module><const a0='laugh'/>\n\(parts)</module>")
    #expect(issues.map(\.message).contains("the expanded text is longer than 1048576 bytes"))

    let many = (1...40).map { "<const b\($0)='${a17}'/>" }.joined(separator: "\n")
    let all = Configuration.issues(
      "<module><const a0='laugh'/>" + parts.split(separator: "\n").prefix(17).joined() + many
        + "</module>"
    )
    #expect(all.contains { $0.message.contains("16777216 bytes together") })
  }

  @Test func `a long chain of fragments and a long list end with an error`() {
    let chain = (1...1000).map { "<const a\($0 + 1000)='${a\($0 + 1001)}'/>" }.joined()
    #expect(
      Configuration.issues("<module>\(chain)</module>").first?.message.contains("levels") == true
    )
    let names = String(repeating: "name,", count: 5000) + "name"
    let list = "%{'\(String(repeating: "*", count: 5000))', \(names)}"
    let issues = Configuration.issues("<module><sql id='a'>\(list)</sql></module>")
    #expect(issues.map(\.message) == ["the expanded list is longer than 1048576 bytes"])
  }
}
