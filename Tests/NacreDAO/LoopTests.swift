import Foundation
import Testing

@testable import NacreDAO

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

  @Test func `quit inside a loop leaves out the statement, and ignoreAfter ends the loop`() throws {
    let body =
      "a <foreach item='i' collection='l' separator=','>@{i}<where onVoid='VOID'><if true='i == 1'>b</if></where></foreach> c"
    #expect(
      try Configuration.statement(body.replacing("VOID", with: "quit"), ["l": [1, 2]]).isQuit
    )
    #expect(
      try sql(body.replacing("VOID", with: "ignoreAfter"), ["l": [1, 2, 3]]) == "a 1 WHERE b,2"
    )
  }

  @Test func `a loop over a value that is no collection fails`() {
    let values: [Any?] = [nil, 5, "text", [1: "a"]]
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
