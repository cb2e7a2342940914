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
    ("<where>b = '@{a}' and @{a}</where>@{a}", "WHERE b = 'x' and 'x''x'"),
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
  func `a value that can't stand where it is fails and is not told`(body: String) throws {
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

@Suite struct BlockTests {
  private func sql(_ body: String, _ values: [String: Any?] = [:]) throws -> String {
    try Configuration.sql(body, values).squeezed
  }

  // MARK: - Samples of the original

  private static let search = """
    select * from ${T}
    <where VOID>
    <if true="state != nil">
    state = #{state}
    </if>
    <if true="title != nil">
    AND title like #{title}
    </if>
    <if true="author != nil and author.name != nil">
    AND author_name like #{author.name}
    </if>
    </where>
    order by id
    """

  @Test(
    arguments: [
      ("", [:], "select * from t order by id", []),
      ("", ["author": "X"], "select * from t WHERE author_name like ? order by id", ["X"]),
      ("", ["state": "1"], "select * from t WHERE state = ? order by id", ["1"]),
      (
        "", ["state": "1", "title": "a"],
        "select * from t WHERE state = ? AND title like ? order by id", ["1", "a"]
      ),
      ("onVoid='quit'", ["title": "a"], "select * from t WHERE title like ? order by id", ["a"]),
      ("onVoid='ignoreAfter'", [:], "select * from t", []),
    ] as [(String, [String: String], String, [String])]
  )
  func `where has the conditions that hold, and no word too many`(
    onVoid: String,
    given: [String: String],
    sql: String,
    bound: [String]
  ) throws {
    let statement = try Configuration.statement(
      Self.search.replacing("VOID", with: onVoid),
      [
        "state": given["state"], "title": given["title"], "author": ["name": given["author"]],
      ]
    )
    #expect(statement.sql.squeezed == sql)
    #expect(statement.values == bound)
    #expect(!statement.isQuit)
  }

  @Test func `an empty where that says quit quits`() throws {
    let body = Self.search.replacing("VOID", with: "onVoid='quit'")
    let statement = try Configuration.statement(body, ["state": nil, "title": nil, "author": nil])
    #expect(statement.isQuit && statement.sql.isEmpty && statement.bindings.isEmpty)
    for tag in ["set", "trim"] {
      #expect(
        try Configuration.statement("a #{b}<\(tag) onVoid='quit'> </\(tag)>", ["b": 1]).isQuit
      )
      #expect(try sql("a <\(tag) onVoid='ignoreAfter'> </\(tag)> b") == "a")
      #expect(try sql("a <\(tag)>\n</\(tag)> b") == "a b")
    }
    let inside = "<where><if true='1'><set onVoid='quit'/></if>a</where>"
    #expect(try Configuration.statement(inside).isQuit)
  }

  @Test func `set has what is set, and no comma too many`() throws {
    let body = """
      update ${T}
      <set>
      <if false="username != nil">username=#{username},</if>
      <if false="password != nil">password=#{password},</if>
      <if true="email != nil">email=#{email},</if>
      <if true="bio != nil">bio=#{bio},</if>
      </set>
      where id = 1
      """
    let none: [String: Any?] = ["username": 1, "password": 1, "email": nil, "bio": nil]
    #expect(try sql(body, none) == "update t where id = 1")
    let some: [String: Any?] = ["username": nil, "password": 1, "email": "e", "bio": nil]
    #expect(try sql(body, some) == "update t SET username=?, email=? where id = 1")
  }

  @Test func `a trim as the original writes it is a where`() throws {
    let start = #"<trim prefix="WHERE" prefixOverrides="AND | OR | and | or ">"#
    for text in ["AND a", "or\ta", "Or\na", "and  a", "a"] {
      #expect(try sql("\(start)\(text)</trim>") == "WHERE a")
      #expect(try sql("<where>\(text)</where>") == "WHERE a")
    }
    #expect(try sql(#"<trim prefix="SET" suffixOverrides=",">a = 1 , </trim>"#) == "SET a = 1")
  }

  @Test(arguments: [
    "ORDER = 1", "organization = 1", "ANDROID = 1", "and_ = 1", "andé = 1", "or1 = 1",
  ])
  func `a word that only begins like and or or stays`(text: String) throws {
    #expect(try sql("<where> \(text) </where>") == "WHERE \(text)")
  }

  @Test(arguments: [
    ("<where>AND</where>", ""), ("<where>AND(a)</where>", "WHERE (a)"),
    ("<where>AND AND a</where>", "WHERE AND a"),
    ("<trim prefix='AND' prefixOverrides='AND'>AND</trim>", ""),
    ("<trim prefix='AND' prefixOverrides='AND'>and b</trim>", "AND b"),
    ("<trim prefixOverrides='and|and not'>and not b</trim>", "b"),
    ("<trim suffix=')' prefix='('> a </trim>", "( a )"),
    ("<trim suffixOverrides='and|or'>a or</trim>", "a"),
    ("<trim suffixOverrides='and|or'>a = floor</trim>", "a = floor"),
    ("<trim suffixOverrides=','>a,,</trim>", "a,"), ("<trim>a</trim>", "a"),
    ("<trim prefixOverrides='||' prefix='x'>a</trim>", "x a"),
    ("<trim prefixOverrides=','>, <if true='1'> a</if></trim>", "a"),
  ])
  func `a trim takes one word off each end`(body: String, sql: String) throws {
    #expect(try self.sql(body) == sql)
  }

  @Test func `if has what its expression says`() throws {
    let body = """
      <if true="model.read or (not onlyRead)">
      insert or replace into ${T} (msgId, content, read) values(#{model.msgId}, #{model.content}, #{model.read})
      </if>
      """
    let model: [String: Any?] = ["msgId": 1, "content": "c", "read": false]
    let statement = try Configuration.statement(body, ["model": model, "onlyRead": false])
    #expect(
      statement.sql == "insert or replace into t (msgId, content, read) values(?, ?, ?)"
    )
    #expect(statement.values == ["1", "c", "false"])
    #expect(try Configuration.statement(body, ["model": model, "onlyRead": true]).sql == "")
    let complex = "<if true=\"(title != nil and year > 2010) or authors.count >= 2\">x</if>"
    #expect(try sql(complex, ["title": nil, "year": 2014, "authors": ["a", "b"]]) == "x")
    #expect(try sql(complex, ["title": "a", "year": 2014, "authors": [String]()]) == "x")
    #expect(try sql(complex, ["title": "a", "year": 2010, "authors": Set(["a"])]) == "")
    #expect(try sql("<if true='a.count &lt; 2'><if false='0'>x</if></if>", ["a": [1]]) == "x")
  }

  @Test func `a date, a flag, a case and no value have their place in expressions`() throws {
    let values: [String: Any?] = [
      "date": Date(timeIntervalSince1970: 100), "flag": true, "none": Optional<Int>.none as Any,
      "kind": FloatingPointRoundingRule.up, "size": Float(1.5), "whole": UInt64.max,
      "money": Decimal(2.5),
    ]
    for text in [
      "date == 100", "flag == 1", "none == nil", "kind != nil", "size == 1.5", "whole > 1",
      "money > 2",
    ] {
      #expect(
        try sql("<if true='\(text.replacing(">", with: "&gt;"))'>x</if>", values) == "x",
        "\(text)"
      )
    }
  }

  @Test(
    arguments: [
      ("a", nil, "AND title like ?"), ("a", "b", "AND title like ?"),
      (nil, "b", "AND author_name like ?"), (nil, nil, "AND featured = 1"),
    ] as [(String?, String?, String)]
  )
  func `choose takes the first when that holds, or otherwise`(
    title: String?,
    author: String?,
    sql: String
  ) throws {
    let body = """
      <choose>
      <when true="title != nil">
      AND title like #{title}
      </when>
      <when true="author != nil and author.name != nil">
      AND author_name like #{author.name}
      </when>
      <otherwise>
      AND featured = 1
      </otherwise>
      </choose>
      """
    let object = author.map { ["name": $0] }
    #expect(try self.sql(body, ["title": title, "author": object]) == sql)
  }

  @Test func `otherwise may be empty or not there, and a when may be false`() throws {
    #expect(try sql("a<choose><when true='0'>b</when></choose>") == "a")
    #expect(try sql("a<choose><when true='0'>b</when><otherwise/></choose>") == "a")
    let nested = "<choose><when false='nil'><if true='1'>b</if><where>c</where></when></choose>"
    #expect(try sql(nested) == "b WHERE c")
  }
}

