import NacreCore
import Testing

@testable import NacreDAO

/// Objects and dictionaries whose properties a statement names.
@Suite struct ObjectArgumentTests {
  /// Counts how often it encodes itself.
  private final class Counted: Encodable {
    private enum CodingKeys: String, CodingKey { case id, content }
    private(set) var encodings = 0

    func encode(to encoder: any Encoder) throws {
      encodings += 1
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(1, forKey: .id)
      try container.encode("a", forKey: .content)
    }
  }

  private func desk() throws -> Desk {
    let insert = """
      insert into ${T} (id, content, uin, read)
      values (#{m.id}, #{m.content}, #{m.count}, #{m.read})
      """
    return try Desk(
      methods: """
        <update id="clear">delete from ${T}</update>
        <insert id="put" arguments="m">\(insert)</insert>
        <insert id="putAll" arguments="all" foreach="all.m">\(insert)</insert>
        <insert id="putPart" arguments="m">
          insert into ${T} (id, content) values (#{m.id}, #{m.content})
        </insert>
        """
    )
  }

  private func rows(_ desk: Desk) throws -> [[Value]] {
    try desk.store.read { try $0.query("select id, content, uin, read from notes order by id") }
  }

  @Test func `an object encodes itself once for all of its properties`() throws {
    let desk = try desk()
    let object = Counted()
    #expect(desk.dao.call("putPart", [object]).succeeded)
    #expect(object.encodings == 1)
    #expect(try rows(desk) == [[1, "a", .null, .null]])
  }

  @Test func `dictionaries of any type are bound alike by one call each and by a loop`() throws {
    let desk = try desk()
    let first: [String: Any] = ["id": 1, "content": 2.5, "read": true]
    let second: [String: Any?] = ["id": 2, "content": nil]
    let third: [String: Int] = ["id": 3, "read": 0]
    let all: [Any] = [first, second, third]
    let expected: [[Value]] = [[1, "2.5", 3, 1], [2, .null, 2, .null], [3, .null, 2, 0]]
    for members in all { #expect(desk.dao.call("put", [members]).succeeded) }
    #expect(try rows(desk) == expected)
    #expect(desk.dao.call("clear").succeeded)
    #expect(desk.dao.call("putAll", [all]).succeeded)
    #expect(try rows(desk) == expected)
  }
}
