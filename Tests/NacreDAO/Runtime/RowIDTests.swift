import NacreCore
import Testing

@testable import NacreDAO

/// The rowid that a DAO reports is of a row that it has inserted itself.
@Suite struct RowIDTests {
  private static let methods = """
    <insert id="addOnce" arguments="id, content">
      insert or ignore into ${T} (id, content) values (#{id}, #{content})
    </insert>
    """

  @Test func `a call that inserts no row leaves the last rowid as it is`() throws {
    let desk = try Desk(methods: Self.methods)
    let other = desk.dao.forTable("notes")
    #expect(desk.dao.call("add", [5, "a"]).succeeded)
    #expect(desk.dao.lastInsertRowID == 5)
    #expect(other.call("addOnce", [5, "b"]).succeeded)
    #expect(other.lastInsertRowID == 0)
    #expect(other.call("addAll", [[Message]()]).succeeded)
    #expect(other.lastInsertRowID == 0)
    #expect(other.call("addOnce", [6, "b"]).succeeded)
    #expect(other.lastInsertRowID == 6)
    // Another table's row can have the rowid that the connection has inserted last.
    let third = desk.dao.forTable("thirds")
    #expect(third.call("addOnce", [6, "c"]).succeeded)
    #expect(third.lastInsertRowID == 6)
  }
}
