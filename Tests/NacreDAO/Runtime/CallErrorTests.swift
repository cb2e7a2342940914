import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// The words of errors beside their codes.
@Suite struct CallErrorTests {
  private func words(_ result: DAOResult) -> String { result.error.map { "\($0)" } ?? "" }

  @Test func `a directory that can't be made is told by its path`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("taken")
    try Data().write(to: URL(fileURLWithPath: path))
    let center = DataCenter(directory: path + "/center")
    let error = #expect(throws: NacreError.self) { try center.commonStore }
    #expect(error?.code == .cannotOpen)
    #expect(error?.description.contains(path) == true)
    #expect(error?.description.contains("Error Domain") == false)
  }

  @Test func `an argument that must not be nil is told as the configuration has it`() throws {
    let desk = try Desk(
      methods: #"<insert id="put" arguments="$id">insert into ${T} (id) values (#{id})</insert>"#
    )
    let result = desk.dao.call("put", [nil])
    #expect(result.code == .badArgument)
    #expect(words(result).contains("“id” is nil, and the configuration's $id does not allow nil"))
  }

  @Test func `a result of no known name is told with those of single values`() {
    let found = Configuration.issues(
      "<module><select id='a' result='integer'>select 1</select></module>",
      models: []
    )
    #expect(found.count == 1)
    #expect(
      found.first?.message.contains("int, long long, bool, double, string, binary, {}") == true
    )
  }

  @Test(arguments: ["select nothing", "drop table ${T}", "update ${T} set uin = #{x}"])
  func `an upgrade that fails is told with its table and both versions`(sql: String) throws {
    let home = try TestStore()
    #expect(
      try Desk(methods: "", attributes: #"version="1.0""#, in: home).dao.call("count").succeeded
    )
    let desk = try Desk(
      methods:
        "<upgrade toVersion=\"1.1\">\(sql)</upgrade><upgrade toVersion=\"1.2\">select 1</upgrade>",
      attributes: #"version="1.2""#,
      in: home
    )
    let told = words(desk.dao.call("count"))
    #expect(told.contains("the upgrade of “notes” from 1.0 to 1.2"), "\(told)")
  }

  @Test(arguments: ["fixed", "dynamic", "get"])
  func `an element that fails is told by its place in the collection`(method: String) throws {
    let desk = try Desk(
      methods: """
        <insert id="fixed" arguments="letters" foreach="letters.x">
          insert into ${T} (id, content) values (#{x.id}, 'x')
        </insert>
        <insert id="dynamic" arguments="letters" foreach="letters.x">
          insert into ${T} (id) values (<if true="1">#{x.id}</if>)
        </insert>
        <select id="get" arguments="letters" foreach="letters.x" result="int">
          select 1 / #{x.id} <if true="10 / x.id">+ 1</if>
        </select>
        """
    )
    let bad: [String: Any] = method == "get" ? ["id": 0] : ["id": "MARKER"]
    let result = desk.dao.call(method, [[["id": 1], ["id": 2], bad, ["id": 4]]])
    #expect((result.error as? NacreError)?.index == 2)
    #expect(words(result).contains("2"))
    #expect(!words(result).contains("MARKER"))
    #expect(try desk.dao.call("count").get() == 0)
  }

  @Test(arguments: ["bound", "reversed", "rendered", "nested"])
  func `an element that fails in a statement's own loop is told by its place`(
    method: String
  ) throws {
    let desk = try Desk(
      methods: """
        <insert id="bound" arguments="letters">insert into ${T} (id) values
          <foreach item="x" collection="letters" separator=",">(#{x.id})</foreach></insert>
        <insert id="reversed" arguments="letters">insert into ${T} (id) values
          <foreach item="x" collection="letters" separator="," reverse="true">(#{x.id})</foreach>
        </insert>
        <insert id="rendered" arguments="letters">insert into ${T} (id) values
          <foreach item="x" collection="letters" separator=",">(@{x.id})</foreach></insert>
        <insert id="nested" arguments="letters">insert into ${T} (id) values
          <foreach item="x" collection="letters" separator=",">
            (0 <foreach item="y" collection="x.ids">+ #{y}</foreach>)
          </foreach>
        </insert>
        """
    )
    // It can't be stored, nor be a part of SQL.
    let bad = { () -> Int in 1 }
    let elements: [[String: Any]] = [1, 2, bad, 4].map { ["id": $0, "ids": [$0]] }
    let error = desk.dao.call(method, [elements]).error as? NacreError
    #expect(error?.code == .badArgument && error?.index == 2, "\(String(describing: error))")
    #expect(try desk.dao.call("count").get() == 0)
  }

  @Test func `an object that has no such property is told by its place, too`() throws {
    let desk = try Desk(methods: "")
    let error = desk.dao.call("addAll", [[Message.make(1, "a"), Sheet(2, "b")]]).error
    #expect((error as? NacreError)?.index == 1)
    #expect((error as? NacreError)?.code == .badArgument)
  }

  @Test func `bytes that are no UTF-8 are no text`() throws {
    let desk = try Desk(
      methods: """
        <select id="one" result="string">select x'ff00fe'</select>
        <select id="all" result="[string]">select 'a' union all select x'ff00fe'</select>
        <select id="letter" result="Letter">select 1 as msgId, x'ff00fe' as content, 7 as uin, 0 as read</select>
        <select id="message" result="Message">select 1 as msgId, x'ff00fe' as content</select>
        <select id="good" result="[string]">select x'c3a4' union all select 12 union all select 1.5</select>
        <select id="goodLetter" result="Letter">
          select 1 as msgId, x'c3a4' as content, 7 as uin, 0 as read</select>
        """
    )
    for id in ["one", "all", "letter", "message"] {
      #expect(desk.dao.call(id).code == .valueMismatch, "\(id)")
    }
    #expect(try desk.dao.call("good").get() == ["ä", "12", "1.5"])
    #expect(try desk.dao.call("goodLetter").get(as: Letter.self).content == "ä")
  }
}
