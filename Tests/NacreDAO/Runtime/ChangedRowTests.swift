import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// A result says how many rows its call changed, and which row it inserted.
@Suite struct ChangedRowTests {
  private static let methods = """
    <insert id="addOnce" arguments="ids" foreach="ids.id">
      insert or ignore into ${T} (id, content) values (#{id}, 'a')
    </insert>
    <insert id="addSome" arguments="ids" foreach="ids.id">
      <if true="id > 1">insert into ${T} (id, content) values (#{id}, 'b')</if>
    </insert>
    <update id="rename" arguments="least">update ${T} set content = 'c' where id >= #{least}</update>
    <update id="both">
      <step>update ${T} set uin = 1</step>
      <step resumable="true">insert into ${T} (id) values (1)</step>
      <step>delete from ${T} where id = 1</step>
    </update>
    <update id="trigger">
      create trigger if not exists copy after update on ${T}
      begin insert into ${T}_log values (new.id); end
    </update>
    <update id="log">create table if not exists ${T}_log (id)</update>
    """

  @Test func `a result counts the rows of all its statements and elements`() throws {
    let desk = try Desk(methods: Self.methods)
    let dao = desk.dao
    #expect(dao.call("addOnce", [[1, 2, 2, 3]]).changedRowCount == 3)
    #expect(dao.call("addOnce", [[1, 2]]).changedRowCount == 0)
    #expect(dao.call("addSome", [[1, 4, 5]]).changedRowCount == 2)
    #expect(dao.call("rename", [2]).changedRowCount == 4)
    #expect(dao.call("rename", [9]).changedRowCount == 0)
    // Five rows are updated, one can't be inserted a second time, and one is deleted.
    #expect(dao.call("both").changedRowCount == 6)
    #expect(dao.lastChangedRowCount == 1)
    #expect(dao.call("contents").changedRowCount == 0)
    #expect(dao.call("addSome", [[7, 7]]).changedRowCount == 0)
  }

  @Test func `the changes of triggers do not count`() throws {
    let desk = try Desk(methods: Self.methods)
    let dao = desk.dao
    #expect(dao.call("log").succeeded && dao.call("trigger").changedRowCount == 0)
    #expect(dao.call("addOnce", [[1, 2]]).changedRowCount == 2)
    #expect(dao.call("rename", [1]).changedRowCount == 2)
  }

  @Test func `a result has the rowid that its own call inserted`() throws {
    let desk = try Desk(methods: Self.methods)
    let dao = desk.dao
    #expect(dao.call("add", [5, "a"]).insertedRowID == 5)
    #expect(dao.call("addOnce", [[5, 8, 7]]).insertedRowID == 7)
    #expect(dao.call("addOnce", [[5]]).insertedRowID == nil)
    #expect(dao.call("rename", [1]).insertedRowID == nil)
    #expect(dao.call("add", [5, "twice"]).insertedRowID == nil)
    #expect(dao.call("count").insertedRowID == nil)
  }
}
