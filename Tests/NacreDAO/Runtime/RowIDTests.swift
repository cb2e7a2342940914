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

  @Test func `what inserts no row leaves the last rowid as it is`() throws {
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

  private static let changes = """
    <insert id="renew" arguments="id, content">
      <step>update ${T} set content = #{content}</step>
      <step>insert or ignore into ${T} (id, content) values (#{id}, #{content})</step>
    </insert>
    <insert id="put" arguments="id, content">
      insert into ${T} (id, content) values (#{id}, #{content})
      on conflict (id) do update set content = excluded.content
    </insert>
    <insert id="next" arguments="content">
      insert into ${T} (id, content) values (Last_Insert_RowID() + 1, #{content})
    </insert>
    """

  @Test(arguments: ["renew", "put"])
  func `an insert that changes rows and inserts none leaves the last rowid as it is`(
    _ method: String
  ) throws {
    let desk = try Desk(methods: Self.changes)
    #expect(desk.dao.call("add", [5, "a"]).succeeded)
    let notes = desk.dao.forTable("notes")
    #expect(notes.call("add", [8, "a"]).succeeded)
    let other = desk.dao.forTable("notes")
    try desk.store.write { database in
      #expect(other.call(method, [8, "b"]).succeeded)
      #expect(other.lastChangedRowCount == (method == "put" ? 1 : 0))
      // What it is for others is not touched.
      #expect(database.lastInsertedRowID == 8)
    }
    #expect(other.lastInsertRowID == 0)
    #expect(other.call(method, [9, "b"]).succeeded)
    #expect(other.lastInsertRowID == 9)
  }

  @Test func `an insert may ask for the rowid of the call before`() throws {
    let desk = try Desk(methods: Self.changes)
    try desk.store.write { _ in
      #expect(desk.dao.call("add", [5, "a"]).succeeded)
      #expect(desk.dao.call("next", ["b"]).succeeded)
    }
    #expect(desk.dao.lastInsertRowID == 6)
  }

  @Test func `an insert that fails leaves the connection's last rowid as it is`() throws {
    let desk = try Desk(methods: Self.changes)
    try desk.store.write { database in
      #expect(desk.dao.call("add", [5, "a"]).succeeded)
      #expect(desk.dao.call("add", [5, "a"]).error != nil)
      #expect(database.lastInsertedRowID == 5)
    }
    #expect(desk.dao.lastInsertRowID == 5)
  }
}
