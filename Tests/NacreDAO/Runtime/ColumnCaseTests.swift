import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// A column fills the property of its name, in any case of its letters.
@Suite struct ColumnCaseTests {
  private struct Link: Codable, Equatable {
    var url: String
    var URL: String?
    var note: String?
  }

  private func desk(_ columns: String) throws -> Desk {
    try Desk(
      """
      <module tableName="links">
        <map id="mapped" result="Message"><result property="msgId" column="Number"/></map>
        <crypt class="Letter" property="content"/>
        <select id="messages" result="[Message]">select \(columns)</select>
        <select id="byMap" result="[:mapped]">select \(columns)</select>
        <select id="letters" result="[Letter]">select \(columns)</select>
        <select id="links" result="[Link]">select \(columns)</select>
      </module>
      """,
      models: [Message.self, Letter.self, Link.self]
    )
  }

  @Test func `an entity and a Codable type are filled from columns in another case`() throws {
    let desk = try desk("5 as MSGID, 'a' as Content, 9 as uIN, 1 as READ")
    let message = try #require(try desk.dao.call("messages").get(as: [Message].self).first)
    #expect(message.msgId == 5 && message.content == "a" && message.uin == 9 && message.read)
    let plain = try self.desk("5 as MSGID, 9 as uIN, 1 as READ")
    #expect(
      try plain.dao.call("letters").get() == [Letter(msgId: 5, content: nil, uin: 9, read: true)]
    )
  }

  @Test func `a map names columns in any case, and each once`() throws {
    let desk = try desk("7 as NUMBER, 'a' as content")
    #expect(try desk.dao.call("byMap").get(as: [Message].self).map(\.msgId) == [7])
    let issues = Configuration.issues(
      """
      <module><map id='m' result='A'><result property='a' column='c'/>
      <result property='b' column='C'/></map></module>
      """
    )
    #expect(issues.map(\.line) == [2])
  }

  @Test func `a column with exactly the property's name comes first`() throws {
    let both = try desk("1 as MSGID, 2 as msgId, 3 as MsgId")
    #expect(try both.dao.call("messages").get(as: [Message].self).map(\.msgId) == [2])
    let one = try desk("'a' as url, 'n' as NOTE")
    #expect(try one.dao.call("links").get() == [Link(url: "a", URL: nil, note: "n")])
    let two = try desk("'a' as url, 'b' as URL")
    #expect(try two.dao.call("links").get() == [Link(url: "a", URL: "b", note: nil)])
  }

  @Test func `sealed values are opened from a column in another case`() throws {
    let desk = try Desk(
      """
      <module tableName="letters" initializer="make">
        <crypt class="Letter" property="content"/>
        <crypt class="Message" property="content"/>
        <update id="make">
          create table if not exists ${T} (MSGID integer primary key, CONTENT blob, UIN, READ)
        </update>
        <insert id="add" arguments="letter">
          insert into ${T} values (#{letter.msgId}, #{letter.content}, 1, 0)
        </insert>
        <insert id="addMessage" arguments="message">
          insert into ${T} values (#{message.msgId}, #{message.content}, 1, 0)
        </insert>
        <select id="letters" result="[Letter]">select * from ${T}</select>
        <select id="messages" result="[Message]">select * from ${T}</select>
      </module>
      """
    )
    let letter = Letter(msgId: 1, content: "sealed", uin: 1)
    #expect(desk.dao.call("add", [letter]).succeeded)
    #expect(try desk.dao.call("letters").get() == [letter])
    let other = desk.dao.forTable("messages")
    #expect(other.call("addMessage", [Message.make(2, "sealed, too")]).succeeded)
    #expect(try other.call("messages").get(as: [Message].self).map(\.content) == ["sealed, too"])
  }
}
