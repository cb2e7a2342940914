import NacreSQLite

/// A whole query: what its caller wrote, with its arguments.
struct FetchRequest: Sendable {
  var terms = QueryTerms()
  var arguments: [Value] = []
  var prefetch: [Property] = []
}

extension Database {
  /// Fetches objects with what they own.
  func fetch<E: Entity>(_ type: E.Type, _ request: FetchRequest) throws -> [E] {
    let plan = try plan(for: E.entitySchema)
    try plan.verify(request.terms)
    let statement = try bound(plan.sql.select(request.terms), request.arguments)
    return try objects(type, plan, statement, request.prefetch)
  }

  /// Fetches the object of that identity with what it owns, or nil.
  func fetch<E: Entity>(
    _ type: E.Type, _ identity: ObjectID, prefetch: [Property] = []
  ) throws -> E? {
    let plan = try plan(for: E.entitySchema)
    let statement = try plan.statement(plan.sql.selectByID)
    try identity.bind(to: statement, at: 1)
    return try objects(type, plan, statement, prefetch).first
  }

  /// Reads all rows of a statement, in one state of the store however many queries their children take.
  func objects<E: Entity>(
    _ type: E.Type, _ plan: EntityPlan, _ statement: Statement, _ prefetch: [Property]
  ) throws -> [E] {
    if plan.owned.isEmpty && prefetch.isEmpty {
      return try flatObjects(type, plan, statement)
    }
    return try consistently {
      let loader = GraphLoader(self, prefetch: prefetch)
      let roots = loader.makeRoots(plan)
      let objects = try graphRoots(type, plan, statement, into: roots)
      try loader.load(roots)
      return objects
    }
  }

  private func flatObjects<E: Entity>(
    _ type: E.Type, _ plan: EntityPlan, _ statement: Statement
  ) throws -> [E] {
    defer { statement.reset() }
    let reader = plan.reader(statement)
    var objects: [E] = []
    while try statement.step() {
      try reader.next()
      objects.append(try reader.object(type, plan.schema))
    }
    return objects
  }

  private func graphRoots<E: Entity>(
    _ type: E.Type, _ plan: EntityPlan, _ statement: Statement, into roots: GraphLoader.Batch
  ) throws -> [E] {
    defer { statement.reset() }
    let reader = plan.reader(statement)
    var objects: [E] = []
    while try statement.step() {
      try reader.next()
      let object = try reader.object(type, plan.schema)
      try roots.append(object, reader)
      objects.append(object)
    }
    return objects
  }

  /// Runs `body` in a read transaction, if none is open.
  func consistently<T>(_ body: () throws -> T) throws -> T {
    if connection.isInTransaction { return try body() }
    return try connection.transaction(.deferred, body)
  }
}
