import Foundation
import NacreCore
import NacreCrypto
import NacreUpkeep
import TestSupport
import Testing

@testable import NacreDAO

/// Sealed values that SQL has carried where the catalog does not know them.
@Suite struct FollowedColumnTests {
  struct Note: Codable, Equatable {
    var id = 0
    var content: String?
    var title: String?
  }

  private static let notes = (1...30).map {
    Note(id: $0, content: $0 % 5 == 0 ? nil : "MARKER \($0)", title: "T \($0)")
  }
  private let home: TestStore
  private var store: Store { home.store }

  init() throws {
    home = try TestStore()
    let dao = try dao()
    for note in Self.notes { try dao.call("add", [note]).get(as: Void?.self) }
  }

  /// A DAO of the notes: what its version is, its column of contents, and what leads to it.
  private func dao(
    _ version: String = "1.0",
    column: String = "body",
    title: String = "title",
    table: String = "notes",
    methods more: String = ""
  ) throws -> DAO {
    let configuration = """
      <module name="notes" initializer="make" tableName="\(table)" version="\(version)">
        <update id="make">
          create table if not exists ${T} (id integer primary key, \(column) text, \(title) text)
        </update>
        <map id="note" result="Note">
          <result property="content" column="\(column)"/><result property="title" column="\(title)"/>
        </map>
        <crypt class="Note" property="content"/>
        <crypt class="Note" property="title"/>
        <insert id="add" arguments="note">
          insert into ${T} (id, \(column), \(title))
          values (#{note.id}, #{note.content}, #{note.title})
        </insert>
        <select id="all" result="[:note]">select * from ${T} order by id</select>
        \(more)
      </module>
      """
    return try DAO(configuration: configuration, store: store, models: [Note.self])
  }

  private func upgrade(_ steps: String...) -> String {
    let all = steps.map { "<step>\($0)</step>" }.joined()
    return "<upgrade toVersion=\"1.1\">\(all)</upgrade>"
  }

  /// The catalog's columns: table, column, property.
  private func noted() throws -> Set<[String?]> {
    Set(
      try store.inspect().entities.flatMap { entity in
        entity.properties.map { [entity.table, $0.column, $0.inverseColumn] }
      }
    )
  }

  /// Rotates, and destroys the key that was primary.
  private func rotate() throws {
    let keys = try #require(try store.inspect().ring).keys
    let old = try #require(keys.first { $0.purpose == .field && $0.state == .primary })
    #expect(try store.verify().isSound)
    let report = try store.rotate()
    #expect(report.outcome == .finished && report.failed == 0)
    try store.destroyKey(old.id)
    #expect(try store.verify().isSound)
  }

