import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// Lists of more elements than a statement may have parameters: 32,766 unless SQLite was built for more.
@Suite struct LongListTests {
  private func desk() throws -> Desk {
    try Desk(
      methods: """
        <select id="inList" arguments="ids" result="int">
          select count(*) from ${T} where id in
          <foreach item="id" collection="ids" open="(" separator="," close=")">#{id}</foreach>
        </select>
        <select id="inText" arguments="ids" result="int">
          select count(*) from ${T} where id in
          <foreach item="id" collection="ids" open="(" separator="," close=")">@{id}</foreach>
        </select>
        """
    )
  }

  @Test func `a list of more parameters than SQLite takes is an error that says so`() throws {
    let desk = try desk()
    for id in [1, 39_999, 50_000] { desk.dao.call("add", [id, "x"]) }
    let limit = try desk.store.read { database in
      try database.query("pragma compile_options").compactMap { row -> Int? in
        guard case .text(let option) = row[0] else { return nil }
        return option.hasPrefix("MAX_VARIABLE_NUMBER=") ? Int(option.dropFirst(20)) : nil
      }
      .first ?? 32_766
    }
    let result = desk.dao.call("inList", [Array(1...40_000)])
    if limit < 40_000 {
      #expect(result.code == .badStatement)
    } else {
      #expect(try result.get() == 2)
    }
    let beyond = desk.dao.call("inList", [Array(1...(limit + 1))])
    #expect(beyond.code == .badStatement, "\(String(describing: beyond.error))")
    #expect(try desk.dao.call("count").get() == 3)
  }

  @Test func `a list in the text may be longer than SQLite has parameters`() throws {
    let desk = try desk()
    for id in [1, 39_999, 50_000] { desk.dao.call("add", [id, "x"]) }
    #expect(try desk.dao.call("inText", [Array(1...40_000)]).get() == 2)
  }
}
