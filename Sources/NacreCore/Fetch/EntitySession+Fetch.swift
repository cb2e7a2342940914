import NacreEngine
import NacreStore

extension EntitySession {
  /// Fetches objects with the objects that they own.
  func fetch<E: Entity>(_ type: E.Type, _ request: FetchRequest) throws -> [E] {
    try consistently {
      let statements = try statements(for: E.entitySchema)
      let (terms, arguments) = try request.resolved(statements.row, on: self)
      return try fetch(type, statements, terms, arguments, prefetch: request.prefetch)
    }
  }

  /// Fetches the objects that terms find; the terms were verified or are Nacre's own.
  func fetch<E: Entity>(
    _ type: E.Type,
    _ statements: EntityStatements,
    _ terms: QueryTerms,
    _ arguments: [Value],
    prefetch: [Property] = []
  ) throws -> [E] {
    let statement = try bound(statements.sql.select(terms), arguments)
    return try objects(type, statements, statement, statements.reader(statement), prefetch)
  }

  /// Fetches the objects that are stored under some identities, in any order; each identity is
  /// given once.
  func fetch<E: Entity>(
    _ type: E.Type,
    _ statements: EntityStatements,
    _ identities: some Collection<ObjectID>,
    prefetch: [Property] = []
  ) throws -> [E] {
    if identities.isEmpty { return [] }
    let (statement, reader) = try statements.targets()
    try bind(identities.sorted(), to: statement)
    return try objects(type, statements, statement, reader, prefetch)
  }

  /// Fetches the objects that are stored under some identities, and returns them by identity.
  func objects<E: Entity>(
    _ type: E.Type,
    _ statements: EntityStatements,
    _ identities: some Sequence<ObjectID>,
    prefetch: [Property]
  ) throws -> [ObjectID: E] {
    var objects: [ObjectID: E] = [:]
    for object in try fetch(type, statements, Set(identities), prefetch: prefetch) {
      objects[object.entityState.identity] = object
    }
    return objects
  }

  /// Fetches the objects that are stored under some identities, in the order of the identities.
  ///
  /// An identity without an object is left out.
  func fetch<E: Entity>(
    _ type: E.Type,
    inOrder identities: [ObjectID],
    prefetch: [Property] = []
  ) throws -> [E] {
    try consistently {
      let statements = try statements(for: E.entitySchema)
      let objects = try objects(type, statements, identities, prefetch: prefetch)
      return identities.compactMap { objects[$0] }
    }
  }

  /// Fetches the object of that identity with the objects that it owns; returns nil if there is
  /// none.
  func fetch<E: Entity>(
    _ type: E.Type,
    _ identity: ObjectID,
    prefetch: [Property] = []
  ) throws -> E? {
    try consistently {
      let statements = try statements(for: E.entitySchema)
      let (statement, reader) = try statements.rows(
        StatementKey(.selectByKey),
        statements.sql.selectByKey
      )
      try identity.bind(to: statement, at: 1)
      return try objects(type, statements, statement, reader, prefetch).first
    }
  }

  /// Reads all rows of a statement in one state of the store, however many queries their children
  /// take.
  func objects<E: Entity>(
    _ type: E.Type,
    _ statements: EntityStatements,
    _ statement: any PreparedStatement,
    _ reader: RowReader,
    _ prefetch: [Property]
  ) throws -> [E] {
    if statements.owned.isEmpty && prefetch.isEmpty {
      defer { statement.reset() }
      return try E.readObjects(from: RowStream(statement, reader, into: nil))
    }
    return try consistently {
      let loader = GraphLoader(self, prefetch: prefetch)
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
