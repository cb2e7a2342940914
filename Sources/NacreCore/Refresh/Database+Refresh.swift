import NacreSQLite

extension Database {
  /// Makes an object, and with `cascade` the children that it holds, what is stored of them.
  ///
  /// All is read before anything in memory is changed.
  ///
  /// - Throws: `objectDeleted` where its row is gone.
  func refresh(_ root: any Entity, cascade: Bool) throws {
    let pairs = try consistently {
      let held = HeldGraph(root, in: home.number)
      let fresh = try load(root, beside: cascade ? [] : held.objects)
      return held.pairs(with: fresh)
    }
    for (object, fresh) in pairs { refresh(object, from: fresh) }
  }

  /// Loads an object's row and what it owns.
  ///
  /// - Parameters:
  ///   - root: the object.
  ///   - held: objects that are taken as they are instead of being loaded.
  /// - Returns: a fresh object of the same row.
  /// - Throws: `objectDeleted` where the row is gone.
  private func load(_ root: any Entity, beside held: [any Entity]) throws -> any Entity {
    let schema = type(of: root).entitySchema
    let identity = root.entityState.identity
    let plan = try plan(for: schema)
    let (statement, reader) = try plan.rows(StatementKey(.selectByID), plan.sql.selectByID)
    defer { statement.reset() }
    try identity.bind(to: statement, at: 1)
    let loader = GraphLoader(self, beside: held)
    let roots = loader.makeRoots(plan)
    let found: [any Entity] = try schema.type.readObjects(
      from: RowStream(statement, reader, into: roots)
    )
    guard let fresh = found.first else {
      throw NacreError(.objectDeleted, entity: schema.name, objectID: identity.uuid)
    }
    // The children of an entity that has itself as a child can be found by the same statement.
    statement.reset()
    try loader.load(roots)
    return fresh
  }

  /// Gives an object what a fresh one of the same row holds.
  private func refresh(_ object: any Entity, from fresh: any Entity) {
    let properties = type(of: object).entitySchema.properties
    if isWriter && connection.isInTransaction { noteRefresh(of: object, properties) }
    // First, for an observer of the properties may save the object.
    object.entityState.version = fresh.entityState.version
    object.entityState.isMarkedForDeletion = false
    object.entityState.settle()
    object.entityChildren.forget(except: 0)
    var unsaved: UInt64 = 0
    for property in properties {
      let bit = EntityState.bit(property.index)
      if let links = property.pendingLinks(of: object) { drop(links, property, of: object) }
      property.access.take(fresh)(object)
      // A property's own observer can set others, which are unsaved then unless their turn comes later.
      unsaved = unsaved & ~bit | object.entityState.changes & ~bit
      object.entityState.settle()
    }
    object.entityState.changes = unsaved
    // A save goes by what was read now, not by what the object held before.
    object.entityChildren.forget(except: unsaved)
  }

  private func drop(_ links: any PendingLinks, _ property: Property, of object: any Entity) {
    let changes = links.pendingChanges
    if isWriter && connection.isInTransaction { undo.note { links.restore(changes) } }
    links.settle()
    let schema = type(of: object).entitySchema
    links.belong(to: object.entityState.identity, home.number, schema, property.index)
  }

  /// Notes what a rollback has to put back: the transaction's changes are in the fresh values.
  private func noteRefresh(of object: any Entity, _ properties: [Property]) {
    // Undone last: it adds the former changes to those that are left.
    undo.note(object, object.entityState)
    let former = properties.map { (EntityState.bit($0.index), $0.access.take(object)) }
    let children = object.entityChildren
    undo.note {
      let changes = object.entityState.changes
      let noted = object.entityChildren
      for (bit, put) in former where changes & bit == 0 { put(object) }
      // What was set since the refresh stays set, and keeps the list from which it started.
      object.entityChildren = noted
      object.entityChildren.forget(except: changes)
      object.entityChildren.putBack(children)
      object.entityState.settle()
      object.entityState.changes = changes
    }
  }
}
