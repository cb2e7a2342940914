import Foundation
import NacreCore
import Testing

@testable import NacreDAO

@Suite struct StepTests {
  @Test func `steps are statements of one transaction`() throws {
    let desk = try Desk(
      methods: """
        <update id="both" arguments="id">
          <step>insert into ${T} (id, content) values (#{id}, 'first')</step>
          <step><if true="id > 1">insert into ${T} (id, content) values (#{id} + 100, 'second')</if></step>
        </update>
        """
    )
    #expect(desk.dao.call("both", [1]).succeeded)
    #expect(try desk.contents == ["first"])
    desk.dao.call("add", [102, "in the way"])
    #expect(desk.dao.call("both", [2]).code == .constraint)
    #expect(try desk.contents == ["first", "in the way"])
  }

  @Test func `a resumable step may fail, and the others run`() throws {
    let desk = try Desk(
      methods: """
        <update id="alter">
          <step resumable="true">alter table ${T} add column content text</step>
          <step resumable="true">alter table ${T} add column more text default 'more'</step>
        </update>
        """
    )
    let result = desk.dao.call("alter")
    #expect(result.succeeded && result.flags == [.failedStep])
    let rows = try desk.store.write { database in
      try database.execute("insert into notes (id) values (1)")
      return try database.query("select more from notes")
    }
    #expect(rows == [["more"]])
  }

  @Test func `a failure behind a resumable one undoes everything`() throws {
    let desk = try Desk(
      methods: """
        <update id="mixed">
          <step>insert into ${T} (id) values (1)</step>
          <step resumable="true">insert into ${T} (id) values (1)</step>
          <step>insert into nowhere values (1)</step>
        </update>
        """
    )
    #expect(desk.dao.call("mixed").code == .badStatement)
    #expect(try desk.dao.call("count").get() == 0)
  }

  @Test func `the elements whose resumable step failed are listed`() throws {
    let desk = try Desk(
      methods: """
        <insert id="some" arguments="ids" foreach="ids.id">
          <step resumable="true">insert into ${T} (id, content) values (#{id}, 'x')</step>
        </insert>
        """
    )
    desk.dao.call("add", [2, "there"])
    let result = desk.dao.call("some", [[1, 2, 3]])
    #expect(result.succeeded && result.flags == [.ran, .failedStep, .ran])
    #expect(result.foreachFailedObjects as? [Int] == [2])
    #expect(try desk.contents == ["x", "there", "x"])
  }
}

@Suite struct AttemptTests {
  private static let template = """
    <insert id="put" arguments="templates" foreach="templates.model">
      <try>
        insert into ${T} (id, content) values(%{'#{model.*}', msgId, content})
        <except>
          update ${T} set %{'* = #{model.*}', content} where id = #{model.msgId}
        </except>
      </try>
    </insert>
    """

  @Test func `except runs for each element whose try failed`() throws {
    let desk = try Desk(methods: Self.template)
    desk.dao.call("add", [2, "old"])
    let messages = [Message.make(1, "a"), Message.make(2, "new"), Message.make(3, "c")]
    let result = desk.dao.call("put", [messages])
    #expect(result.flags == [.ran, .excepted, .ran])
    #expect(try desk.contents == ["a", "new", "c"])
  }

  @Test func `the row keeps its rowid where it is updated`() throws {
    let desk = try Desk(
      """
      <module tableName="t" initializer="make">
        <update id="make">create table ${T} (name text unique, value int)</update>
        <insert id="put" arguments="name, value">
          <try>insert into ${T} values (#{name}, #{value})
            <except>update ${T} set value = #{value} where name = #{name}</except></try>
        </insert>
        <select id="rows" result="[{}]">select rowid as r, value as v from ${T}</select>
      </module>
      """
    )
    for value in 1...3 { desk.dao.call("put", ["a", value]) }
    #expect(try desk.dao.call("rows").get() == [["r": 1, "v": 3]])
  }

  @Test func `other blocks stand in try and in except`() throws {
    let desk = try Desk(
      methods: """
        <insert id="put" arguments="ids, content" foreach="ids.id">
          <try>
            insert into ${T} <choose>
              <when true="content == nil">(id) values (#{id})</when>
              <otherwise>(id, content) values (#{id}, #{content})</otherwise>
            </choose>
            <except>
              update ${T}
              <set><if true="content != nil">content = #{content},</if> uin = 8,</set>
              <where>
                <foreach item="known" collection="ids" separator=" or ">id = #{known}</foreach>
              </where>
            </except>
          </try>
        </insert>
        """
    )
    #expect(desk.dao.call("put", [[1], nil]).flags == [.ran])
    #expect(desk.dao.call("put", [[2, 3], "new"]).flags == [.ran, .ran])
    #expect(try desk.contents == [nil, "new", "new"])
    #expect(desk.dao.call("put", [[1, 3], "put"]).flags == [.excepted, .excepted])
    #expect(try desk.contents == ["put", "new", "put"])
    #expect(desk.dao.call("put", [[2], nil]).flags == [.excepted])
    let row = try desk.store.read { try $0.query("select content, uin from notes where id = 2") }
    #expect(row == [["new", 8]])
  }

  @Test func `the call fails and stores nothing if both try and except fail`() throws {
    let desk = try Desk(
      methods: """
        <insert id="put" arguments="ids" foreach="ids.id">
          <try>insert into ${T} (id) values (#{id})<except>insert into ${T} (id) values (#{id})</except></try>
        </insert>
        """
    )
    desk.dao.call("add", [2, "there"])
    #expect(desk.dao.call("put", [[1, 2]]).code == .constraint)
    #expect(try desk.contents == ["there"])
  }

  @Test func `a try that failed leaves no rows behind`() throws {
    let desk = try Desk(
      methods: """
        <insert id="put">
          <try>insert or fail into ${T} (id) select 1 union all select 2 union all select 1
            <except>insert into ${T} (id, content) values (9, 'except')</except></try>
        </insert>
        """
    )
    #expect(desk.dao.call("put").flags == [.excepted])
    #expect(try desk.contents == ["except"])
  }
}
