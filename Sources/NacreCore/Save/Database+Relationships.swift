import NacreSQLite

extension Database {
  /// Writes the rows of an object's to-many children that changed.
  func writeChildren(
    of owner: any Entity,
    wasStored: Bool,
    changes: UInt64,
    cascades: Bool
  ) throws {
    let plan = try plan(for: type(of: owner).entitySchema)
    for property in plan.owned where !wasStored || changes & EntityState.bit(property.index) != 0 {
      guard case .children(let relationship) = property.kind,
        let sql = plan.relationship(property)
      else { continue }
      let children = relationship.get(owner).filter { !$0.isMarkedForDeletion }
        .map { $0.ensuredIdentity }
      if sql.joinTable == nil {
        if wasStored { try removeInverses(of: owner, except: children, property, plan, sql) }
        // With cascade, the children's own rows were just written with their links.
        if !cascades {
          try setInverses(of: Set(children), to: owner.entityState.identity, plan, sql)
        }
      } else {
        try writeJoin(children, of: owner, wasStored, property, plan, sql)
      }
    }
  }

  /// Writes the ordered table of a relationship: rows up to the first difference stay as they are.
  private func writeJoin(
    _ children: [ObjectID],
    of owner: any Entity,
    _ wasStored: Bool,
    _ property: Property,
    _ plan: EntityPlan,
    _ sql: RelationshipSQL
  ) throws {
    let identity = owner.entityState.identity
    let stored = wasStored ? try storedPositions(identity, plan, sql) : []
    // A position that is not ours is written anew: whoever wrote to the file may have left no room behind it.
    let kept = zip(stored, children)
      .prefix { $0.child == $1 && (0..<Int64(1) << 62).contains($0.position) }.count
    var position = kept == 0 ? 0 : stored[kept - 1].position + 1
    if kept < stored.count {
      let delete = try plan.statement(
        StatementKey(.deleteFromPosition, property.index),
        sql.deleteFromPosition
      )
      try identity.bind(to: delete, at: 1)
      try delete.bind(stored[kept].position, at: 2)
      try delete.run()
    }
    if kept < children.count {
      let insert = try plan.statement(
        StatementKey(.insertChild, property.index),
        sql.insertChild
      )
      try identity.bind(to: insert, at: 1)
      for child in children[kept...] {
        try insert.bind(position, at: 2)
        try child.bind(to: insert, at: 3)
        try insert.run()
        position += 1
      }
    }
    guard property.relationship?.removalRule == .delete, kept < stored.count else { return }
    let removed = Set(stored[kept...].map(\.child)).subtracting(children)
    try deleteRemoved(removed.sorted(), property)
  }

  private func storedPositions(
    _ owner: ObjectID,
    _ plan: EntityPlan,
    _ sql: RelationshipSQL
  ) throws -> [(position: Int64, child: ObjectID)] {
    let select = try plan.statement(
      StatementKey(.selectPositions, sql.property.index),
      sql.selectPositions
    )
    defer { select.reset() }
    try owner.bind(to: select, at: 1)
    var rows: [(Int64, ObjectID)] = []
    while try select.step() {
      rows.append((select.int64(at: 0), try ObjectID.read(from: select, at: 1)))
    }
    return rows
  }

  /// Takes the children's own links away from those that are no longer in the property.
  private func removeInverses(
    of owner: any Entity,
    except children: [ObjectID],
    _ property: Property,
    _ plan: EntityPlan,
    _ sql: RelationshipSQL
  ) throws {
    let identity = owner.entityState.identity
    let select = try plan.statement(
      StatementKey(.selectInverse, property.index),
      sql.selectInverse
    )
    var removed: [ObjectID] = []
    try identity.bind(to: select, at: 1)
    do {
      defer { select.reset() }
      let present = Set(children)
      while try select.step() {
        let child = try ObjectID.read(from: select, at: 0)
        if !present.contains(child) { removed.append(child) }
      }
    }
    for child in removed {
      let clear = try plan.statement(
        StatementKey(.clearInverse, property.index),
        sql.clearInverse
      )
      try identity.bind(to: clear, at: 1)
      try child.bind(to: clear, at: 2)
      try clear.run()
    }
    if property.relationship?.removalRule == .delete { try deleteRemoved(removed, property) }
  }

