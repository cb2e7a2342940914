import NacreCore

/// A target of links, with a unique plain property and two sealed ones.
final class Person: Entity {
  var code = "" { didSet { entityState.markChanged(0) } }
  var name: String? { didSet { entityState.markChanged(1) } }
  var age: Int? { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    code = try row.read(at: 0)
    name = try row.open(at: 1)
    age = try row.open(at: 2)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(code, at: 0)
    try row.seal(name, at: 1)
    try row.seal(age, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Person.self, name: "Person")
    schema.add("code", \Person.code, column: ColumnOptions(isUnique: true))
    schema.add("name", \Person.name, sealed: SealedOptions())
    schema.add("age", \Person.age, sealed: SealedOptions())
    return schema.build()
  }()
}
