import Foundation
import NacreCore
import NacreUpkeep
import Testing
import TestSupport

@testable import NacreDAO

@Suite struct StoreCryptTests {
  struct Note: Codable, Equatable {
    var id = 0
    var content: String?
  }

  private static let configuration = """
    <module name="notes" initializer="make" tableName="notes" version="1.0">
      <update id="make">create table if not exists ${T} (id integer primary key, body text)</update>
      <map id="note" result="Note"><result property="content" column="body"/></map>
      <crypt class="Note" property="content"/>
      <insert id="add" arguments="note">
        insert into ${T} (id, body) values (#{note.id}, #{note.content})
      </insert>
      <select id="find" arguments="id" result=":note">select * from ${T} where id = #{id}</select>
      <select id="raw" arguments="id" result="binary">select body from ${T} where id = #{id}</select>
    </module>
    """

  @Test
  func `values are sealed by the store's keys, rotated, verified and forgotten with their table`()
    throws
  {
    let test = try TestStore()
    let dao = try DAO(
      configuration: Self.configuration,
      store: test.store,
      models: [Note.self]
    )
    let note = Note(id: 1, content: "MARKER of a note")
    #expect(dao.call("add", [note]).succeeded)
    #expect(dao.call("add", [Note(id: 2)]).succeeded)
    #expect(try dao.call("find", [1]).get(as: Note.self) == note)
    #expect(try dao.call("find", [2]).get(as: Note.self).content == nil)
    let before = try dao.call("raw", [1]).get(as: Data.self)
    #expect(before.range(of: Data("MARKER".utf8)) == nil && before.first == 1)

    #expect(try test.store.rotate().outcome == .finished)
    let after = try dao.call("raw", [1]).get(as: Data.self)
    #expect(after[1..<5] != before[1..<5])
    #expect(try dao.call("find", [1]).get(as: Note.self) == note)
    #expect(try test.store.verify().isSound)

    // Of another property it does not open, and no object is handed out.
    try test.store.write { try $0.execute("UPDATE notes SET body = x'00' WHERE id = 1") }
    #expect(dao.call("find", [1]).failed)
    #expect(try !test.store.verify().isSound)
    #expect(dao.deleteTable().succeeded)
    #expect(try test.store.verify().isSound)
    #expect(try test.store.rotate().outcome == .finished)
    #expect(dao.call("add", [note]).succeeded)
    #expect(try dao.call("find", [1]).get(as: Note.self) == note)
  }
}
