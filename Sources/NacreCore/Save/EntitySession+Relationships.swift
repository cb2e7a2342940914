import NacreEngine
import NacreStore

extension EntitySession {
  /// Returns the elements that links bring along from another store; the elements' rows stay there.
  func carried(
    _ links: any PendingLinks,
    of owner: any Entity,
    _ index: Int
  ) throws -> Set<ObjectID> {
    let source = links.store
    if source == 0 || source == home.number { return [] }
    database.undo.note { links.store = source }
    let changes = links.pendingChanges
    if changes.removesAll { return [] }
    do {
      return try links.storedElements().subtracting(changes.removed)
    } catch {
      let schema = type(of: owner).entitySchema
      throw NacreError.wrap(error, at: schema, property: index, identity: owner.ensuredIdentity)
    }
  }

  /// Writes the additions and removals of to-many links, and the elements that they bring from
  /// another store.
  func writeLinks(
    _ links: any PendingLinks,
    of owner: any Entity,
    _ index: Int,
    carried: Set<ObjectID>
  ) throws {
    let statements = try statements(for: type(of: owner).entitySchema)
    let property = statements.schema.properties[index]
    guard let sql = statements.relationship(property) else { return }
    let identity = owner.entityState.identity
    let isInverse = sql.joinTable == nil
    let changes = links.pendingChanges
    if links.store != home.number {
      links.belong(to: identity, home.number, statements.schema, index)
    }
    if changes.removesAll {
      let statement = try statements.prepared(
        StatementKey(isInverse ? .clearInverses : .deleteLinks, index),
        isInverse ? sql.clearInverses : sql.deleteLinks
      )
      try identity.bind(to: statement, at: 1)
      try statement.send(.rows())
    }
    try run(
      StatementKey(isInverse ? .clearInverse : .deleteLink, index),
      isInverse ? sql.clearInverse : sql.deleteLink,
      identity,
      changes.removed,
      statements
    )
    if isInverse {
      try setInverses(of: changes.added, to: identity, statements, sql)
      // An element that is not in this store has the link in its own row, and brings it when it
      // comes.
      try setInverses(of: carried, to: identity, statements, sql, areStored: false)
    } else {
      try run(
        StatementKey(.insertLink, index),
        sql.insertLink(statements.sql.dialect),
        identity,
        changes.added.union(carried),
        statements
      )
    }
    database.undo.note { links.pendingChanges.restore(changes) }
    // Note the owner, so that a failing commit can name its link to a missing object.
    note(owner, owner.entityState)
    links.pendingChanges = LinkChanges()
  }

  /// Runs a statement for each target, with the owner as parameter 1 and the target as parameter 2.
  func run(
    _ key: StatementKey,
    _ text: String,
    _ owner: ObjectID,
    _ targets: Set<ObjectID>,
    _ statements: EntityStatements
  ) throws {
    guard !targets.isEmpty else { return }
    let statement = try statements.prepared(key, text)
    try owner.bind(to: statement, at: 1)
    for target in targets.sorted() {
      try target.bind(to: statement, at: 2)
      try statement.send(.rows())
    }
  }

  func setInverses(
    of targets: Set<ObjectID>,
    to owner: ObjectID,
    _ statements: EntityStatements,
    _ sql: RelationshipSQL,
    areStored: Bool = true
  ) throws {
    guard !targets.isEmpty else { return }
    let statement = try statements.prepared(
      StatementKey(.setInverse, sql.property.index),
      sql.setInverse(connection.dialect)
    )
    try owner.bind(to: statement, at: 2)
    for target in targets.sorted() {
      try target.bind(to: statement, at: 1)
      try statement.send(
        areStored
          ? .row(isNew: false) { error in
            if let error { return error }
            return NacreError(.notFound, entity: sql.target.name, objectID: target.uuid)
          } : .rows()
      )
    }
  }
}
