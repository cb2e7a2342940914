import NacreCore

/// A link of a chain or of a cycle: an entity that owns one of its own class.
final class Node: Entity {
  var label = 0 { didSet { entityState.markChanged(0) } }
  var next: Node? { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    label = try row.read(at: 0)
    next = try row.read(at: 1)
    entityState = row.entityState()
  }

  deinit { GraphRelease.take(&next) }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(label, at: 0)
    try row.bind(next, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) { walk.visit(next, at: 1) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Node.self, name: "Node")
    schema.add("label", \Node.label)
    schema.add("next", \Node.next)
    return schema.build()
  }()
}
