import Foundation
import NacreCore
import Testing

@testable import NacreDAO

/// Numbers, dates and texts of Foundation's, and parts of texts, are what they stand for.
@Suite struct FoundationValueTests {
  @Test func `the sample's numbers and dates are bound and put into the text`() throws {
    let desk = try Desk(
      sample: """
        <map id="messageModelMap" result="MessageModel"><result property="msgId" column="id"/></map>
        <select id="find" arguments="id, time" result=":messageModelMap">
        select * from ${T} where id = #{id} and time > @{time}
        </select>
        <insert id="add" arguments="id, time">insert into ${T} (id, time) values(#{id}, #{time})</insert>
        """,
      columns: "id integer primary key, time real, content text"
    )
    let (id, time) = (NSNumber(value: 1234), NSNumber(value: 2014))
    #expect(
      desk.statements(of: "find", [id, time])
        == ["select * from tableDemo where id = ? and time > 2014"]
    )
    #expect(desk.dao.call("add", [id, NSDate(timeIntervalSince1970: 2014.5)]).succeeded)
    #expect(try desk.rows.first?["time"] as? Double == 2014.5)
    #expect(try desk.dao.call("find", [id, time]).get(as: MessageModel?.self)?.msgId == 1234)
    let date = NSDate(timeIntervalSince1970: 2014.5)
    #expect(try desk.dao.call("find", [id, date]).get(as: MessageModel?.self) == nil)
    let fraction = NSNumber(value: 2014.25)
    #expect(try desk.dao.call("find", [id, fraction]).get(as: MessageModel?.self) != nil)
  }

  @Test(arguments: [
    "number == 2014", "number > 2013.5", "flag", "not none", "date == 100", "date &lt; 101",
    "part == 'one'", "part != 'One'", "sign == 'o'", "text == 'one'", "part == text",
    "huge > 1", "'one' == part and part &lt; 'two'",
  ])
  func `an expression compares them as numbers and texts`(expression: String) throws {
    let values: [String: Any?] = [
      "number": NSNumber(value: 2014), "flag": NSNumber(value: true), "none": NSNumber(value: 0),
      "date": NSDate(timeIntervalSince1970: 100), "part": "one two".prefix(3),
      "sign": Character("o"), "text": NSString(string: "one"), "huge": NSNumber(value: UInt64.max),
    ]
    #expect(
      try Configuration.sql("<if true=\"\(expression)\">x</if>", values) == "x",
      "\(expression)"
    )
  }

  @Test func `parts of texts and characters are stored and put into the text as texts`() throws {
    let desk = try Desk(
      methods: """
        <select id="same" arguments="a, b" result="bool">select #{a} = @{b}</select>
        <insert id="addParts" arguments="parts" foreach="parts.part">
          insert into ${T} (content) values (#{part})
        </insert>
        <select id="among" arguments="parts" result="int">
          select count(*) from ${T} where content in
          <foreach item="p" collection="parts" open="(" separator="," close=")">#{p}</foreach>
        </select>
        """
    )
    let part = "it's it".prefix(4)
    #expect(try desk.dao.call("same", [part, "it's"]).get(as: Bool.self))
    #expect(try desk.dao.call("same", ["it's", part]).get(as: Bool.self))
    #expect(try desk.dao.call("same", [Character("'"), Character("'")]).get(as: Bool.self))
    let parts: [Substring] = "a,b".split(separator: ",")
    #expect(desk.dao.call("addParts", [parts]).succeeded)
    #expect(desk.dao.call("add", [9, Character("c")]).succeeded)
    #expect(try desk.contents == ["a", "b", "c"])
    #expect(try desk.dao.call("among", [parts + ["c"]]).get(as: Int.self) == 3)
  }
}