  /// Deletes children that were taken out of a relationship which says so, unless something else refers to them.
  func deleteRemoved(_ children: [ObjectID], _ property: Property) throws {
    guard let target = property.relationship?.target.entitySchema, !children.isEmpty else { return }
    try deleteUnreferred(children, of: target)
  }

  // MARK: - Links

  /// The elements that links bring along from another store, whose rows of them stay.
  func carried(
    _ links: any PendingLinks,
    of owner: any Entity,
    _ index: Int
  ) throws -> Set<ObjectID> {
    let source = links.store
    if source == 0 || source == home.number { return [] }
    undo.note { links.store = source }
    let changes = links.pendingChanges
    if changes.removesAll { return [] }
    do {
      return try links.storedElements().subtracting(changes.removed)
    } catch {
      let schema = type(of: owner).entitySchema
      throw NacreError.wrap(error, at: schema, property: index, identity: owner.ensuredIdentity)
    }
  }

  /// Writes what was added to and removed from to-many links, and the elements that they bring from another store.
  func writeLinks(
    _ links: any PendingLinks,
    of owner: any Entity,
    _ index: Int,
    carried: Set<ObjectID>
  ) throws {
    let plan = try plan(for: type(of: owner).entitySchema)
    let property = plan.schema.properties[index]
    guard let sql = plan.relationship(property) else { return }
    let identity = owner.entityState.identity
    let isInverse = sql.joinTable == nil
    let changes = links.pendingChanges
    if links.store != home.number { links.belong(to: identity, home.number, plan.schema, index) }
    if changes.removesAll {
      let statement = try plan.statement(
        StatementKey(isInverse ? .clearInverses : .deleteLinks, index),
        isInverse ? sql.clearInverses : sql.deleteLinks
      )
      try identity.bind(to: statement, at: 1)
      try statement.run()
    }
    try run(
      StatementKey(isInverse ? .clearInverse : .deleteLink, index),
      isInverse ? sql.clearInverse : sql.deleteLink,
      identity,
      changes.removed,
      plan
    )
    if isInverse {
      try setInverses(of: changes.added, to: identity, plan, sql)
      // An element that is not here has the link in its own row, and brings it when it comes.
      try setInverses(of: carried, to: identity, plan, sql, areStored: false)
    } else {
      try run(
        StatementKey(.insertLink, index),
        sql.insertLink,
        identity,
        changes.added.union(carried),
        plan
      )
    }
    undo.note { links.restore(changes) }
    // By its owner the commit names a link to nothing.
    undo.note(owner, owner.entityState)
    links.settle()
  }

  private func run(
    _ key: StatementKey,
    _ text: String,
    _ owner: ObjectID,
    _ targets: Set<ObjectID>,
    _ plan: EntityPlan
  ) throws {
    guard !targets.isEmpty else { return }
    let statement = try plan.statement(key, text)
    try owner.bind(to: statement, at: 1)
    for target in targets.sorted() {
      try target.bind(to: statement, at: 2)
      try statement.run()
    }
  }

  private func setInverses(
    of targets: Set<ObjectID>,
    to owner: ObjectID,
    _ plan: EntityPlan,
    _ sql: RelationshipSQL,
    areStored: Bool = true
  ) throws {
    guard !targets.isEmpty else { return }
    let statement = try plan.statement(
      StatementKey(.setInverse, sql.property.index),
      sql.setInverse
    )
    try owner.bind(to: statement, at: 2)
    for target in targets.sorted() {
      try target.bind(to: statement, at: 1)
      try statement.run()
      if areStored && connection.changes == 0 {
        throw NacreError(.notFound, entity: sql.target.name, objectID: target.uuid)
      }
    }
  }
}
