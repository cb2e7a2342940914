import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// The names that an object encodes decide what is sealed, whatever its type decodes.
@Suite struct EncodedNameTests {
  /// It reads an earlier name, too, and writes the later one alone.
  struct Moved: Codable {
    enum CodingKeys: CodingKey { case content, body, number }

    var content = "MARKER"
    var number = 1

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      content =
        try container.decodeIfPresent(String.self, forKey: .content)
        ?? container.decode(String.self, forKey: .body)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(content, forKey: .body)
      try container.encode(number, forKey: .number)
    }
  }

  /// Some objects write their text under another name than the rest.
  struct Either: Encodable {
    enum CodingKeys: CodingKey { case content, body }

    var isMoved = false
    var content: String? = "MARKER"

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if !isMoved { try container.encodeIfPresent(content, forKey: .content) }
      try container.encodeIfPresent(isMoved ? content : "open", forKey: .body)
    }
  }

  private func desk(_ type: String) throws -> Desk {
    try Desk(
      """
      <module name="m" tableName="notes" initializer="make">
        <update id="make">create table if not exists ${T} (c, content)</update>
        <crypt class="\(type)" property="content"/>
        <insert id="one" arguments="m">insert into ${T} (c) values (#{m.body})</insert>
        <insert id="each" arguments="ms" foreach="ms.m">
          insert into ${T} (c) values (#{m.body})
        </insert>
        <insert id="numbers" arguments="ms" foreach="ms.m">
          insert into ${T} (c) values (#{m.number})
        </insert>
        <insert id="both" arguments="ms" foreach="ms.m">
          insert into ${T} values (#{m.body or ""}, #{m.content})
        </insert>
        <insert id="contents" arguments="ms" foreach="ms.m">
          insert into ${T} (content) values (#{m.content})
        </insert>
        <select id="types" result="[string]">select typeof(content) from ${T}</select>
      </module>
      """,
      models: [Moved.self, Either.self]
    )
  }

  private func expectNoMarker(in desk: Desk) throws {
    try desk.store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: desk.home.directory.path) {
      #expect(try desk.home.directory.bytes(name).range(of: Data("MARKER".utf8)) == nil, "\(name)")
    }
  }

  @Test func `a name that is decoded and not encoded proves nothing of what is bound`() throws {
    let desk = try desk("Moved")
    #expect(desk.dao.call("one", [Moved()]).code == .badArgument)
    for id in ["each", "numbers", "both", "contents"] {
      #expect(desk.dao.call(id, [[Moved()]]).code == .badArgument, "\(id)")
    }
    try expectNoMarker(in: desk)
  }

  @Test func `each object of a loop is checked for the name`() throws {
    let desk = try desk("Either")
    let objects = [Either(), Either(isMoved: true)]
    for id in ["each", "both", "contents"] {
      #expect(desk.dao.call(id, [objects]).code == .badArgument, "\(id)")
    }
    try expectNoMarker(in: desk)
  }

  @Test func `an object that encodes the name is sealed, and nil is NULL`() throws {
    let desk = try desk("Either")
    let objects = [Either(), Either(content: nil), Either(isMoved: true, content: nil)]
    #expect(desk.dao.call("contents", [objects]).error == nil)
    #expect(try desk.dao.call("types").get() == ["blob", "null", "null"])
    try expectNoMarker(in: desk)
  }
}
