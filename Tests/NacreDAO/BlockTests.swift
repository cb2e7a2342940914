import Foundation
import Testing

@testable import NacreDAO

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

  @Test func `an if is kept or left out as its expression says`() throws {
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
