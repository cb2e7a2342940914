import Foundation
import NacreCore
import Testing

@testable import NacreDAO

@Suite struct ResultTests {
  private func call(_ result: String, _ sql: String) throws -> DAOResult {
    let desk = try Desk(
      """
      <module>
        <map id="m" result="Message"><result property="msgId" column="id"/></map>
        <map id="l" result="Letter"><result property="msgId" column="id"/></map>
        <select id="get" result="\(result)">\(sql)</select>
      </module>
      """
    )
    // Its directory goes with it.
    return withExtendedLifetime(desk) { desk.dao.call("get") }
  }

  private func get<T>(_ result: String, _ sql: String, as type: T.Type = T.self) throws -> T {
    try call(result, sql).get()
  }

  @Test func `one value comes from the first row`() throws {
    #expect(try get("int", "select 5 union all select 6") == 5)
    #expect(try get("long long", "select 9223372036854775807", as: Int64.self) == .max)
    #expect(try get("bool", "select 2") == true)
    #expect(try get("double", "select 2.5", as: Double.self) == 2.5)
    #expect(try get("string", "select 'text'") == "text")
    #expect(try get("binary", "select x'0102'") == Data([1, 2]))
  }

  @Test func `a number beyond 32 bits stays whole as an int`() throws {
    #expect(try get("int", "select 4294967301") == 4_294_967_301)
    #expect(try get("[int]", "select 4294967301") == [4_294_967_301])
  }

  @Test func `an array has the values of all rows`() throws {
    let rows = "select 1 union all select 0"
    #expect(try get("[int]", rows) == [1, 0])
    #expect(try get("[ int ]", rows) == [1, 0])
    #expect(try get("[long  long]", rows) == [1, 0])
    #expect(try get("[bool]", rows) == [true, false])
    #expect(try get("[double]", rows) == [1.0, 0.0])
    #expect(try get("[string]", rows) == ["1", "0"])
    let bytes = "select x'01' union all select x'02'"
    #expect(try get("[binary]", bytes) == [Data([1]), Data([2])])
  }

  @Test func `no row is nil for one result and an empty array for many`() throws {
    let none = "select 1 where 0"
    for type in ["int", "string", "binary", "{}", "Message", "Letter", ":m"] {
      let result = try call(type, none)
      #expect(result.succeeded && result.value == nil)
      #expect(throws: NacreError.self) { try result.get(as: Int.self) }
    }
    #expect(try get("int", none) == Int?.none)
    #expect(try get("[int]", none) == [Int]())
    #expect(try get("[{}]", none, as: [[String: Int]].self).isEmpty)
    #expect(try get("[Message]", none, as: [Message].self).isEmpty)
    #expect(try get("[:l]", none) == [Letter]())
  }

  @Test func `NULL is nil as a scalar and absent from a map`() throws {
    #expect(try get("int", "select null") == Int?.none)
    #expect(try get("[string]", "select 'a' union all select null") == ["a", nil])
    let row: [String: Any] = try get("{}", "select 1 as a, 'x' as b, null as c, 2.5 as d")
    #expect(row.keys.sorted() == ["a", "b", "d"])
    #expect(row["a"] as? Int == 1 && row["b"] as? String == "x" && row["d"] as? Double == 2.5)
    let rows: [[String: Int]] = try get("[{}]", "select 1 as a union all select 2")
    #expect(rows == [["a": 1], ["a": 2]])
  }

  @Test func `an object is filled, and its other properties keep their defaults`() throws {
    let sql = "select 3 as msgId, 'text' as content, null as uin, 1 as read, 'x' as unknown"
    let message: Message = try get("Message", sql)
    #expect(message.msgId == 3 && message.content == "text" && message.uin == 7 && message.read)
    #expect(!message.isStored)
    let two = sql + " union all select 4, 'more', null, 0, 'y'"
    let messages: [Message] = try get("[Message]", two)
    #expect(messages.map(\.msgId) == [3, 4])
  }

