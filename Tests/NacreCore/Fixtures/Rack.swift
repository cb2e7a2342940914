import NacreCore

/// An owner whose children, found by their own link, detect conflicts.
final class Rack: Entity {
  var slots: [Slot] = [] { didSet { entityState.markChanged(0) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    slots = try row.read(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws { try row.bind(slots, at: 0) }

  func visitChildren(_ walk: GraphWalk) { walk.visit(slots, at: 0) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Rack.self, name: "Rack")
    schema.add("slots", \Rack.slots, inverse: \Slot.rack)
    return schema.build()
  }()
}

/// A child of a rack.
final class Slot: Entity {
  var name = "" { didSet { entityState.markChanged(0) } }
  var rack: Link<Rack>? { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    rack = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(rack, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) { walk.visit(rack, at: 1) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Slot.self, name: "Slot", detectsConflicts: true)
    schema.add("name", \Slot.name)
    schema.add("rack", \Slot.rack)
    return schema.build()
  }()
}
