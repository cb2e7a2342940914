import NacreEngine
import NacreStore

// Running a query: its objects, pages of them, and their number.

extension Query {
  /// Fetches the objects with their children.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchAll() throws -> [E] { try read { try $0.fetch(E.self, request) } }

  /// Fetches the first of the objects with its children; nil if there is none.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchOne() throws -> E? { try read { try $0.fetch(E.self, first).first } }

  /// Returns the number of objects.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func count() throws -> Int { try read { try $0.count(E.entitySchema, request) } }

  /// Returns whether there is any object.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func exists() throws -> Bool { try read { try $0.exists(E.entitySchema, first) } }

  /// Fetches one page of the objects, and the number of all objects, in one state of the store.
  ///
  /// A page after the last one has no items. Pages of a query without an order are in the order of
  /// the objectIDs. The page's own limit replaces a limit of the query.
  ///
  /// - Parameters:
  ///   - index: The page's index.
  ///   - size: How many objects a page has, above 0.
  ///   - first: The index of the first page, 0 or another such as 1.
  /// - Returns: The page.
  /// - Throws: ``NacreError/Code/badPage`` for a size below 1 or an index below the first.
  public func page(_ index: Int, size: Int, startingAt first: Int = 0) throws -> Page<E> {
    let place = try PagePlace(index, size: size, startingAt: first, of: E.entitySchema)
    return try read { try $0.page(E.self, request, place) }
  }

  /// Reads the objects one after another, in constant memory.
  ///
  /// - Returns: The cursor, before its first object.
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func cursor() throws -> EntityCursor<E> {
    try EntityCursor(source(), request) { $0.sql.select($1) }
  }

  /// Reads some properties, without making objects.
  /// ```swift
  /// let powers = try Car.all.ordered(by: "power").values(\.name, \.power)   // [(String, Int)]
  /// let colors = try Car.all.distinct().values(\.color)
  /// ```
  ///
  /// - Parameter properties: Plain or sealed values; for distinct rows only plain ones.
  /// - Returns: A row of values for each object.
  /// - Throws: ``NacreError``, also when a key path leads to a child or link.
  public func values<each V>(
    _ properties: repeat KeyPath<E, each V>
  ) throws -> [(repeat each V)] {
    try read { try $0.values(request, repeat each properties) }
  }

  /// The request for only the first object.
  var first: FetchRequest {
    var request = request
    request.limit = Swift.min(request.limit ?? 1, 1)
    return request
  }
}

extension EntitySession {
  func count(_ schema: EntitySchema, _ request: FetchRequest) throws -> Int {
    let plan = try plan(for: schema)
    let (terms, arguments) = try request.resolved(plan.row, on: self)
    return try count(plan.sql.count(terms), arguments)
  }

  /// Returns the number that a statement counts.
  func count(_ sql: String, _ arguments: [Value]) throws -> Int {
    try scalar(sql, arguments).map { try Int(storedValue: $0) } ?? 0
  }

  func exists(_ schema: EntitySchema, _ request: FetchRequest) throws -> Bool {
    let plan = try plan(for: schema)
    let (asked, arguments) = try request.resolved(plan.row, on: self)
    var terms = asked
    // The order does not matter to whether there is an object.
    terms.order = nil
    return try scalar(plan.sql.probe(terms), arguments) != nil
  }

  func page<E: Entity>(
    _ type: E.Type,
    _ request: FetchRequest,
    _ place: PagePlace
  ) throws -> Page<E> {
    let plan = try plan(for: E.entitySchema)
    // Resolve once for both statements, because a predicate may have to search or to read all
    // objects.
    let (asked, arguments) = try request.resolved(plan.row, on: self)
    var terms = QueryTerms(condition: asked.condition)
    let total = try count(plan.sql.count(terms), arguments)
    if place.offset >= total { return Page(items: [], place, totalItems: total) }
    terms.limit = place.size
    terms.offset = place.offset
    // A page needs an order in any case, so that the next one continues where this one ends.
    terms.order = asked.order ?? RowSQL.objectID
    let items = try fetch(type, plan, terms, arguments, prefetch: request.prefetch)
    return Page(items: items, place, totalItems: total)
  }

  func values<E: Entity, each V>(
    _ request: FetchRequest,
    _ properties: repeat KeyPath<E, each V>
  ) throws -> [(repeat each V)] {
    var paths: [AnyKeyPath] = []
    repeat paths.append(each properties)
    let columns = try paths.map { try ValueColumn($0, of: E.entitySchema) }
    if request.isDistinct { for column in columns { try column.refuseSealed(of: E.entitySchema) } }
    let plan = try plan(for: E.entitySchema)
    let (terms, arguments) = try request.resolved(plan.row, on: self)
    let text = plan.sql.selectColumns(
      columns.map(\.property),
      terms,
      isDistinct: request.isDistinct,
      withObjectID: !request.isDistinct
    )
    var rows: [(repeat each V)] = []
    try each(text, arguments) { statement in
      let row = try ValueRow(statement, columns, plan.row, hasObjectID: !request.isDistinct)
      var index = -1
      func next<T>(_ path: KeyPath<E, T>) throws -> T {
        index += 1
        return try row.value(at: index)
      }
      rows.append((repeat try next(each properties)))
    }
    return rows
  }
}

extension ValueColumn {
  /// Throws for a sealed column, because no two envelopes are equal and SQLite would have to
  /// compare them.
  func refuseSealed(of schema: RowSchema) throws {
    guard let property, property.isSealed else { return }
    throw NacreError(
      .sealedCondition,
      entity: schema.name,
      property: property.name,
      detail: "fetch the values and compare them in memory"
    )
  }
}
