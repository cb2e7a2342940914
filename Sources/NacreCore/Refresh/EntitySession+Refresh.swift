import NacreEngine
import NacreStore

extension EntitySession {
  /// Loads the stored state of an object, and with `cascade` of the children that it holds.
  ///
  /// It does not change the object and these children.
  ///
  /// - Throws: `objectDeleted` if the object's row is gone.
  func readAnew(_ root: any Entity, cascade: Bool) throws -> RefreshedGraph {
    let writer = database.isWriter && connection.isInTransaction ? database : nil
    return try consistently {
      let held = HeldGraph(root, in: home.number)
      let fresh = try load(root, beside: cascade ? [] : held.objects)
      return RefreshedGraph(pairs: held.pairs(with: fresh), store: home.number, writer: writer)
    }
  }

  /// Loads an object's row and what it owns.
  ///
  /// - Parameters:
  ///   - root: the object.
  ///   - held: objects that are used as they are instead of being loaded.
  /// - Returns: a fresh object of the same row.
  /// - Throws: `objectDeleted` if the row is gone.
  private func load(_ root: any Entity, beside held: [any Entity]) throws -> any Entity {
    let schema = type(of: root).entitySchema
    let identity = root.entityState.identity
    let statements = try statements(for: schema)
    let (statement, reader) = try statements.rows(
      StatementKey(.selectByKey),
      statements.sql.selectByKey
    )
    defer { statement.reset() }
    try identity.bind(to: statement, at: 1)
    let loader = GraphLoader(self, beside: held)
    let roots = loader.makeRoots(statements)
    let found: [any Entity] = try schema.type.readObjects(
      from: RowStream(statement, reader, into: roots)
    )
    guard let fresh = found.first else {
      throw NacreError(.objectDeleted, entity: schema.name, objectID: identity.uuid)
    }
    // If an entity has children of its own class, the same statement may load them.
    statement.reset()
    try loader.load(roots)
    return fresh
  }
}
