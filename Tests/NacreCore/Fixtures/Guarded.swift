import NacreCore
@testable import TestSupport

/// An owner that can't be deleted while it has children.
final class Guarded: Entity {
  var wheels: [Wheel] = [] { didSet { entityState.markChanged(0) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    wheels = try row.read(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws { try row.bind(wheels, at: 0) }

  func visitChildren(_ walk: GraphWalk) { walk.visit(wheels, at: 0) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Guarded.self, name: "Guarded")
    schema.add("wheels", \Guarded.wheels, relationship: RelationshipOptions(delete: .deny))
    return schema.build()
  }()
}
