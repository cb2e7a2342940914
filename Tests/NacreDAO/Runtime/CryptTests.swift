import Foundation
import NacreCore
import Testing

@testable import NacreDAO

@Suite struct CryptTests {
  /// Not a cipher: what a test can look at.
  private static let mark: CryptMethod = { value, type, property in
    guard case .text(let text) = value else { throw ValueError.malformed(type: "text") }
    return .text("\(type).\(property):" + String(text.reversed()))
  }
  private static let unmark: CryptMethod = { value, type, property in
    guard case .text(let text) = value, text.hasPrefix("\(type).\(property):") else {
      throw NacreError.dao(.tampered, "not sealed")
    }
    return .text(String(text.dropFirst("\(type).\(property):".count).reversed()))
  }

  private func desk(_ type: String = "Message") throws -> Desk {
    let desk = try Desk(
      methods: """
        <crypt class="\(type)" property="content"/>
        <insert id="addOne" arguments="model">
          insert into ${T} (id, content) values (#{model.msgId}, #{model.content})
        </insert>
        <insert id="addList" arguments="models" foreach="models.model">
          insert into ${T} (id, content) values (%{'#{model.*}', msgId, content})
        </insert>
        <insert id="addIn" arguments="models">
          insert into ${T} (id, content) values
          <foreach item="m" collection="models" separator=",">(#{m.msgId}, #{m.content})</foreach>
        </insert>
        <select id="get" arguments="id" result=":messageMap">select * from ${T} where id = #{id}</select>
        <select id="letter" arguments="id" result=":letterMap">
          select id, content, 7 as uin, 0 as read from ${T} where id = #{id}
        </select>
        <select id="row" arguments="id" result="{}">select * from ${T} where id = #{id}</select>
        """
    )
    desk.dao.encryptMethod = Self.mark
    desk.dao.decryptMethod = Self.unmark
    return desk
  }

  @Test(arguments: ["addOne", "addList", "addIn"])
  func `a bound property is sealed, and opened in its class alone`(method: String) throws {
    let desk = try desk()
    let message = Message.make(1, "abc")
    #expect(desk.dao.call(method, [method == "addOne" ? message : [message]]).succeeded)
    #expect(try desk.contents == ["Message.content:cba"])
    let row: [String: Any] = try desk.dao.call("row", [1]).get()
    #expect(row["content"] as? String == "Message.content:cba")
    let found: Message = try desk.dao.call("get", [1]).get()
    #expect(found.content == "abc")
    let letter: Letter = try desk.dao.call("letter", [1]).get()
    #expect(letter.content == "Message.content:cba")
  }

  @Test func `the property of a Codable type is sealed and opened, too`() throws {
    let desk = try desk("Letter")
    #expect(desk.dao.call("addList", [[Letter(msgId: 1, content: "abc")]]).succeeded)
    #expect(try desk.contents == ["Letter.content:cba"])
    let letter: Letter = try desk.dao.call("letter", [1]).get()
    #expect(letter.content == "abc")
  }

  @Test func `values of other types than the class are not sealed`() throws {
    let desk = try desk()
    desk.dao.call("add", [1, "plain"])
    desk.dao.call("addOne", [Letter(msgId: 2, content: "letter")])
    desk.dao.call("addOne", [["msgId": 3, "content": "dictionary"]])
    #expect(try desk.contents == ["plain", "letter", "dictionary"])
  }

  @Test func `nil stays NULL`() throws {
    let desk = try desk()
    desk.dao.call("addOne", [Message.make(1, nil)])
    desk.dao.call("addList", [[Message.make(2, nil)]])
    #expect(try desk.contents == [nil, nil])
    let found: Message = try desk.dao.call("get", [1]).get()
    #expect(found.content == nil)
  }

  @Test func `a value that does not open fails the call`() throws {
    let desk = try desk()
    desk.dao.call("add", [1, "plain"])
    let result = desk.dao.call("get", [1])
    #expect(result.code == .tampered && result.value == nil)
  }

  @Test func `the methods are copied, and can be taken away`() throws {
    let desk = try desk()
    var method = Self.mark
    desk.dao.encryptMethod = method
    method = { _, _, _ in .text("changed") }
    desk.dao.call("addOne", [Message.make(1, "abc")])
    #expect(try desk.contents == ["Message.content:cba"])
    #expect(try method(.null, "", "") == .text("changed"))
    let found: Message = try desk.dao.call("get", [1]).get()
    #expect(found.content == "abc")
    // Without a method of its own, the DAO lets the store seal, which makes bytes.
    desk.dao.encryptMethod = nil
    desk.dao.call("addOne", [Message.make(2, "abc")])
    let row: [String: Any] = try desk.dao.call("row", [2]).get()
    #expect(row["content"] is Data)
  }

  @Test func `bytes will do as well as text`() throws {
    let desk = try desk()
    desk.dao.encryptMethod = { value, _, _ in
      if case .text(let text) = value { .blob(Data(text.utf8)) } else { value }
    }
    desk.dao.decryptMethod = { value, _, _ in
      if case .blob(let data) = value {
        .text(String(decoding: data, as: UTF8.self))
      } else {
        value
      }
    }
    desk.dao.call("addOne", [Message.make(1, "abc")])
    let found: Message = try desk.dao.call("get", [1]).get()
    #expect(found.content == "abc")
    let row: [String: Any] = try desk.dao.call("row", [1]).get()
    #expect(row["content"] as? Data == Data("abc".utf8))
  }

  @Test func `names that are no models are found when the DAO is made`() throws {
    let xml = """
      <module>
        <crypt class="Nobody" property="a"/>
        <crypt class="Message" property="colour"/>
        <map id="m" result="Ghost"/>
        <select id="a" result="[Phantom]">select 1</select>
        <select id="b" result=":m">select 1</select>
        <select id="c" result="Sheet">select 1</select>
        <select id="d" result="RuntimeFixturesMessage">select 1</select>
      </module>
      """
    let error = #expect(throws: ConfigurationError.self) {
      try Desk(xml, models: [Message.self, Sheet.self])
    }
    let messages = error?.issues.map { "\($0.line) \($0.message)" } ?? []
    #expect(messages.count == 6)
    #expect(messages.contains { $0.hasPrefix("5 ") && $0.contains("Phantom") })
    #expect(messages.contains { $0.hasPrefix("6 ") && $0.contains("Ghost") })
    #expect(messages.contains { $0.hasPrefix("7 ") && $0.contains("Sheet") })
    #expect(messages.contains { $0.contains("colour") })
    #expect(messages.contains { $0.contains("Nobody") })
  }

  @Test func `a rule of crypt that fits no model is told with its place`() throws {
    let (xml, places) = Configuration.places(
      in: """
        <module>
          <crypt ‸class="Nobody" property="a"/>
          <crypt ‸class="Nobody" property="b"/> <crypt class="Message" ‸property="colour"/>
          <crypt class="Message" property="content"/>
        </module>
        """
    )
    let error = #expect(throws: ConfigurationError.self) { try Desk(xml) }
    #expect(error?.issues.map(\.place) == places)
    #expect(error?.issues.last?.message.contains("colour") == true)
  }
}
