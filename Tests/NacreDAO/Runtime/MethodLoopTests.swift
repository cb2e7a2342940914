import Foundation
import NacreCore
import Testing

@testable import NacreDAO

@Suite struct MethodLoopTests {
  private func rows(_ desk: Desk) throws -> [[Value]] {
    try desk.store.read { try $0.query("select id, content, uin, read from notes order by id") }
  }

  @Test func `the statement runs for every element of an array, in its order`() throws {
    let desk = try Desk(methods: "")
    let messages = [Message.make(2, "b", read: true), Message.make(1, nil)]
    let result = desk.dao.call("addAll", [messages])
    #expect(result.succeeded && result.flags == [.ran, .ran])
    #expect(desk.dao.lastInsertRowID == 1)
    #expect(try rows(desk) == [[1, .null, 7, 0], [2, "b", 7, 1]])
  }

  @Test func `elements are of any type that has properties`() throws {
    let desk = try Desk(
      methods: """
        <insert id="addSome" arguments="messages" foreach="messages.model">
          insert into ${T} (id, content) values (#{model.msgId}, #{model.content})
        </insert>
        """
    )
    let elements: [Any] = [
      Message.make(1, "entity"), Letter(msgId: 2, content: "struct"),
      ["msgId": 3, "content": "dictionary"] as [String: Any], ColouredSheet(4, "class"),
      Letter(msgId: 5, content: nil), Sheet(6, nil), Message.make(7, nil),
      ["msgId": 8] as [String: Any?],
    ]
    #expect(desk.dao.call("addSome", [elements]).succeeded)
    #expect(
      try desk.contents == ["entity", "struct", "dictionary", "class", nil, nil, nil, nil]
    )
  }

  @Test func `a property that stands twice in a statement is bound twice`() throws {
    let desk = try Desk(
      methods: """
        <insert id="put" arguments="messages" foreach="messages.m">
          insert into ${T} (id, content, uin) values (#{m.msgId}, #{m.content}, #{m.msgId})
          on conflict do update set content = #{m.content} || '!', uin = #{m.uin}
        </insert>
        """
    )
    let elements: [Any] = [
      Message.make(1, "a"), Letter(msgId: 2, content: "b"), Letter(msgId: 1, content: "c"),
      Message.make(2, "d"), ["msgId": 3, "content": "e", "uin": 0] as [String: Any],
    ]
    #expect(desk.dao.call("put", [elements]).succeeded)
    #expect(
      try rows(desk) == [[1, "c!", 7, .null], [2, "d!", 7, .null], [3, "e", 3, .null]]
    )
  }

  /// What calls the method that stores it, for its parts, while it is being read.
  private final class Nested: Encodable {
    enum Key: CodingKey { case id, name }
    let id: Int
    let parts: [Nested]
    let dao: DAO
    let method: String

    init(_ id: Int, _ parts: [Nested] = [], _ dao: DAO, _ method: String) {
      (self.id, self.parts, self.dao, self.method) = (id, parts, dao, method)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(id, forKey: .id)
      if method == "put" { _ = try dao.call("put", [parts, id]).get(as: Any?.self) }
      if method == "one" {
        for part in parts { _ = try dao.call("one", [part, id]).get(as: Any?.self) }
      }
      try container.encode("name \(id)", forKey: .name)
    }
  }

  @Test(arguments: ["put", "one"])
  func `an element that calls its method for others while it is read is bound as it is`(
    method: String
  ) throws {
    let desk = try Desk(
      methods: """
        <insert id="put" arguments="nodes, owner" foreach="nodes.n">
          insert into ${T} (uin, id, content) values (#{owner}, #{n.id}, #{n.name})
        </insert>
        <insert id="one" arguments="n, owner">
          insert or replace into ${T} (uin, id, content) values (#{owner}, #{n.id}, #{n.name})
        </insert>
        """
    )
    let parts = [Nested(2, [], desk.dao, method), Nested(3, [], desk.dao, method)]
    let whole = Nested(1, parts, desk.dao, method)
    #expect(desk.dao.call(method, [method == "put" ? [whole] : whole, 0]).error == nil)
    #expect(
      try rows(desk).map { $0[0...2] } == [
        [1, "name 1", 0], [2, "name 2", 1], [3, "name 3", 1],
      ]
    )
  }

  @Test func `foreach takes a set, and elements that are plain values`() throws {
    let desk = try Desk(
      methods: """
        <insert id="addIds" arguments="ids, content" foreach="ids.id">
          insert into ${T} (id, content) values (#{id}, #{content})
        </insert>
        """
    )
    let ids: Set<Int> = [3, 1, 2]
    #expect(desk.dao.call("addIds", [ids, "same"]).succeeded)
    #expect(try desk.contents == ["same", "same", "same"])
    let optionals: [Int?] = [4, nil]
    #expect(desk.dao.call("addIds", [optionals, "more"]).succeeded)
    #expect(try desk.dao.call("count").get() == 5)
  }

  @Test func `an empty collection runs nothing and succeeds; nil and other values fail`() throws {
    let desk = try Desk(methods: "")
    let result = desk.dao.call("addAll", [[Message]()])
    #expect(result.succeeded && result.flags.isEmpty)
    for wrong: Any? in [nil, 5, "text", ["a": 1]] {
      #expect(desk.dao.call("addAll", [wrong]).code == .badArgument)
    }
    #expect(try desk.dao.call("count").get() == 0)
  }

  @Test func `one failure undoes all elements`() throws {
    let desk = try Desk(methods: "")
    let messages = [Message.make(1, "a"), Message.make(2, "b"), Message.make(1, "again")]
    #expect(desk.dao.call("addAll", [messages]).code == .constraint)
    #expect(try desk.dao.call("count").get() == 0)
  }

  @Test func `a missing property, or one without a stored form, is told by its path`() throws {
    let desk = try Desk(
      methods: """
        <insert id="odd" arguments="items" foreach="items.it">
          insert into ${T} (content) values (#{it.colour})
        </insert>
        """
    )
    struct Brush { var colour = Mirror(reflecting: 1) }
    for wrong: [Any] in [[Letter(msgId: 1)], [Sheet(1, "")], [Brush()], [5]] {
      let result = desk.dao.call("odd", [wrong])
      #expect(result.code == .badArgument)
      #expect("\(String(describing: result.error))".contains("it.colour"))
    }
    #expect(desk.dao.call("odd", [[Message.make(1, "")]]).code == .noSuchProperty)
    #expect(desk.dao.call("odd", [[ColouredSheet(1, "")]]).succeeded)
    #expect(try desk.contents == ["red"])
  }

  @Test func `conditions see the item of a loop, and an empty statement runs nothing`() throws {
    let desk = try Desk(
      methods: """
        <insert id="addRead" arguments="messages, onlyRead" foreach="messages.model">
        <if true="model.read or (not onlyRead)">
        insert or replace into ${T} (id, content, read) values(#{model.msgId}, #{model.content}, #{model.read})
        </if>
        </insert>
        """
    )
    let messages = [Message.make(1, "a", read: true), Message.make(2, "b")]
    #expect(desk.dao.call("addRead", [messages, true]).flags == [.ran, .void])
    #expect(try desk.contents == ["a"])
    #expect(desk.dao.call("addRead", [messages, false]).flags == [.ran, .ran])
    let letters = [Letter(msgId: 3, content: "c"), Letter(msgId: 4, content: "d", read: true)]
    #expect(desk.dao.call("addRead", [letters, true]).flags == [.void, .ran])
    #expect(try desk.contents == ["a", "b", "d"])
  }

  @Test func `a path goes on through properties, and nil on the way is nil`() throws {
    struct Author: Codable { var name: String }
    struct Book: Codable {
      var id: Int
      var author: Author?
    }
    let desk = try Desk(
      methods: """
        <insert id="books" arguments="books" foreach="books.b">
          insert into ${T} (id, content) values (#{b.id}, #{b.author.name})
        </insert>
        <insert id="book" arguments="b">
          insert into ${T} (id, content) values (#{b.id}, #{b.author.name or ""})
        </insert>
        """
    )
    let books = [Book(id: 1, author: Author(name: "Ada")), Book(id: 2, author: nil)]
    #expect(desk.dao.call("books", [books]).succeeded)
    #expect(desk.dao.call("book", [Book(id: 3, author: nil)]).succeeded)
    #expect(desk.dao.call("book", [["id": 4, "author": ["name": "Bob"]]]).succeeded)
    #expect(try desk.contents == ["Ada", nil, "", "Bob"])
  }

  @Test func `values are bound in their stored forms`() throws {
    let desk = try Desk(
      """
      <module><select id="kind" arguments="v" result="string">select typeof(#{v}) || ':' || quote(#{v})</select></module>
      """
    )
    let uuid = UUID()
    let values: [(Any?, String)] = [
      (1, "integer:1"), (Int8(-1), "integer:-1"), (true, "integer:1"), (2.5, "real:2.5"),
      ("it's", "text:'it''s'"), (Data([1]), "blob:X'01'"), (nil, "null:NULL"),
      (Date(timeIntervalSince1970: 2.5), "real:2.5"), (NSNumber(value: 2.5), "real:2.5"),
      (NSNumber(value: 3), "integer:3"), (Letter.Mood.sad, "text:'sad'"),
      ([1, 2], "text:'[1,2]'"), (["a": 1], "text:'{\"a\":1}'"),
      ([1, "a"] as [Any], "text:'[1,\"a\"]'"), (uuid, "blob:"), (Int?.some(4) as Any, "integer:4"),
      (Int?.none as Any, "null:NULL"), (URL(string: "a:b"), "text:'a:b'"),
    ]
    for (value, expected) in values {
      let found: String = try desk.dao.call("kind", [value]).get()
      #expect(found.hasPrefix(expected))
    }
    for wrong: Any in [
      Double.nan, Mirror(reflecting: 1), UInt64.max, NSNumber(value: UInt64.max),
    ] {
      #expect(desk.dao.call("kind", [wrong]).code == .badArgument)
    }
  }
}
