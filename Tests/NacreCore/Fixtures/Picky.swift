import NacreCore

/// An owner whose child is deleted when it is taken out; the child can refuse to be deleted.
final class Picky: Entity {
  var label = "" { didSet { entityState.markChanged(0) } }
  var guarded: Guarded? { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    label = try row.read(at: 0)
    guarded = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(label, at: 0)
    try row.bind(guarded, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) { walk.visit(guarded, at: 1) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Picky.self, name: "Picky")
    schema.add("label", \Picky.label)
    schema.add("guarded", \Picky.guarded, relationship: RelationshipOptions(removed: .delete))
    return schema.build()
  }()
}
