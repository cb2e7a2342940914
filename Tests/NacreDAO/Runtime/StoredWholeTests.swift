import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// An entity with properties stored as JSON.
final class Envelope: Entity {
  var number = 0 { didSet { entityState.markChanged(0) } }
  var inner = StoredWholeTests.Secret() { didSet { entityState.markChanged(1) } }
  var tags = ["a"] { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    number = try row.read(at: 0)
    inner = try row.read(at: 1)
    tags = try row.read(at: 2)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(number, at: 0)
    try row.bind(inner, at: 1)
    try row.bind(tags, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Envelope.self, name: "Envelope")
    schema.add("number", \Envelope.number)
    schema.add("inner", \Envelope.inner)
    schema.add("tags", \Envelope.tags)
    return schema.build()
  }()
}

/// Properties that hold sealed ones and would be stored as JSON, in plain text.
@Suite struct StoredWholeTests {
  struct Secret: Codable, Equatable {
    var content = "MARKER"
  }

  class Holder: Codable {
    var inner = Secret()
  }

  final class Sub: Holder {}

  private func desk() throws -> Desk {
    try Desk(
      """
      <module name="m" tableName="notes" initializer="make">
        <update id="make">create table if not exists ${T} (id integer, content)</update>
        <crypt class="Secret" property="content"/>
        <insert id="one" arguments="e">insert into ${T} (content) values (#{e.inner})</insert>
        <insert id="each" arguments="es" foreach="es.e">
          insert into ${T} (content) values (#{e.inner})
        </insert>
        <insert id="eachTwice" arguments="es" foreach="es.e">
          insert into ${T} (id, content) values (#{e.inner}, #{e.inner})
        </insert>
        <insert id="eachOrEmpty" arguments="es" foreach="es.e">
          insert into ${T} (content) values (#{e.inner or ""})
        </insert>
        <insert id="eachTags" arguments="es" foreach="es.e">
          insert into ${T} (id, content) values (#{e.number}, #{e.tags})
        </insert>
        <insert id="whole" arguments="m">insert into ${T} (id) values (#{m})</insert>
        <select id="contents" result="[string]">select content from ${T}</select>
      </module>
      """,
      models: [Secret.self]
    )
  }

  @Test(arguments: ["one", "each", "eachTwice", "eachOrEmpty"])
  func `an entity's JSON property with sealed properties in it is not stored`(
    method: String
  ) throws {
    let desk = try desk()
    let envelope = Envelope.create()
    let result = desk.dao.call(method, [method == "one" ? envelope : [envelope]])
    #expect(result.code == .badArgument)
    #expect(try desk.contents == [])
  }

  @Test
  func `an entity's JSON property without sealed properties is stored, whatever else is sealed`()
    throws
  {
    let desk = try desk()
    #expect(desk.dao.call("eachTags", [[Envelope.create(), Envelope.create()]]).error == nil)
    #expect(try desk.contents == ["[\"a\"]", "[\"a\"]"])
  }

  @Test func `an inherited property with sealed properties in it is not stored`() throws {
    let desk = try desk()
    let arguments: [Any] = [Sub(), [Sub()], ["key": [1: Sub()]]]
    for argument in arguments {
      let result = desk.dao.call("whole", [argument])
      #expect(result.code == .badArgument, "\(type(of: argument))")
    }
    #expect(try desk.contents == [])
  }
}