  @Test func `a map says which column goes into which property`() throws {
    let sql = "select 3 as id, 'text' as content, 9 as uin, 0 as read"
    let message: Message = try get(":m", sql)
    #expect(message.msgId == 3 && message.uin == 9 && message.content == "text")
    let letters: [Letter] = try get("[:l]", sql)
    #expect(letters == [Letter(msgId: 3, content: "text", uin: 9)])
  }

  @Test func `a Codable type is made of a row, with enums and JSON`() throws {
    let sql = """
      select 3 as msgId, null as content, 1.0 as uin, 0 as read, 2 as weight, 'sad' as mood, \
      '["a","b"]' as tags, 1.5 as at
      """
    let letter: Letter = try get("Letter", sql)
    #expect(letter.weight == 2 && letter.mood == .sad && letter.tags == ["a", "b"])
    #expect(letter.content == nil && letter.uin == 1)
    #expect(letter.at == Date(timeIntervalSince1970: 1.5))
  }

  @Test(arguments: [
    "select null as msgId, 1 as uin, 0 as read", "select 1 as uin, 0 as read",
    "select 'x' as msgId, 1 as uin, 0 as read",
    "select 1 as msgId, 1 as uin, 0 as read, 'odd' as mood",
  ])
  func `a row that does not fit its type fails the call`(sql: String) throws {
    #expect(try call("Letter", sql).code == .valueMismatch)
  }

  @Test func `a column that does not fit an entity fails the call`() throws {
    let result = try call("Message", "select 'x' as msgId")
    #expect(result.code == .valueMismatch)
  }

  @Test func `a select with foreach gives an array of the results`() throws {
    let desk = try Desk(
      methods: """
        <select id="each" arguments="ids" foreach="ids.id" result="string">
          select content from ${T} where id = #{id}
        </select>
        <select id="lists" arguments="ids" foreach="ids.id" result="[int]">
          select id from ${T} where id >= #{id} order by id
        </select>
        """
    )
    desk.dao.call("add", [1, "a"])
    desk.dao.call("add", [2, "b"])
    #expect(try desk.dao.call("each", [[2, 5, 1]]).get() == ["b", nil, "a"])
    #expect(try desk.dao.call("lists", [[2, 1, 3]]).get() == [[2], [1, 2], []])
    #expect(try desk.dao.call("each", [[Int]()]).get() == [String]())
    #expect(desk.dao.call("each", [nil]).code == .badArgument)
  }

  @Test func `a parallel select sees what is committed, any other select its own transaction`()
    throws
  {
    let desk = try Desk(
      methods:
        #"<select id="other" parallel="true" result="int">select count(*) from ${T}</select>"#
    )
    desk.dao.call("add", [1, "a"])
    desk.dao.daoTransaction(.begin)
    desk.dao.call("add", [2, "b"])
    #expect(try desk.dao.call("count").get() == 2)
    #expect(try desk.dao.call("other").get() == 1)
    #expect(desk.dao.daoTransaction(.commit).succeeded)
    #expect(try desk.dao.call("other").get() == 2)
  }

  @Test func `a dictionary has the columns that are not NULL, each under its name`() throws {
    let rows: [[String: Any]] = try get(
      "[{}]",
      "select 1 as a, 'x' as b union all select null, 'y' union all select 3, null"
    )
    #expect(rows.map { $0["a"] as? Int } == [1, nil, 3])
    #expect(rows.map { $0["b"] as? String } == ["x", "y", nil])
    #expect(rows.map(\.count) == [2, 1, 1])
  }

  @Test func `of columns with one name, a dictionary has the last that is not NULL`() throws {
    let row: [String: Any] = try get("{}", "select 1 as a, 2 as a, null as a")
    #expect(row["a"] as? Int == 2)
    #expect(row.count == 1)
  }

  @Test func `a result is had as a type that its value fits`() throws {
    let result = try call("int", "select 5")
    #expect(try result.get(as: Int32.self) == 5)
    #expect(try result.get(as: Int?.self) == 5)
    let error = #expect(throws: NacreError.self) { try result.get(as: String.self) }
    #expect(error?.code == .valueMismatch)
  }
}
