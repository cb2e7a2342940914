import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// `@{}`, `#{}`, `${}` and chains.
@Suite struct ReferenceSampleTests {
  @Test func `a text in @ has quotes once, also where the configuration has them`() throws {
    let desk = try Desk(
      sample: """
        <select id="getMessage" arguments="id" result="[MessageModel]">
        select * from ${T} where id = @{id}
        </select>
        <select id="quoted" arguments="id" result="[MessageModel]">
        select * from ${T} where id = '@{id}'
        </select>
        <insert id="add" arguments="id">insert into ${T} values(#{id}, 'text')</insert>
        """,
      columns: "id text, content"
    )
    desk.dao.call("add", ["m1"])
    for method in ["getMessage", "quoted"] {
      #expect(
        desk.statements(of: method, ["m1"]) == ["select * from tableDemo where id = 'm1'"]
      )
      #expect(try desk.dao.call(method, ["m1"]).get(as: [MessageModel].self).count == 1)
      // A58: what would end the quotes is doubled.
      let injected = "' or '1' = '1"
      #expect(try desk.dao.call(method, [injected]).get(as: [MessageModel].self).isEmpty)
    }
  }

  @Test(arguments: [
    ("@{something}", nil, "NULL"), ("@{something or \"\"}", nil, "''"),
    ("'@{something or \"\"}'", nil, "''"), ("@{something}", "a", "'a'"),
    ("@{something no \"\"}", "a", "a"), ("@{something or \"\"}", "a", "'a'"),
  ])
  func `or makes an empty text of nil, and no leaves the quotes out`(
    reference: String,
    value: String?,
    sql: String
  ) throws {
    #expect(try Configuration.sql(reference, ["something": value]) == sql)
  }

  // A65: the backslash before the sign is Markdown's.
  @Test func `a reference with # is bound, and nil is NULL or an empty text`() throws {
    let statement = try Configuration.statement(
      "#{something}, #{something or \"\"}",
      ["something": nil]
    )
    #expect(statement.sql == "?, ?" && statement.values == ["nil", ""])
  }

  @Test func `a chain goes through objects and dictionaries`() throws {
    let desk = try Desk(
      sample: """
        <select id="chain" arguments="model, adict" result="string">
        select @{model.content} || #{model.content} || #{adict.aaa}
        </select>
        """,
      columns: "a"
    )
    let model = MessageModel(1, "c")
    #expect(try desk.dao.call("chain", [model, ["aaa": "d"]]).get() == "ccd")
    let foundation = NSDictionary(dictionary: ["aaa": "d"])
    #expect(try desk.dao.call("chain", [model, foundation]).get() == "ccd")
    #expect(try desk.dao.call("chain", [nil, ["aaa": "d"]]).get(as: String?.self) == nil)
  }
}

/// `<crypt>`.
@Suite struct CryptSampleTests {
  private static let sample = """
    <crypt class="MessageModel" property="content"/>
    <insert id="insertMessage" arguments="model">
    insert into ${T} (content) values(#{model.content})
    </insert>
    <select id="getMessage" arguments="msgId" result="MessageModel">
    select * from ${T} where msgId = #{msgId}
    </select>
    <select id="stored" result="binary">select content from ${T}</select>
    """

  private func desk() throws -> Desk {
    try Desk(sample: Self.sample, columns: "msgId integer primary key, content text")
  }

  @Test func `content is sealed on its way into the file and opened on its way out`() throws {
    let desk = try desk()
    #expect(desk.dao.call("insertMessage", [MessageModel(nil, "MARKER")]).succeeded)
    let found: MessageModel = try desk.dao.call("getMessage", [1]).get()
    #expect(found.msgId == 1 && found.content == "MARKER")
    let stored: Data = try desk.dao.call("stored").get()
    #expect(stored.range(of: Data("MARKER".utf8)) == nil)
    try desk.store.close()
    #expect(try desk.home.directory.bytes("store.db").range(of: Data("MARKER".utf8)) == nil)
  }

  @Test func `methods that are set seal and open in place of the default`() throws {
    let desk = try desk()
    desk.dao.encryptMethod = { value, type, property in
      guard case .text(let text) = value else { return value }
      return .blob(Data("\(type).\(property):\(text)".utf8))
    }
    desk.dao.decryptMethod = { value, _, _ in
      guard case .blob(let data) = value else { return value }
      return .text(String(decoding: data, as: UTF8.self) + "!")
    }
    desk.dao.call("insertMessage", [MessageModel(nil, "c")])
    #expect(try desk.dao.call("stored").get() == Data("MessageModel.content:c".utf8))
    let found: MessageModel = try desk.dao.call("getMessage", [1]).get()
    #expect(found.content == "MessageModel.content:c!")
    // K3, A157: what was sealed so is nothing that the default opens.
    desk.dao.decryptMethod = nil
    #expect(desk.dao.call("getMessage", [1]).code == .notAnEnvelope)
  }
}
