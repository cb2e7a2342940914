import Foundation
import Testing

@testable import NacreDAO

@Suite struct ReferenceTests {
  private func sql(_ body: String, _ values: [String: Any?]) throws -> String {
    try Configuration.sql(body, values)
  }

  @Test func `a reference with # is a parameter`() throws {
    let statement = try Configuration.statement(
      "select * from ${T} where id = #{id} and time > @{time}",
      ["id": 1234, "time": 2014]
    )
    #expect(statement.sql == "select * from t where id = ? and time > 2014")
    #expect(statement.values == ["1234"])
  }

  @Test func `or "" makes an empty text of nil`() throws {
    let statement = try Configuration.statement("#{a or \"\"} #{a} #{b or ''}", ["a": nil, "b": 1])
    #expect(statement.values == ["", "nil", "1"])
    #expect(
      try sql("@{a}, @{a or \"\"}, '@{a or \"\"}', @{a or \"\" no \"\"}.", ["a": nil])
        == "NULL, '', '', ."
    )
  }

  @Test(arguments: [
    ("@{a}", "'x'"), ("'@{a}'", "'x'"), ("\"@{a}\"", "\"x\""), ("`@{a}`", "`x`"), ("[@{a}]", "[x]"),
    ("@{a no \"\"}", "x"), ("'%@{a}%'", "'%x%'"), ("'it''s' @{a}", "'it''s' 'x'"),
    ("'\"' @{a}", "'\"' 'x'"), ("a[1] - b / @{a}", "a[1] - b / 'x'"),
    ("-- don't\n@{a}", "-- don't\n'x'"), ("/* it's */@{a}", "/* it's */'x'"),
    ("/* ' -- */ '@{a}'", "/* ' -- */ 'x'"), ("'--' @{a}", "'--' 'x'"),
    ("'<if true=\"1\">@{a}</if>'", "'x'"),
    ("'<foreach item=\"i\" collection=\"l\">@{i}</foreach>'", "'x'"),
    ("<where>b = '@{a}' and @{a}</where>@{a}", "WHERE b = 'x' and 'x' 'x'"),
  ])
  func `a text in a reference with @ has quotes, once`(body: String, sql: String) throws {
    #expect(try self.sql(body, ["a": "x", "l": ["x"]]) == sql)
  }

  @Test(arguments: [
    ("@{a}", "'x'' or 1=1 --'"), ("'@{a}'", "'x'' or 1=1 --'"), ("\"@{b}\"", "\"\"\" or 1\""),
    ("@{b}", "'\" or 1'"), ("@{c}", "'''\u{301} or 1'"), ("'@{c}'", "'''\u{301} or 1'"),
    (
      "<where>x = '<foreach item=\"i\" collection=\"l\">@{i}</foreach>'</where>", "WHERE x = ''''''"
    ),
    ("'<trim prefix=\"a\">@{a}</trim>'", "'a x'' or 1=1 --'"),
    ("-- it's\n@{a}", "-- it's\n'x'' or 1=1 --'"),
  ])
  func `a quote in a value does not end the text`(body: String, sql: String) throws {
    let values: [String: Any?] = [
      "a": "x' or 1=1 --", "b": "\" or 1", "c": "'\u{301} or 1", "l": ["'", "'"],
    ]
    #expect(try self.sql(body, values) == sql)
  }

  @Test(arguments: [
    "[@{bracket}]", "-- @{text}", "/* @{text} */", "@{nul}", "'@{none}'", "@{data}", "@{list}",
    "@{infinite}", "#{unknown}", "@{unknown.name}", "<if true='unknown'>a</if>",
    "<if true='1 / 0'>a</if>", "<if true='text + 1'>a</if>",
  ])
  func `a value that can't stand at its place fails, and the error does not quote it`(body: String)
    throws
  {
    let values: [String: Any?] = [
      "bracket": "secret]", "text": "secret", "nul": "secret\0", "none": nil,
      "data": Data("secret".utf8), "list": ["secret"], "infinite": Double.infinity,
    ]
    let error = try #require(throws: (any Error).self) { try sql(body, values) }
    #expect(error is DAOValue.Failure || error is EvaluationError)
    #expect(!"\(error)".contains("secret"))
  }

  @Test func `numbers, flags and dates have no quotes`() throws {
    let values: [String: Any?] = [
      "a": 2014, "b": -1.5, "c": true, "d": Int64.min, "e": UInt8(7),
      "f": Date(timeIntervalSince1970: 2),
      "g": Optional(Optional(3)) as Any, "h": NSNull(),
    ]
    #expect(
      try sql("@{a} @{b} @{c} @{d} @{e} @{g} @{h}", values) == "2014 -1.5 1 \(Int64.min) 7 3 NULL"
    )
    #expect(try sql("'@{a}'", values) == "'2014'")
  }

  @Test func `a negative number behind a minus begins no comment`() throws {
    #expect(try sql("1 -@{a}", ["a": -1]) == "1 - -1")
  }

  @Test func `a path leads through properties, and nil in it is nil`() throws {
    let values: [String: Any?] = ["m": ["a": ["b": 5], "n": nil], "d": ["key": "v"]]
    let statement = try Configuration.statement("#{m.a.b} #{m.n.b} #{d.key} @{m.a.b}", values)
    #expect(statement.sql == "? ? ? 5")
    #expect(statement.values == ["5", "nil", "v"])
  }
}
