import NacreCore
import NacreUpkeep
import TestSupport
import Testing

@testable import NacreDAO

/// No two sealed values are alike, so that a comparison with one finds nothing, and says nothing about it.
@Suite struct SealedConditionTests {
  struct Note: Codable {
    var id = 0
    var content: String? = "MARKER"
  }

  private static let configuration = """
    <module initializer="make" tableName="notes">
      <update id="make">create table if not exists ${T} (id integer primary key, content text)</update>
      <crypt class="Note" property="content"/>
      <insert id="add" arguments="n">insert into ${T} (id, content) values (#{n.id}, #{n.content})</insert>
      <select id="count" arguments="n" result="int">
        select count(*) from ${T} where <if true="n.id > 0">content = #{n.content}</if>
      </select>
      <select id="fixed" arguments="n" result="int">select count(*) from ${T} where content = #{n.content}</select>
      <delete id="remove" arguments="n">delete from ${T} where content = #{n.content}</delete>
      <delete id="removeAll" arguments="notes" foreach="notes.n">
        delete from ${T} where content = #{n.content}
      </delete>
      <delete id="excused" arguments="n">
        <try>delete from ${T} where content = #{n.content}<except>delete from ${T}</except></try>
      </delete>
      <delete id="skipped" arguments="n">
        <step resumable="true"> DELETE from ${T} where content = #{n.content}</step>
      </delete>
      <delete id="hide" arguments="n">update ${T} set content = #{n.content} where id = #{n.id}</delete>
      <delete id="replace" arguments="n">
        <step>delete from ${T} where id = #{n.id}</step>
        <step>insert into ${T} (id, content) values (#{n.id}, #{n.content})</step>
      </delete>
    </module>
    """

  @Test func `a sealed property in a condition fails the call, also inside of a transaction`()
    throws
  {
    let test = try TestStore()
    let dao = try DAO(configuration: Self.configuration, store: test.store, models: [Note.self])
    let note = Note(id: 1)
    #expect(dao.call("add", [note]).succeeded)
    func fail() {
      for method in ["count", "fixed", "remove", "excused", "skipped"] {
        #expect(
          (dao.call(method, [note]).error as? NacreError)?.code == .sealedCondition,
          "\(method)"
        )
      }
      #expect((dao.call("removeAll", [[note]]).error as? NacreError)?.code == .sealedCondition)
    }
    fail()
    try test.store.write { _ in fail() }
    #expect("\(dao.call("remove", [note]).error.map { "\($0)" } ?? "")".contains("Note.content"))
    // NULL is not sealed, and what is called a delete may store.
    #expect(try dao.call("fixed", [Note(id: 1, content: nil)]).get(as: Int.self) == 0)
    #expect(dao.call("replace", [note]).succeeded && dao.call("hide", [note]).succeeded)
    #expect(dao.lastChangedRowCount == 1)
    #expect(try test.store.verify().isSound)
  }

  @Test func `with methods of its own a DAO may compare what it seals`() throws {
    let test = try TestStore()
    let dao = try DAO(configuration: Self.configuration, store: test.store, models: [Note.self])
    dao.encryptMethod = { value, _, _ in
      if case .text(let text) = value { .text(String(text.reversed())) } else { value }
    }
    dao.call("add", [Note(id: 1)])
    #expect(try dao.call("fixed", [Note(id: 1)]).get(as: Int.self) == 1)
    #expect(dao.call("remove", [Note(id: 1)]).succeeded && dao.lastChangedRowCount == 1)
  }
}
