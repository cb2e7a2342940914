import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// Mutated configurations whose methods are called on a real file: each call ends with a value or a named error, and the
/// file stays whole.
@Suite struct FuzzStoreTests {
  struct Chat: Codable, Equatable {
    var id: Int?
    var author = "it's"
    var content = "text"
  }

  private static let configurations = [
    """
    <module name="a" initializer="make" tableName="chats" version="1.1">
    <const columns="author, content"/><crypt class="Chat" property="content"/>
    <map id="chat" result="Chat"><result property="id" column="number"/></map>
    <update id="make">create table if not exists ${T} (number integer primary key, ${columns})</update>
    <upgrade toVersion="1.1"><step resumable="true">alter table ${T} add a</step></upgrade>
    <insert id="add" arguments="chats" foreach="chats.c">
    insert into ${T} (${columns}) values (%{'#{c.*}', author, content})</insert>
    <select id="find" arguments="d, a" result="[:chat]">select * from ${T} <where>
    <if true="a != nil">and number &gt; #{a}</if> and number in
    <foreach item="x" collection="d" open="(" separator="," close=")">#{x}</foreach></where></select>
    </module>
    """,
    """
    <module name="b" initializer="make" tableName="order">
    <update id="make"><step>create table if not exists ${T} (a, b unique)</step>
    <step resumable="true">create index idx_${T} on ${T} (a)</step></update>
    <insert id="put" arguments="a, c"><try>insert into ${T} values (#{a}, @{c})<except>
    update ${T} <set><if true="a">a = #{a},</if> b = '@{c}'</set></except></try></insert>
    <select id="all" arguments="b" result="[{}]" parallel="true">select a, b as '@{c}' from ${T}
    <choose><when true="b == nil">order by a</when><otherwise>limit 1</otherwise></choose></select>
    <delete id="clear" arguments="m">delete from ${T} where <format pairs="m" join="and"/></delete>
    </module>
    """,
    """
    <module name="c" initializer="make" tableName="notes" version="2" resetOnUpgrade="true">
    <update id="make">create table if not exists ${T} (id integer primary key, body)</update>
    <crypt class="Chat" property="author"/>
    <map id="chat" result="Chat"><result property="author" column="body"/></map>
    <insert id="one" arguments="$chat">insert into ${T} (body) values (#{chat.author or ""})</insert>
    <insert id="many" arguments="chats">insert into ${T} (body) values
    <foreach item="c" collection="chats" separator=",">(#{c.author})</foreach></insert>
    <select id="first" result="binary">select body from ${T} limit 1</select>
    <select id="each" arguments="d" foreach="d.x" result="int">select #{x} + count(*) from ${T}</select>
    </module>
    """,
  ]

  private static func value(_ name: String) -> Any? {
    switch name {
    case "chats": [Chat(), Chat(author: "b\"", content: "")]
    case "chat": Chat()
    case "a": 1
    case "c": "it's"
    case "d": [1, 2, 3]
    case "m": ["a": 1, "b": "x\""] as [String: Any]
    default: nil
    }
  }

  @Test(arguments: FuzzTests.seeds)
  func `a method of a mutated configuration ends with a value or an error`(seed: UInt64) throws {
    let home = try TestStore()
    var mutation = Mutation(seed: seed, pieces: FuzzSamples.marks)
    var (ran, failed) = (0, 0)
    for _ in 0..<300 {
      let text = mutation.mutated(Self.configurations)
      let dao: DAO
      do {
        dao = try DAO(configuration: text, store: home.store, models: [Chat.self])
      } catch {
        #expect(error is ConfigurationError, "\(text.debugDescription) \(error)")
        continue
      }
      dao.globalArguments = ["x": 1]
      for (key, method) in dao.module.methods.sorted(by: { $0.key.id < $1.key.id }) {
        let result = dao.call(key.id, method.arguments.map { Self.value($0.name) })
        if result.failed { failed += 1 } else { ran += 1 }
        #expect(
          result.succeeded || result.error is NacreError,
          "\(text.debugDescription) \(String(describing: result.error))"
        )
        #expect(!home.store.isWritingOnThisThread)
      }
    }
    #expect(ran > 50 && failed > 10, "\(ran) \(failed)")
    let check = try home.store.read { try $0.query("pragma integrity_check") }
    #expect(check == [["ok"]])
  }

  @Test func `the configurations run without errors before they are mutated`() throws {
    for text in Self.configurations {
      let home = try TestStore()
      let dao = try DAO(configuration: text, store: home.store, models: [Chat.self])
      dao.globalArguments = ["c": "name"]
      for (key, method) in dao.module.methods {
        let result = dao.call(key.id, method.arguments.map { Self.value($0.name) })
        #expect(result.error == nil, "\(key.id)")
      }
    }
  }
}
