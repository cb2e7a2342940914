import NacreSQLite
import NacreStore

extension EntitySession {
  /// Fetches objects with what they own.
  func fetch<E: Entity>(_ type: E.Type, _ request: FetchRequest) throws -> [E] {
    try consistently {
      let plan = try plan(for: E.entitySchema)
      let (terms, arguments) = try request.resolved(plan, on: self)
      return try fetch(type, plan, terms, arguments, prefetch: request.prefetch)
    }
  }

  /// Fetches the objects that terms find, which were verified or are our own.
  func fetch<E: Entity>(
    _ type: E.Type,
    _ plan: EntityPlan,
    _ terms: QueryTerms,
    _ arguments: [Value],
    prefetch: [Property] = []
  ) throws -> [E] {
    let statement = try bound(plan.sql.select(terms), arguments)
    return try objects(type, plan, statement, plan.reader(statement), prefetch)
  }

  /// Fetches the objects that are stored under some identities, each of which is given once, in any order.
  func fetch<E: Entity>(
    _ type: E.Type,
    _ plan: EntityPlan,
    _ identities: some Collection<ObjectID>,
    prefetch: [Property] = []
  ) throws -> [E] {
    if identities.isEmpty { return [] }
    let (statement, reader) = try plan.targets()
    try bind(identities.sorted(), to: statement)
    return try objects(type, plan, statement, reader, prefetch)
  }

  /// The same by their identities.
  func objects<E: Entity>(
    _ type: E.Type,
    _ plan: EntityPlan,
    _ identities: some Sequence<ObjectID>,
    prefetch: [Property]
  ) throws -> [ObjectID: E] {
    var objects: [ObjectID: E] = [:]
    for object in try fetch(type, plan, Set(identities), prefetch: prefetch) {
      objects[object.entityState.identity] = object
    }
    return objects
  }

  /// Fetches the objects that are stored under some identities, in their order; those of no object are left out.
  func fetch<E: Entity>(
    _ type: E.Type,
    inOrder identities: [ObjectID],
    prefetch: [Property] = []
  ) throws -> [E] {
    try consistently {
      let plan = try plan(for: E.entitySchema)
      let objects = try objects(type, plan, identities, prefetch: prefetch)
      return identities.compactMap { objects[$0] }
    }
  }

  /// Fetches the object of that identity with what it owns, or nil.
  func fetch<E: Entity>(
    _ type: E.Type,
    _ identity: ObjectID,
    prefetch: [Property] = []
  ) throws -> E? {
    try consistently {
      let plan = try plan(for: E.entitySchema)
      let (statement, reader) = try plan.rows(StatementKey(.selectByID), plan.sql.selectByID)
      try identity.bind(to: statement, at: 1)
      return try objects(type, plan, statement, reader, prefetch).first
    }
  }

  /// Reads all rows of a statement, in one state of the store however many queries their children take.
  func objects<E: Entity>(
    _ type: E.Type,
    _ plan: EntityPlan,
    _ statement: Statement,
    _ reader: RowReader,
    _ prefetch: [Property]
  ) throws -> [E] {
    if plan.owned.isEmpty && prefetch.isEmpty {
      defer { statement.reset() }
      return try E.readObjects(from: RowStream(statement, reader, into: nil))
    }
    return try consistently {
      let loader = GraphLoader(self, prefetch: prefetch)
      let roots = loader.makeRoots(plan)
      defer { statement.reset() }
      let objects = try E.readObjects(from: RowStream(statement, reader, into: roots))
      // The children of an entity that has itself as a child are found by the same statement.
      statement.reset()
      try loader.load(roots)
      return objects
    }
  }
}
