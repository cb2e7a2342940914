import NacreCore

/// A child without children of its own.
final class Wheel: Entity {
  var size = 0 { didSet { entityState.markChanged(0) } }
  var note = "" { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    size = try row.read(at: 0)
    note = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(size, at: 0)
    try row.bind(note, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Wheel.self, name: "Wheel")
    schema.add("size", \Wheel.size)
    schema.add("note", \Wheel.note)
    return schema.build()
  }()
}
