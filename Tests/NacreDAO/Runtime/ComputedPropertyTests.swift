import NacreCore
import Testing

@testable import NacreDAO

/// Properties that a model computes, and whose names its type gives.
@Suite struct ComputedPropertyTests {
  private struct Author: Codable, ComputedProperties {
    var first: String
    var last: String?
    var fullName: String { last.map { first + " " + $0 } ?? first }
    var initial: String? { last.map { String($0.prefix(1)) } }
    var secret: String { "not named" }

    static var computedProperties: [String: PartialKeyPath<Author>] {
      ["fullName": \.fullName, "initial": \.initial, "first": \.secret]
    }
  }

  /// Neither an entity nor Codable.
  private final class Book: ComputedProperties {
    var id = 5
    var author: Author { Author(first: "Ada", last: "Byron") }

    static var computedProperties: [String: PartialKeyPath<Book>] { ["author": \.author] }
  }

  private func desk() throws -> Desk {
    try Desk(
      methods: """
        <insert id="put" arguments="id, a">
          insert into ${T} (id, content) values (#{id}, #{a.fullName})
        </insert>
        <insert id="putAll" arguments="authors" foreach="authors.a">
          insert into ${T} (content, uin) values (#{a.fullName}, #{a.initial})
        </insert>
        <insert id="putIf" arguments="a">
          <if true="a.initial != nil">insert into ${T} (content) values (#{a.first})</if>
        </insert>
        <insert id="putBook" arguments="b">
          insert into ${T} (id, content) values (#{b.id}, #{b.author.fullName})
        </insert>
        <insert id="putSecret" arguments="a">
          insert into ${T} (content) values (#{a.secret})
        </insert>
        """
    )
  }

  @Test func `a path reaches the computed properties that a model names`() throws {
    let desk = try desk()
    let authors = [Author(first: "Ada", last: "Byron"), Author(first: "Bob", last: nil)]
    #expect(desk.dao.call("putAll", [authors]).succeeded)
    #expect(desk.dao.call("put", [3, authors[0]]).succeeded)
    #expect(desk.dao.call("putBook", [Book()]).succeeded)
    #expect(try desk.contents == ["Ada Byron", "Bob", "Ada Byron", "Ada Byron"])
    let initials = try desk.store.read { try $0.query("select uin from notes where id < 3") }
    #expect(initials == [["B"], [.null]])
  }

  @Test func `a condition sees a computed property, and a stored one comes first`() throws {
    let desk = try desk()
    #expect(desk.dao.call("putIf", [Author(first: "Bob", last: nil)]).flags == [.void])
    #expect(desk.dao.call("putIf", [Author(first: "Ada", last: "Byron")]).flags == [.ran])
    #expect(try desk.contents == ["Ada"])
  }

  @Test func `a computed property that a model does not name fails the call`() throws {
    let desk = try desk()
    let result = desk.dao.call("putSecret", [Author(first: "Ada", last: nil)])
    #expect(result.code == .badArgument)
  }

  @Test func `an entity has the computed properties that it names`() throws {
    let desk = try desk()
    let message = Message.make(7, "hello")
    #expect(try message.value(forKey: "heading") as? String == "7: hello")
    #expect(try message.value(forKeyPath: "heading") as? String == "7: hello")
    #expect(try Message.make(7, nil).value(forKey: "heading") == nil)
    let error = #expect(throws: NacreError.self) { try message.value(forKey: "shout") }
    #expect(error?.code == .noSuchProperty && error?.property == "shout")
    let methods = """
      <insert id="head" arguments="m">insert into ${T} (content) values (#{m.heading})</insert>
      <insert id="headAll" arguments="all" foreach="all.m">
        insert into ${T} (id, content) values (#{m.msgId}, #{m.heading})
      </insert>
      """
    let other = try Desk(methods: methods, in: desk.home)
    #expect(other.dao.call("head", [message]).succeeded)
    #expect(other.dao.call("headAll", [[message, Message.make(8, nil)]]).succeeded)
    #expect(try other.contents == ["7: hello", "7: hello", nil])
  }

  @Test func `a protocol's arguments have their computed properties`() {
    let xml = """
      <module>
        <update id="put" arguments="m">a = #{m.heading} and b = #{m.shout}</update>
      </module>
      """
    let signature = DAOSignature("put", [Message.self], Void.self, at: "A.swift:1")
    let issues = Configuration.issues(xml, models: [], [signature])
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("shout") == true, "\(issues)")
  }
}

extension Message: ComputedProperties {
  fileprivate var heading: String? { content.map { "\(msgId): \($0)" } }

  static var computedProperties: [String: PartialKeyPath<Message>] { ["heading": \.heading] }
}
