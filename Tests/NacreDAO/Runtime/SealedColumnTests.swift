import Foundation
import NacreCore
import Testing

@testable import NacreDAO

/// Arguments that would be stored as they are where sealed values belong.
@Suite struct SealedColumnTests {
  private func issues(_ statement: String, foreach: String = "") -> (
    found: [ConfigurationPlace], expected: [ConfigurationPlace], messages: [String]
  ) {
    let (xml, places) = Configuration.places(
      in: """
        <module tableName="jots">
          <crypt class="Todo" property="note"/>
          <crypt class="Letter" property="content"/>
          <map id="letter" result="Letter"><result property="content" column="body"/></map>
          <update id="put" arguments="todo, note, title, notes" \(foreach)>
            \(statement)
          </update>
        </module>
        """
    )
    let found = Configuration.issues(xml, models: [Todo.self, Letter.self])
    return (found.map(\.place), places, found.map(\.message))
  }

  @Test(arguments: [
    "update ${T} set note = ‸#{note}",
    "UPDATE ${T} SET title = #{title},\n NOTE=‸#{note} where id = 1",
    "update or ignore ${T} as t set \"note\" = ‸#{note or \"\"} returning id",
    "update ${T} <set><if true='title'>title = #{title},</if><if true='note'>[note] = ‸#{note},</if></set>",
    "with x as (select 1) update ${T} set /* the text, */ `body` = ‸#{title}, -- where\n note = ‸#{note};",
    "insert into ${T} (title, note) values (#{title}, ‸#{note})",
    "insert or replace into ${T}(Note, title) values (‸#{note}, #{title}), (‸#{title}, 'it''s')",
    "replace into ${T} (id, body) values (1, ‸#{note})",
    "insert into ${T} (id) values (1) on conflict (id) do update set note = ‸#{note}",
    """
    <try>insert into ${T} (id, note) values (1, ‸#{note})
    <except>update ${T} set note = ‸#{note}</except></try>
    """,
    "<step>update ${T} set note = ‸#{note}</step><step>update ${T} set title = #{title}</step>",
  ])
  func `an argument for a sealed column is told when the DAO is made`(_ statement: String) {
    let (found, expected, messages) = issues(statement)
    #expect(found == expected && !found.isEmpty, "\(messages)")
    for message in messages { #expect(message.contains("<crypt>")) }
  }

  @Test(arguments: [
    "update ${T} set note = #{todo.note}",
    "update ${T} set note = lower(#{note})",
    "update ${T} set note = #{note} || title",
    "update ${T} set note = null where note = #{note}",
    "update ${T} set title = #{note}",
    "update ${T} set title = (select title from x where note = #{note})",
    "update ${T} set title = 'set note = ' || #{note}",
    "update ${T} set title = #{title} -- , note = \n where id = #{note}",
    "update other set note = #{note}",
    "update ${T}_2 set note = #{note}",
    "update ${T} set (title, note) = (#{title}, #{note})",
    "update ${T} set t.note = #{note}",
    "insert into ${T} values (#{title}, #{note})",
    "insert into ${T} (title, note) select #{title}, #{note}",
    "insert into ${T} (note, title) values (null, #{note})",
    "insert into ${T} (title, note) values (coalesce(#{title}, #{note}), null)",
    "insert into ${T} (<if true='title'>title,</if> note) values (<if true='title'>#{title},</if> #{note})",
    "insert into other (title, note) values (#{title}, #{note})",
    "insert into ${T} (title, note) values <foreach item='note' collection='notes' separator=','>(1, #{note})</foreach>",
    "insert into ${T} (@{title}, note) values (1, #{note})",
    "insert into ${T} (title, note) values (@{title no \"\"}, #{note})",
    "select * from ${T} where note = #{note}",
    "update ${T} set title = 1 returning id, note = #{note}",
    "update ${T} set title = 1 order by id, note = #{note}",
    "update ${T} set title = 1; select id, note = #{note}",
  ])
  func `statements that may be right are accepted`(_ statement: String) {
    let (found, _, messages) = issues(statement)
    #expect(found == [], "\(messages)")
  }

  @Test func `an item of foreach may be an object`() {
    let statement = "update ${T} set note = #{item}, title = #{title}"
    #expect(issues(statement, foreach: "foreach='notes.item'").found == [])
    #expect(issues("update ${T} set note = #{global}").found == [])
  }
}
