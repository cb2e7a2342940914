import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// A statement's columns, as they are kept from one call to the next.
@Suite struct ColumnTests {
  private static let methods = """
    <select id="messages" result="[Message]">select * from ${T} order by msgId</select>
    <select id="letters" result="[Letter]">select * from ${T} order by msgId</select>
    <select id="mapped" result="[:swapped]">select * from ${T} order by msgId</select>
    <map id="swapped" result="Message">
      <result property="uin" column="msgId"/><result property="msgId" column="uin"/>
    </map>
    """

  private func desk() throws -> Desk {
    let desk = try Desk(
      """
      <module tableName="posts" initializer="make">
        <update id="make">
          create table if not exists ${T} (msgId integer, content text, uin integer, read boolean, sent real)
        </update>
        \(Self.methods)
      </module>
      """
    )
    try make(desk, "msgId integer, content text, uin integer, read boolean, sent real")
    return desk
  }

  private func make(_ desk: Desk, _ columns: String) throws {
    try desk.store.write { database in
      try database.execute("DROP TABLE IF EXISTS posts")
      try database.execute("CREATE TABLE posts (\(columns))")
      try database.execute(
        "INSERT INTO posts (msgId, content, uin, read) VALUES (1, 'a', 10, 1), (2, 'b', 20, 0)"
      )
    }
  }

  private func check(_ desk: Desk) throws {
    for _ in 0..<2 {
      let messages = try desk.dao.call("messages").get(as: [Message].self)
      #expect(messages.map(\.msgId) == [1, 2])
      #expect(messages.map(\.content) == ["a", "b"])
      #expect(messages.map(\.uin) == [10, 20])
      #expect(messages.map(\.read) == [true, false])
      let letters = try desk.dao.call("letters").get(as: [Letter].self)
      #expect(
        letters == [
          Letter(msgId: 1, content: "a", uin: 10, read: true),
          Letter(msgId: 2, content: "b", uin: 20, read: false),
        ]
      )
      // The same text with a result of its own.
      let mapped = try desk.dao.call("mapped").get(as: [Message].self)
      #expect(mapped.map(\.msgId) == [10, 20])
      #expect(mapped.map(\.uin) == [1, 2])
    }
  }

  @Test func `columns of a table that was made anew are looked up anew`() throws {
    let desk = try desk()
    try check(desk)
    try make(desk, "content text, read boolean, msgId integer, uin integer")
    try check(desk)
    try make(desk, "uin integer, msgId integer, sent real, read boolean, content text, more text")
    try check(desk)
  }

  @Test func `each object has a default of its own, where defaults differ`() throws {
    let desk = try Desk(
      """
      <module>
        <select id="coupons" result="[Coupon]">select 1 as number union all select 2</select>
      </module>
      """,
      models: [Coupon.self]
    )
    let coupons = try desk.dao.call("coupons").get(as: [Coupon].self)
    #expect(coupons.map(\.number) == [1, 2])
    #expect(coupons[0].code != coupons[1].code)
  }

  @Test func `NULL is what a new object has, in whichever row it stands`() throws {
    let desk = try desk()
    try desk.store.write { database in
      try database.execute(
        "INSERT INTO posts VALUES (3, NULL, NULL, NULL, NULL), (NULL, 'd', 40, 1, 5), (5, 'e', 50, 1, NULL)"
      )
    }
    let messages = try desk.dao.call("messages").get(as: [Message].self)
    #expect(messages.map(\.msgId) == [0, 1, 2, 3, 5])
    #expect(messages.map(\.content) == ["d", "a", "b", nil, "e"])
    #expect(messages.map(\.uin) == [40, 10, 20, 7, 50])
    #expect(messages.map(\.read) == [true, true, false, false, true])
    #expect(messages.map(\.sent?.timeIntervalSince1970) == [5, nil, nil, nil, nil])
  }
}

/// An object whose default is another one in each.
private final class Coupon: Entity {
  var number = 0 { didSet { entityState.markChanged(0) } }
  var code = UUID() { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    number = try row.read(at: 0)
    code = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(number, at: 0)
    try row.bind(code, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Coupon.self, name: "Coupon")
    schema.add("number", \Coupon.number)
    schema.add("code", \Coupon.code)
    return schema.build()
  }()
}