@Suite struct LoopTests {
  private func sql(_ body: String, _ values: [String: Any?] = [:]) throws -> String {
    try Configuration.sql(body, values)
  }

  @Test func `a list in parentheses is a loop`() throws {
    let body = """
      select * from ${T} where id in
      <foreach item="id" collection="idList" open="(" separator="," close=")">
      #{id}
      </foreach>
      """
    let statement = try Configuration.statement(body, ["idList": [3, 1, 2]])
    #expect(statement.sql == "select * from t where id in\n(?,?,?)")
    #expect(statement.values == ["3", "1", "2"])
    #expect(try sql(body, ["idList": [Int]()]).hasSuffix("in\n()"))
    #expect(try sql(body, ["idList": Set([1])]).hasSuffix("in\n(?)"))
    #expect(try sql(body, ["idList": [1, nil] as [Int?]]).hasSuffix("in\n(?,?)"))
    #expect(try sql(body, ["idList": NSArray(array: ["a"])]).hasSuffix("in\n(?)"))
  }

  @Test func `the values of a loop are put together without blanks`() throws {
    let loop = { (body: String) in
      "<foreach item=\"iterator\" collection=\"list\" open=\"(\" separator=\",\" close=\")\">\n\(body)\n</foreach>"
    }
    let values: [String: Any?] = ["list": ["1", "2", "3"], "prefix": "abc"]
    #expect(
      try sql(loop("@{prefix no \"\"}@{iterator no \"\"}"), values) == "(abc1,abc2,abc3)"
    )
    // The original's sample has no @ before its braces, and with it quotes would stand around each.
    #expect(
      try sql(loop("{prefix}{iterator}"), values)
        == "({prefix}{iterator},{prefix}{iterator},{prefix}{iterator})"
    )
    #expect(try sql(loop("@{iterator}"), values) == "('1','2','3')")
  }

  @Test(arguments: ["yes", "true", "YES"])
  func `a loop runs backwards`(flag: String) throws {
    let body = "<foreach item='a' collection='l' separator=' ' reverse='\(flag)'>@{a}</foreach>"
    #expect(try sql(body, ["l": [1, 2, 3]]) == "3 2 1")
  }

  @Test func `loops nest, and an item hides nothing outside of its loop`() throws {
    let body = """
      @{a}<foreach item='a' collection='b.rows' open='[' close=']'><foreach item='c' collection='a.cells' \
      separator='|'>@{c.x}</foreach>;</foreach>@{a}
      """
    let rows = [["cells": [["x": 1], ["x": 2]]], ["cells": [["x": 3]]]]
    #expect(try sql(body, ["a": 0, "b": ["rows": rows]]) == "0[1|2;3;]0")
    let itself = "<foreach item='l' collection='l' separator=','>@{l}</foreach> @{l.count}"
    #expect(try sql(itself, ["l": [7, 8]]) == "7,8 2")
  }

  @Test func `an element that makes nothing has no separator`() throws {
    let body = """
      <foreach item='a' collection='l' open='(' separator=',' close=')'>
        <if true='a > 1'>@{a}</if>
      </foreach>
      """
    #expect(try sql(body, ["l": [1, 2, 1, 3, 1]]) == "(2,3)")
    #expect(try sql(body, ["l": [1]]) == "()")
  }

  @Test func `quit and ignoreAfter end a loop, too`() throws {
    let body =
      "a <foreach item='i' collection='l' separator=','>@{i}<where onVoid='VOID'><if true='i == 1'>b</if></where></foreach> c"
    #expect(
      try Configuration.statement(body.replacing("VOID", with: "quit"), ["l": [1, 2]]).isQuit
    )
    #expect(
      try sql(body.replacing("VOID", with: "ignoreAfter"), ["l": [1, 2, 3]]) == "a 1 WHERE b,2"
    )
  }

  @Test func `what is no collection fails`() {
    let values: [Any?] = [nil, 5, "text", ["a": 1]]
    for value in values {
      #expect(throws: DAOValue.Failure.self) {
        try sql("<foreach item='a' collection='l'>a</foreach>", ["l": value])
      }
    }
  }

  @Test(arguments: [
    ("a = 1<if true='1'>and b = 2</if>or c", "a = 1 and b = 2 or c"),
    ("from ${T}<where>a</where>order by b", "from t WHERE a order by b"),
    ("x<foreach item='i' collection='l' separator='or'>a = @{i}</foreach>y", "x a = 1 or a = 2 y"),
    ("x<foreach item='i' collection='l'>a</foreach>", "x a a"),
    ("f(<if true='1'>a</if>)<if true='1'>(b)</if>", "f(a)(b)"),
    ("'a<if true='1'>b</if>c'", "'abc'"), ("a<if true='0'>b</if>c", "a c"),
    ("a<if true='1'/><if true='1'>'b'</if>", "a'b'"),
    (
      "in<foreach item='i' collection='l' open='(' close=')' separator=' , '> @{i} </foreach>",
      "in(1 , 2)"
    ),
    ("<if true='1'>  a</if>", "a"), ("a = #{i}<if true='1'>1</if>", "a = ? 1"),
  ])
  func `tags glue no words together, and leave quoted text as it is`(
    body: String,
    sql: String
  ) throws {
    #expect(try self.sql(body, ["l": [1, 2], "i": 0]) == sql)
  }

  @Test func `blanks of values are kept`() throws {
    #expect(try sql(" <where>@{a no \"\"}</where> ", ["a": " x "]) == "WHERE  x ")
    #expect(
      try sql("'<foreach item='i' collection='l'> @{i} </foreach>'", ["l": [" x "]]) == "' x '"
    )
  }

  @Test func `pairs of a dictionary are parameters`() throws {
    let set = "update ${T} <format prefix='set' pairs='values' join=','/> where 1"
    let statement = try Configuration.statement(set, ["values": ["b": 2, "a": nil, "c\"d": "x"]])
    #expect(statement.sql == #"update t set "a" = ?, "b" = ?, "c""d" = ? where 1"#)
    #expect(statement.values == ["nil", "2", "x"])
    #expect(try sql(set, ["values": [String: Any?]()]).squeezed == "update t where 1")
    #expect(try sql(set, ["values": nil]).squeezed == "update t where 1")
    let both = "<format prefix='where' pairs='v' join='and'/>"
    #expect(try sql(both, ["v": ["a": 1, "b": 2]]) == #"where "a" = ? and "b" = ?"#)
    #expect(throws: DAOValue.Failure.self) { try sql(both, ["v": 5]) }
  }
}
