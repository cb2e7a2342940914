import NacreStore

/// Objects in memory, each with an object that was freshly loaded from the same row.
struct RefreshedGraph {
  let pairs: [(held: any Entity, fresh: any Entity)]
  let store: UInt32
  /// The connection of the transaction in which the rows were read, whose rollback undoes the
  /// refresh; nil outside a transaction.
  let writer: Database?

  /// Gives the objects in memory the values that were read.
  ///
  /// Outside a transaction, no connection is on loan meanwhile, so an observer of a property can
  /// read and save.
  func assign() {
    for (object, fresh) in pairs { refresh(object, from: fresh) }
  }

  /// Gives an object the values of a fresh object of the same row.
  private func refresh(_ object: any Entity, from fresh: any Entity) {
    let properties = type(of: object).entitySchema.properties
    if let writer { noteRefresh(of: object, properties, in: writer) }
    // The state comes first, because an observer of the properties may save the object.
    object.entityState.version = fresh.entityState.version
    object.entityState.isMarkedForDeletion = false
    object.entityState.settle()
    object.entityChildren.forget(except: 0)
    var unsaved: UInt64 = 0
    for property in properties {
      let bit = EntityState.bit(property.index)
      if let links = property.pendingLinks(of: object) { drop(links, property, of: object) }
      property.access.take(fresh)(object)
      // A property's own observer can set other properties. They are then unsaved, unless this loop
      // refreshes them later.
      unsaved = unsaved & ~bit | object.entityState.changes & ~bit
      object.entityState.settle()
    }
    object.entityState.changes = unsaved
    // A save compares with the children that were read now, not with those that the object held
    // before.
    object.entityChildren.forget(except: unsaved)
  }

  private func drop(_ links: any PendingLinks, _ property: Property, of object: any Entity) {
    let changes = links.pendingChanges
    writer?.undo.note { links.pendingChanges.restore(changes) }
    links.pendingChanges = LinkChanges()
    let schema = type(of: object).entitySchema
    links.belong(to: object.entityState.identity, store, schema, property.index)
  }

  /// Notes what a rollback has to restore, because the fresh values include the transaction's
  /// changes.
  private func noteRefresh(
    of object: any Entity,
    _ properties: [Property],
    in writer: Database
  ) {
    // This note is undone last; it adds the former changes to those that are left.
    writer.entities.note(object, object.entityState)
    let former = properties.map { (EntityState.bit($0.index), $0.access.take(object)) }
    let children = object.entityChildren
    writer.undo.note {
      let changes = object.entityState.changes
      let noted = object.entityChildren
      for (bit, put) in former where changes & bit == 0 { put(object) }
      // A property that was set since the refresh stays set, and keeps the list from which it
      // started.
      object.entityChildren = noted
      object.entityChildren.forget(except: changes)
      object.entityChildren.putBack(children)
      object.entityState.settle()
      object.entityState.changes = changes
    }
  }
}
