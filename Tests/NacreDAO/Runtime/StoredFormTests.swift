import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// An entity with a property whose stored form is not that of its type.
final class Stamp: Entity {
  var id = 0 { didSet { entityState.markChanged(0) } }
  var made: Date? { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    id = try row.read(at: 0)
    made = try row.read(dateAs: .integer, at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(id, at: 0)
    try row.bind(date: made, as: .integer, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Stamp.self, name: "Stamp")
    schema.add("id", \Stamp.id)
    schema.add("made", \Stamp.made, column: ColumnOptions(dates: .integer))
    return schema.build()
  }()

  static func make(_ id: Int, _ made: Date?) -> Stamp {
    let stamp = Stamp.create()
    (stamp.id, stamp.made) = (id, made)
    return stamp
  }
}

@Suite struct StoredFormTests {
  private static let configuration = """
    <module tableName="stamps" initializer="make">
      <update id="make">create table ${T} (id, made)</update>
      <insert id="one" arguments="s">insert into ${T} values (#{s.id}, #{s.made})</insert>
      <insert id="oneOrText" arguments="s">insert into ${T} values (#{s.id}, #{s.made or ""})</insert>
      <insert id="loop" arguments="list" foreach="list.s">
        insert into ${T} values (#{s.id}, #{s.made})
      </insert>
      <insert id="dynamic" arguments="list" foreach="list.s">
        insert into ${T} values (#{s.id}, <if true="1">#{s.made}</if>)
      </insert>
      <insert id="inside" arguments="list">
        insert into ${T} values <foreach item="s" collection="list" separator=",">(#{s.id}, #{s.made})</foreach>
      </insert>
      <select id="forms" result="[string]">select typeof(made) from ${T} order by id</select>
      <select id="later" arguments="s" result="int">
        select count(*) from ${T} where made &lt; #{s.made} and typeof(#{s.made}) = 'integer'
      </select>
    </module>
    """

  @Test func `a property of an entity has one stored form, its own`() throws {
    let test = try TestStore()
    let dao = try DAO(configuration: Self.configuration, store: test.store, models: [Stamp.self])
    let date = Date(timeIntervalSince1970: 1000)
    #expect(dao.call("one", [Stamp.make(1, date)]).succeeded)
    #expect(dao.call("oneOrText", [Stamp.make(2, date)]).succeeded)
    #expect(dao.call("oneOrText", [Stamp.make(3, nil)]).succeeded)
    #expect(dao.call("one", [Stamp.make(4, nil)]).succeeded)
    #expect(dao.call("loop", [[Stamp.make(5, date)]]).succeeded)
    #expect(dao.call("dynamic", [[Stamp.make(6, date)]]).succeeded)
    #expect(dao.call("inside", [[Stamp.make(7, date), Stamp.make(8, nil)]]).succeeded)
    #expect(
      try dao.call("forms").get() == [
        "integer", "integer", "text", "null", "integer", "integer", "integer", "null",
      ]
    )
    #expect(try dao.call("later", [Stamp.make(0, date.addingTimeInterval(1))]).get() == 5)
  }
}
