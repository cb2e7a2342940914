import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// The properties of a Codable model are its coding keys, in every rule, map and reference.
@Suite struct CodingKeyTests {
  struct Renamed: Codable, Equatable {
    enum CodingKeys: String, CodingKey { case content = "c", number }

    var number = 1
    var content = "MARKER"
  }

  class Base: Codable {
    private enum CodingKeys: String, CodingKey { case content = "c" }

    var content = "MARKER"
    init() {}
  }

  final class Sub: Base {
    private enum CodingKeys: String, CodingKey { case note = "n" }

    var note = "note"

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
      note = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .note)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(note, forKey: .note)
    }
  }

  /// It takes any text for a key, and has those of `Renamed`.
  struct Open: Codable {
    struct AnyKey: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var content = "MARKER"

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      content = try container.decode(String.self, forKey: AnyKey(stringValue: "c"))
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(content, forKey: AnyKey(stringValue: "c"))
    }
  }

  /// It is written and never read, so that nothing tells its keys before there is one.
  struct Written: Encodable {
    enum CodingKeys: String, CodingKey { case content = "c" }

    var content = "MARKER"
  }

  /// It is read and never written, so that reflection tells its properties.
  struct Read: Decodable {
    enum CodingKeys: String, CodingKey { case content = "c" }

    var content = "MARKER"
  }

  enum Mood: String, Codable { case glad }

  /// It asks for the keys of an earlier form, too.
  struct Aged: Decodable {
    enum CodingKeys: String, CodingKey { case title }
    enum EarlierKeys: String, CodingKey { case name }

    var title: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let earlier = try decoder.container(keyedBy: EarlierKeys.self)
      title =
        try container.decodeIfPresent(String.self, forKey: .title)
        ?? earlier.decode(String.self, forKey: .name)
    }
  }

  struct Box: Encodable {
    enum CodingKeys: String, CodingKey { case inner = "i" }

    var inner = Renamed()
  }

  struct Vault: Codable {
    struct Part: Codable {
      var c = "MARKER"
      var list = ["MARKER"]
    }

    var inner = Part()
    var pairs = ["content": "MARKER"]
  }

  private static let models: [any Any.Type] = [
    Renamed.self, Base.self, Sub.self, Open.self, Written.self, Read.self, Mood.self, Aged.self,
    Vault.self, Message.self, Sheet.self,
  ]

  private func desk(_ rules: String, _ methods: String = "") throws -> Desk {
    try Desk(
      """
      <module name="m" tableName="notes" initializer="make">
        <update id="make">create table if not exists ${T} (c, content)</update>
        \(rules)
        <insert id="one" arguments="m">insert into ${T} (c) values (#{m.c})</insert>
        <insert id="each" arguments="ms" foreach="ms.m">
          insert into ${T} (c) values (#{m.c})
        </insert>
        <insert id="inside" arguments="ms">
          insert into ${T} (c) values
          <foreach item="m" collection="ms" separator=",">(#{m.c})</foreach>
        </insert>
        <insert id="list" arguments="m">insert into ${T} (c) values (%{'#{m.*}', c})</insert>
        <insert id="nested" arguments="box">insert into ${T} (c) values (#{box.i.c})</insert>
        <insert id="eachNested" arguments="boxes" foreach="boxes.box">
          insert into ${T} (c) values (#{box.i.c})
        </insert>
        \(methods)
      </module>
      """,
      models: Self.models
    )
  }

  private func expectNoMarker(in desk: Desk) throws {
    try desk.store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: desk.home.directory.path) {
      #expect(try desk.home.directory.bytes(name).range(of: Data("MARKER".utf8)) == nil, "\(name)")
    }
  }

  private func issues(_ text: String) -> [ConfigurationIssue] {
    do {
      _ = try Desk(text, models: Self.models)
      return []
    } catch {
      return (error as? ConfigurationError)?.issues ?? []
    }
  }

  @Test func `a name that is no coding key is told with its place`() throws {
    let (text, places) = Configuration.places(
      in: """
        <module>
          <crypt class="Renamed" ‸property="content"/> <crypt class="Renamed" ‸property="C"/>
          <crypt class="Base" ‸property="content"/> <crypt class="Sub" ‸property="note"/>
          <crypt class="Mood" ‸property="rawValue"/> <crypt class="Read" ‸property="content"/>
          <map id="a" result="Renamed">
            <result ‸property="content" column="a"/> <result property="c" column="b"/>
          </map>
          <map id="b" result="Message"><result column="a" ‸property="contents"/></map>
          <map id="c" result="Aged"><result property="title" column="a"/>
            <result property="name" column="b"/><result ‸property="names" column="c"/></map>
          <select id="s" result=":a">select 1</select>
        </module>
        """
    )
    let issues = issues(text)
    #expect(issues.map(\.place) == places)
    #expect(issues.first?.message.contains("content") == true)
  }

  @Test func `names that are coding keys are no mistakes, nor those that only a value can tell`() {
    let text = """
      <module>
        <crypt class="Renamed" property="c"/><crypt class="Base" property="c"/>
        <crypt class="Sub" property="c"/><crypt class="Sub" property="n"/>
        <crypt class="Open" property="anything"/><crypt class="Written" property="content"/>
        <crypt class="Sheet" property="content"/>
      </module>
      """
    #expect(issues(text) == [])
  }

  @Test(arguments: ["one", "each", "inside", "list", "nested", "eachNested"])
  func `a coding key is sealed however it is bound, and opened`(method: String) throws {
    let desk = try desk(
      "<crypt class=\"Renamed\" property=\"c\"/>",
      "<select id=\"all\" result=\"[Renamed]\">select c, 1 as number from ${T}</select>"
    )
    let one: Any = method.contains("ested") ? Box() : Renamed()
    let isMany = ["each", "inside", "eachNested"].contains(method)
    #expect(desk.dao.call(method, [isMany ? [one] : one]).error == nil)
    #expect(try desk.dao.call("all").get(as: [Renamed].self) == [Renamed()])
    try expectNoMarker(in: desk)
  }

  @Test(arguments: ["Base", "Sub"])
  func `a subclass's inherited coding key is sealed`(name: String) throws {
    let desk = try desk("<crypt class=\"\(name)\" property=\"c\"/>")
    for method in ["one", "list"] { #expect(desk.dao.call(method, [Sub()]).error == nil) }
    for method in ["each", "inside"] { #expect(desk.dao.call(method, [[Sub()]]).error == nil) }
    try expectNoMarker(in: desk)
  }

  @Test func `the stored property behind a sealed coding key is no name`() throws {
    let desk = try desk(
      """
      <crypt class="Renamed" property="c"/><crypt class="Base" property="c"/>
      """,
      """
      <insert id="stored" arguments="m">insert into ${T} (c) values (#{m.content})</insert>
      <insert id="spliced" arguments="m">insert into ${T} (c) values (@{m.content})</insert>
      <insert id="eachStored" arguments="ms" foreach="ms.m">
        insert into ${T} (c) values (#{m.content})
      </insert>
      <insert id="storedInside" arguments="ms">
        insert into ${T} (c) values
        <foreach item="m" collection="ms" separator=",">(#{m.content or ""})</foreach>
      </insert>
      <insert id="storedNested" arguments="box">
        insert into ${T} (c) values (#{box.inner.content})
      </insert>
      <insert id="eachNestedStored" arguments="ms" foreach="ms.m">
        insert into ${T} (c) values (#{m.i.content})
      </insert>
      """
    )
    for object in [Renamed(), Base(), Sub()] as [Any] {
      for id in ["stored", "spliced"] { #expect(desk.dao.call(id, [object]).code == .badArgument) }
      for id in ["eachStored", "storedInside"] {
        #expect(desk.dao.call(id, [[object]]).code == .badArgument)
      }
    }
    #expect(desk.dao.call("storedNested", [Box()]).code == .badArgument)
    #expect(desk.dao.call("eachNestedStored", [[Box()]]).code == .badArgument)
    try expectNoMarker(in: desk)
  }

  @Test(arguments: ["Open", "Written", "Read"])
  func `an object that has no property of the rule's name is not bound under another`(
    name: String
  ) throws {
    // Nothing tells the names of these before there is an object, but for what is read alone.
    let desk = try desk(
      "<crypt class=\"\(name)\" property=\"\(name == "Read" ? "c" : "content")\"/>",
      """
      <insert id="stored" arguments="m">insert into ${T} (c) values (#{m.content})</insert>
      <insert id="eachStored" arguments="ms" foreach="ms.m">
        insert into ${T} (c) values (#{m.content})
      </insert>
      """
    )
    let objects: [String: Any] = ["Open": Open(), "Read": Read(), "Written": Written()]
    let object = try #require(objects[name])
    for id in ["one", "list", "stored"] {
      #expect(desk.dao.call(id, [object]).code == .badArgument, "\(id)")
    }
    for id in ["each", "inside", "eachStored"] {
      #expect(desk.dao.call(id, [[object]]).code == .badArgument, "\(id)")
    }
    try expectNoMarker(in: desk)
  }

  @Test func `a part of a sealed property is not stored`() throws {
    let desk = try desk(
      """
      <crypt class="Vault" property="inner"/>
      <map id="vault" result="Vault"><result property="inner" column="c"/></map>
      """,
      """
      <insert id="part" arguments="m">insert into ${T} (c) values (#{m.inner.c})</insert>
      <insert id="spliced" arguments="m">insert into ${T} (c) values (@{m.inner.c})</insert>
      <insert id="size" arguments="m">insert into ${T} (c) values (#{m.inner.list.count})</insert>
      <insert id="loop" arguments="m">
        insert into ${T} (c) values
        <foreach item="x" collection="m.inner.list" separator=",">(#{x})</foreach>
      </insert>
      <insert id="eachPart" arguments="ms" foreach="ms.m">
        insert into ${T} (c) values (#{m.inner.c})
      </insert>
      <insert id="whole" arguments="m">
        <if true="m.inner.list.count == 1">insert into ${T} (c) values (#{m.inner})</if>
      </insert>
      <select id="count" result="int">select count(*) from ${T}</select>
      """
    )
    for id in ["part", "spliced", "size", "loop"] {
      #expect(desk.dao.call(id, [Vault()]).code == .badArgument, "\(id)")
    }
    #expect(desk.dao.call("eachPart", [[Vault()]]).code == .badArgument)
    // An expression may look at it, and as a whole it is sealed.
    #expect(desk.dao.call("whole", [Vault()]).error == nil)
    #expect(try desk.dao.call("count").get() == 1)
    try expectNoMarker(in: desk)
  }

  @Test func `the pairs of a sealed property are refused when the configuration is read`() {
    let (text, places) = Configuration.places(
      in: """
        <module><crypt class="Vault" property="pairs"/>
        <update id="set" arguments="m">update t <format prefix="set" ‸pairs="m.pairs"/></update>
        </module>
        """
    )
    #expect(Configuration.issues(text).map(\.place) == places)
  }

  @Test func `a property that an object leaves out for nil is NULL`() throws {
    struct Sparse: Codable {
      var number = 1
      var c: String?

      enum CodingKeys: CodingKey { case number, c }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        if let c { try container.encode(c, forKey: .c) }
      }
    }
    let desk = try Desk(
      """
      <module name="m" tableName="notes" initializer="make">
        <update id="make">create table if not exists ${T} (id, c)</update>
        <crypt class="Sparse" property="c"/>
        <insert id="add" arguments="ms" foreach="ms.m">
          insert into ${T} values (#{m.number}, #{m.c})
        </insert>
        <select id="types" result="[string]">select typeof(c) from ${T}</select>
      </module>
      """,
      models: [Sparse.self]
    )
    #expect(desk.dao.call("add", [[Sparse(), Sparse(c: "text")]]).error == nil)
    #expect(try desk.dao.call("types").get() == ["null", "blob"])
  }
}
