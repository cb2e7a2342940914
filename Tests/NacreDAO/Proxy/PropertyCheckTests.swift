import Foundation
import NacreCore
import Testing

@testable import NacreDAO

/// Properties that the types of a protocol's arguments have not.
@Suite struct PropertyCheckTests {
  struct Task: Codable, Hashable { var title = "" }

  /// Has a stored property that it does not encode.
  struct Partly: Codable {
    var title = ""
    var hidden = 1
    private enum CodingKeys: CodingKey { case title }
  }

  struct Wide: Codable {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init?(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    var title = ""
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys { title = try container.decode(String.self, forKey: key) }
    }
    func encode(to encoder: any Encoder) throws {}
  }

  class Open: Codable { var title = "" }

  private func check(
    _ body: String,
    _ types: [any Any.Type],
    foreach: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [String] {
    let (xml, places) = Configuration.places(
      in: """
        <module>
          <update id="put" arguments="\(["t", "u"].prefix(types.count).joined(separator: ", "))" \(foreach)>
            \(body)
          </update>
        </module>
        """
    )
    let found = Configuration.issues(
      xml,
      models: [],
      [DAOSignature("put", types, Void.self, at: "A.swift:1")]
    )
    #expect(found.map(\.place) == places, "\(found)", sourceLocation: sourceLocation)
    return found.map(\.message)
  }

  @Test func `a property that a model has not is told with its place`() {
    let one = check("a = ‸#{t.contnet} and b = #{t.content}", [Message.self])
    #expect(one.count == 1)
    #expect(one.first?.contains("“t.contnet”: Message has no property “contnet”") == true)
    #expect(
      check("#{t.title} <if true='1'>@{u.content} ‸@{u.contents}</if>", [Task?.self, Message.self])
        .count == 1
    )
    #expect(check("‸#{t.colour.content}", [Message?.self]).count == 1)
  }

  @Test func `the items of loops are of the collection's type`() {
    #expect(check("#{x.content} ‸#{x.id}", [[Message].self], foreach: "foreach='t.x'").count == 1)
    #expect(
      check(
        "<foreach item='x' collection='t'>#{x.msgId}‸#{x.id}</foreach> #{x.id}",
        [[Message]?.self]
      ).count == 1
    )
    #expect(
      check(
        "<foreach item='t' collection='u'>#{t.content}#{t.title}</foreach>‸#{t.title}",
        [Message.self, Set<Task>.self]
      ).count == 1
    )
  }

  @Test func `properties that only a value can tell are accepted`() {
    let body = "#{t.anything} #{t.hidden} #{t.count} #{t.a.b}"
    let types: [any Any.Type] = [
      Wide.self, Open.self, Any.self, [String: Any].self, [String: Int]?.self, NSDictionary.self,
      (any Encodable).self, AnyObject.self, [Task].self, Int.self, String.self, Sheet.self,
      Task.self,
    ]
    for type in types { #expect(check(body, [type]) == [], "\(type)") }
    // Of a struct that an entity keeps as JSON, too.
    #expect(check("#{t.inner.content} #{t.inner.anything}", [Envelope.self]) == [])
    #expect(check("#{t.hidden} #{t.title} #{t.anything}", [Partly.self]) == [])
    #expect(check("#{t.objectID} #{t.content}", [Message.self]) == [])
    #expect(check("#{u.anything} #{t.title}", [Task.self]) == [])
  }

  @Test func `a sealed property that no crypt names is told, too`() {
    let (xml, places) = Configuration.places(
      in: """
        <module tableName="jots">
          <insert id="one" arguments="todo">insert into ${T} values (#{todo.title}, ‸#{todo.note})</insert>
          <insert id="each" arguments="todos" foreach="todos.todo">
            insert into ${T} values (#{todo.title}, ‸#{todo.note})
          </insert>
          <insert id="in" arguments="todos">insert into ${T} values
            <foreach item="t" collection="todos" separator=",">(‸@{t.note or ""})</foreach></insert>
          <insert id="any" arguments="todo">insert into ${T} values (#{todo.note})</insert>
        </module>
        """
    )
    let methods = [
      DAOSignature("one", [Todo?.self], Void.self, at: ""),
      DAOSignature("each", [[Todo].self], Void.self, at: ""),
      DAOSignature("in", [Set<Int>?.self], Void.self, at: ""),
      DAOSignature("in", [[Todo]?.self], Void.self, at: ""),
      DAOSignature("any", [Any.self], Void.self, at: ""),
    ]
    let found = Configuration.issues(xml, models: [], methods)
    #expect(found.map(\.place) == places)
    for issue in found {
      #expect(issue.message.contains(#"<crypt class="Todo" property="note"/>"#))
    }
  }
}
