import NacreEngine
import NacreStore

extension EntitySession {
  /// Fetches objects with the objects that they own.
  func fetch<E: Entity>(_ type: E.Type, _ request: FetchRequest) throws -> [E] {
    try database.consistently {
      let statements = try statements(for: E.entitySchema)
      let (terms, arguments) = try request.resolved(statements.row, on: self, isRanked: true)
      let statement = try database.bound(statements.sql.select(terms), arguments)
      let reader = statements.reader(statement)
      return try objects(type, statements, statement, reader, request.prefetch)
    }
  }

  /// Fetches the objects that are stored under some identities, and returns them by identity.
  func objects<E: Entity>(
    _ type: E.Type,
    _ statements: EntityStatements,
    _ identities: some Sequence<ObjectID>,
    prefetch: [Property]
  ) throws -> [ObjectID: E] {
    let wanted = Set(identities).sorted()
    if wanted.isEmpty { return [:] }
    let (statement, reader) = try statements.targets()
    try bind(wanted, to: statement)
    let found = try objects(type, statements, statement, reader, prefetch)
    return found.reduce(into: [:]) { $0[$1.entityState.identity] = $1 }
  }

  /// Fetches the objects that are stored under some identities, in the order of the identities.
  ///
  /// An identity without an object is left out.
  func fetch<E: Entity>(
    _ type: E.Type,
    inOrder identities: [ObjectID],
    prefetch: [Property] = []
  ) throws -> [E] {
    try database.consistently {
      let statements = try statements(for: E.entitySchema)
      let objects = try objects(type, statements, identities, prefetch: prefetch)
      return identities.compactMap { objects[$0] }
    }
  }

  /// Fetches the object of that identity with the objects that it owns; returns nil if there is
  /// none.
  ///
  /// Of the objects that it owns, those in `held` are used as they are instead of being loaded.
  func fetch<E: Entity>(
    _ type: E.Type,
    _ identity: ObjectID,
    prefetch: [Property] = [],
    beside held: [any Entity] = []
  ) throws -> E? {
    // A single row needs no transaction, which would cost a fifth of the call. The depth is above 0
    // without a transaction if the engine has ended the one around this call; the fetch fails then.
    if prefetch.isEmpty, !connection.isInTransaction, connection.transactionDepth == 0,
      let statements = keptStatements(for: E.entitySchema), statements.owned.isEmpty
    {
      database.noteSeen()
      let (statement, reader) = try statements.row(of: identity)
      defer { statement.reset() }
      let step: Result<Bool, any Error> = Result { try statement.step() }
      // Under another layout, neither the row nor the error counts.
      if case .success(true) = step {
        if try statements.areCurrent(at: statement) { return try object(type, reader) }
      } else if try database.hasCurrentStatements() {
        _ = try step.get()
        return nil
      }
    }
    return try database.consistently {
      let statements = try statements(for: E.entitySchema)
      let (statement, reader) = try statements.row(of: identity)
      if statements.owned.isEmpty && prefetch.isEmpty {
        defer { statement.reset() }
        return try statement.step() ? object(type, reader) : nil
      }
      return try objects(type, statements, statement, reader, prefetch, beside: held).first
    }
  }

  /// Makes the object in the current row of a statement, without an array around it.
  private func object<E: Entity>(_ type: E.Type, _ reader: RowReader) throws -> E {
    try reader.next()
    return try E(row: reader)
  }

  /// Reads all rows of a statement in one state of the store, however many queries their children
  /// take.
  func objects<E: Entity>(
    _ type: E.Type,
    _ statements: EntityStatements,
    _ statement: any PreparedStatement,
    _ reader: RowReader,
    _ prefetch: [Property],
    beside held: [any Entity] = []
  ) throws -> [E] {
    if statements.owned.isEmpty && prefetch.isEmpty {
      defer { statement.reset() }
      return try E.readObjects(from: RowStream(statement, reader, into: nil))
    }
    return try database.consistently {
      let loader = GraphLoader(self, prefetch: prefetch, beside: held)
      let roots = loader.makeRoots(statements)
      defer { statement.reset() }
      let objects = try E.readObjects(from: RowStream(statement, reader, into: roots))
      // If an entity has itself as a child, this same statement finds the children.
      statement.reset()
      try loader.load(roots)
      return objects
    }
  }
}