  @Test func `a column that an upgrade has renamed is followed at once, and rotated`() throws {
    let dao = try dao(
      "1.1",
      column: "content",
      methods: upgrade("alter table ${T} rename column body to content")
    )
    #expect(try dao.call("all").get() == Self.notes)
    #expect(
      try noted() == [["notes", "content", "content"], ["notes", "title", "title"]]
    )
    try rotate()
    #expect(try dao.call("all").get() == Self.notes)
    #expect(dao.call("add", [Note(id: 31, content: "new")]).succeeded)
  }

  @Test func `columns that an upgrade lets change places are followed`() throws {
    let dao = try dao(
      "1.1",
      column: "title",
      title: "body",
      methods: upgrade(
        "alter table ${T} rename column body to other",
        "alter table ${T} rename column title to body",
        "alter table ${T} rename column other to title"
      )
    )
    #expect(try dao.call("all").get() == Self.notes)
    #expect(try noted() == [["notes", "title", "content"], ["notes", "body", "title"]])
    try rotate()
    #expect(try dao.call("all").get() == Self.notes)
    #expect(dao.call("add", [Note(id: 31, content: "new", title: "T")]).error == nil)
  }

  @Test func `an empty column that takes the name of one that was dropped can be sealed into`()
    throws
  {
    try store.write { try $0.execute("UPDATE notes SET title = NULL") }
    let dao = try dao(
      "1.1",
      column: "other",
      title: "body",
      methods: upgrade(
        "alter table ${T} drop column body",
        "alter table ${T} rename column title to body",
        "alter table ${T} add column other"
      )
    )
    let bare = Self.notes.map { Note(id: $0.id) }
    #expect(try dao.call("all").get() == bare)
    let note = Note(id: 31, content: "new", title: "T")
    #expect(dao.call("add", [note]).error == nil)
    #expect(try noted() == [["notes", "other", "content"], ["notes", "body", "title"]])
    try rotate()
    #expect(try dao.call("all").get() == bare + [note])
  }

  @Test func `a column that an upgrade only empties stays noted, for others go on storing`() throws
  {
    let dao = try dao("1.1", column: "body", methods: upgrade("update ${T} set body = null"))
    #expect(try dao.call("all").get(as: [Note].self).allSatisfy { $0.content == nil })
    #expect(try noted().contains(["notes", "body", "content"]))
  }

  @Test func `values that an upgrade has copied into a new column are followed`() throws {
    let dao = try dao(
      "1.1",
      column: "content",
      methods: upgrade(
        "alter table ${T} add column content",
        "update ${T} set content = body",
        "alter table ${T} drop column body"
      )
    )
    #expect(try dao.call("all").get() == Self.notes)
    try rotate()
    #expect(try dao.call("all").get() == Self.notes)
    #expect(
      try noted() == [["notes", "content", "content"], ["notes", "title", "title"]]
    )
  }

  @Test func `a table that an upgrade has made anew is followed`() throws {
    let dao = try dao(
      "1.1",
      column: "text",
      methods: upgrade(
        "create table next (id integer primary key, text, title)",
        "insert into next select id, body, title from ${T}",
        "drop table ${T}",
        "alter table next rename to ${T}"
      )
    )
    #expect(try dao.call("all").get() == Self.notes)
    #expect(try noted() == [["notes", "text", "content"], ["notes", "title", "title"]])
    try rotate()
    #expect(try dao.call("all").get() == Self.notes)
  }

  @Test func `a column that an upgrade has dropped is forgotten`() throws {
    let dao = try dao("1.1", methods: upgrade("alter table ${T} drop column title"))
    #expect(try dao.call("all").get(as: [Note].self).map(\.content) == Self.notes.map(\.content))
    #expect(try noted() == [["notes", "body", "content"]])
    try rotate()
    #expect(try dao.call("all").get(as: [Note].self).map(\.content) == Self.notes.map(\.content))
  }

  @Test func `an upgrade that fails changes nothing in the catalog`() throws {
    let before = try noted()
    let dao = try dao(
      "1.1",
      column: "content",
      methods: upgrade("alter table ${T} rename column body to content", "select nothing")
    )
    #expect(dao.call("all").failed)
    #expect(try noted() == before)
    try rotate()
    #expect(try self.dao().call("all").get() == Self.notes)
  }

  @Test func `a table that a method has renamed is found by the next rotation`() throws {
    let dao = try dao(methods: #"<update id="move">alter table ${T} rename to letters</update>"#)
    #expect(dao.call("move").succeeded)
    #expect(try store.sealedCounts().isEmpty)
    try rotate()
    #expect(
      try noted() == [["letters", "body", "content"], ["letters", "title", "title"]]
    )
    #expect(try self.dao(table: "letters").call("all").get() == Self.notes)
  }

  @Test(arguments: [
    "create table archive as select * from ${T}",
    "insert into archive (id, body, title) select id, body, title from ${T}",
  ])
  func `values that a method has copied into another table are rotated`(_ sql: String) throws {
    if sql.hasPrefix("insert") {
      try store.write {
        try $0.execute("create table archive (id integer primary key, body blob unique, title)")
      }
    }
    let dao = try dao(methods: "<update id=\"copy\">\(sql)</update>")
    #expect(dao.call("copy").error == nil)
    let opened = Self.notes.filter { $0.content != nil }.count + Self.notes.count
    #expect(try store.verify().openedCount == 2 * opened)
    try rotate()
    #expect(try dao.call("all").get() == Self.notes)
    #expect(try self.dao(table: "archive").call("all").get() == Self.notes)
    #expect(try store.verify().openedCount == 2 * opened)
  }

  @Test func `values whose own table was deleted are rotated where they were copied`() throws {
    let dao = try dao(
      methods: #"<update id="copy">create table kept as select * from ${T}</update>"#
    )
    #expect(dao.call("copy").error == nil)
    #expect(dao.deleteTable().succeeded)
    #expect(try noted().isEmpty)
    try rotate()
    #expect(try self.dao(table: "kept").call("all").get() == Self.notes)
  }

  @Test func `a table that a method has dropped is forgotten`() throws {
    let dao = try dao(methods: #"<update id="drop">drop table ${T}</update>"#)
    #expect(dao.call("drop").error == nil)
    #expect(try noted().isEmpty)
    try rotate()
    #expect(try store.check().isEmpty)
  }
}
