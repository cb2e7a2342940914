import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// What an initializer has come to make reaches tables that are there, at an upgrade.
@Suite struct InitializerTests {
  private func module(_ version: String, _ initializer: String, _ more: String = "") -> String {
    """
    <module name="Notes" tableName="notes" initializer="make" version="\(version)">
      <update id="make">\(initializer)</update>
      <insert id="add" arguments="a">insert into ${T} (a) values (#{a})</insert>
      <select id="count" result="int">select count(*) from ${T}</select>
      \(more)
    </module>
    """
  }

  private static let table = "create table if not exists ${T} (a text)"
  private static let indexed = """
    <step>create table if not exists ${T} (a text, b text)</step>
    <step>CREATE UNIQUE INDEX
      IF NOT EXISTS ${T}_b ON ${T} (b)</step>
    <step>create table if not exists ${T}_words (word)</step>
    <step>insert into ${T}_words values ('first')</step>
    """
  private static let upgrade = """
    <upgrade toVersion="1.1">alter table ${T} add column b text</upgrade>
    """

  private func names(_ store: Store, _ type: String) throws -> [[Value]] {
    try store.read {
      try $0.query(
        "select name from sqlite_schema where type = ? and name like 'notes%' order by name",
        type
      )
    }
  }

  private func upgraded(_ configuration: String, from table: String = InitializerTests.table) throws
    -> Desk
  {
    let home = try TestStore()
    #expect(try Desk(module("1.0", table), in: home).dao.call("add", ["x"]).succeeded)
    return try Desk(configuration, in: home)
  }

  @Test func `a new index reaches an old table after its upgrade`() throws {
    let desk = try upgraded(module("1.1", Self.indexed, Self.upgrade))
    #expect(try desk.dao.call("count").get() == 1)
    #expect(try names(desk.store, "index") == [["notes_b"]])
    #expect(try names(desk.store, "table") == [["notes"], ["notes_words"]])
    // A step that could add a row a second time does not run again.
    let words = try desk.store.read { try $0.query("select count(*) from notes_words") }
    #expect(words == [[0]])
  }

  @Test func `an initializer of one statement, or with tags, is looked at as it is rendered`()
    throws
  {
    let index = "<if true='1'>create index if not exists ${T}_a</if> on ${T} (a)"
    let desk = try upgraded(module("1.1", index))
    #expect(try desk.dao.call("count").get() == 1)
    #expect(try names(desk.store, "index") == [["notes_a"]])
    let plain = try upgraded(module("1.1", "create table ${T} (a text, c text)"))
    #expect(try plain.dao.call("count").get() == 1)
  }

  @Test func `an initializer that fails undoes the upgrade`() throws {
    let desk = try upgraded(module("1.1", Self.indexed))
    let result = desk.dao.call("count")
    #expect(result.code == .badStatement)
    #expect(try names(desk.store, "table") == [["notes"]])
    let versions = try desk.store.read { try $0.query("select version from TableVersions") }
    #expect(versions == [["1.0"]])
  }

  @Test func `an initializer does not make a table that an upgrade has taken away`() throws {
    let drop = "<upgrade toVersion=\"1.1\">drop table ${T}</upgrade>"
    let desk = try upgraded(module("1.1", Self.indexed, drop))
    #expect(desk.dao.call("count").code == .migrationFailed)
  }

  @Test func `a failed upgrade names the version that it leads to`() throws {
    let bad = """
      <upgrade toVersion="1.2">alter table ${T} add column b</upgrade>
      <upgrade toVersion="1.10">alter table nowhere add column c</upgrade>
      """
    let desk = try upgraded(module("1.11", Self.table, bad))
    let text = desk.dao.call("count").error.map { "\($0)" } ?? ""
    #expect(text.contains("toVersion=\"1.10\"") && text.contains("1.11"), "\(text)")
  }
}
