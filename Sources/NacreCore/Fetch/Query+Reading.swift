import NacreEngine
import NacreStore

// Running a query: its rows, pages of them, and their number.

extension Query {
  /// Fetches the records, or the objects with their children.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchAll() throws -> [Row] { try read { try rows.fetch(request, on: $0) } }

  /// The async twin of ``fetchAll()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchAll() async throws -> sending [Row] {
    try await source().readFresh { [rows, request] in try rows.fetch(request, on: $0.entities) }
  }

  /// Fetches the first record, or the first object with its children; nil if there is none.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchOne() throws -> Row? { try read { try rows.fetch(first, on: $0).first } }

  /// The async twin of ``fetchOne()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchOne() async throws -> sending Row? {
    try await source().readFresh { [rows, first] in try rows.fetch(first, on: $0.entities).first }
  }

  /// Returns the number of objects or records.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func count() throws -> Int { try read { try $0.count(rows, request) } }

  /// The async twin of ``count()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func count() async throws -> Int {
    try await source().readFresh { [rows, request] in try $0.entities.count(rows, request) }
  }

  /// Returns whether there is any object or record.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func exists() throws -> Bool { try read { try $0.exists(rows, first) } }

  /// The async twin of ``exists()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func exists() async throws -> Bool {
    try await source().readFresh { [rows, first] in try $0.entities.exists(rows, first) }
  }

  /// Fetches one page, and the number of all objects or records, in one state of the store.
  ///
  /// A page after the last one has no items. Pages of a query without an order are in the order of
  /// the objectIDs or keys. The page's own limit replaces a limit of the query.
  ///
  /// - Parameters:
  ///   - index: The page's index.
  ///   - size: How many items a page has, above 0.
  ///   - first: The index of the first page, 0 or another such as 1.
  /// - Returns: The page.
  /// - Throws: ``NacreError/Code/badPage`` for a size below 1 or an index below the first.
  public func page(_ index: Int, size: Int, startingAt first: Int = 0) throws -> Page<Row> {
    let place = try PagePlace(index, size: size, startingAt: first, of: rows.name)
    return try read { try $0.page(rows, request, place) }
  }

  /// The async twin of ``page(_:size:startingAt:)-(Int,_,_)``.
  ///
  /// - Parameters:
  ///   - index: the page's index, counted from `first`.
  ///   - size: how many objects a page has, above 0.
  ///   - first: the index of the first page.
  /// - Returns: the page.
  /// - Throws: ``NacreError/Code/badPage`` for a size below 1 or an index below the first.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0
  ) async throws -> sending Page<Row> {
    let place = try PagePlace(index, size: size, startingAt: first, of: rows.name)
    return try await source().readFresh { [rows, request] in
      try $0.entities.page(rows, request, place)
    }
  }

  /// Reads the objects or records one after another, in constant memory.
  ///
  /// - Returns: The cursor, before its first row.
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func cursor() throws -> QueryCursor<Row> {
    try QueryCursor(source()) { try rows.batches(request, on: $0) }
  }

  /// The async twin of ``cursor()-()``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func cursor() async throws -> sending QueryCursor<Row> {
    try await QueryCursor.make(source()) { [rows, request] in try rows.batches(request, on: $0) }
  }

  /// Reads some properties, without making objects or records.
  /// ```swift
  /// let powers = try Car.all.ordered(by: "power").values(\.name, \.power)   // [(String, Int)]
  /// let colors = try Car.all.distinct().values(\.color)
  /// ```
  ///
  /// - Parameter properties: Plain or sealed values; for distinct rows only plain ones.
  /// - Returns: A row of values for each object or record.
  /// - Throws: ``NacreError``, also when a key path leads to a child or link.
  @_disfavoredOverload
  public func values<each V>(
    _ properties: repeat KeyPath<Row, each V>
  ) throws -> [(repeat each V)] {
    try read { try $0.values(rows, request, repeat each properties) }
  }

  /// The async twin of ``values(_:)``; the rows are read on the caller's own actor.
  ///
  /// - Parameters:
  ///   - properties: values, plain or sealed.
  ///   - isolation: the caller's actor.
  /// - Returns: a row of values for each object.
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  @_disfavoredOverload
  public func values<each V>(
    _ properties: repeat KeyPath<Row, each V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(repeat each V)] {
    try await reading(isolation) { try $0.values(rows, request, repeat each properties) }
  }

  /// Reads one property, as `Set(try Car.all.values(\.color))` needs it; otherwise as
  /// ``values(_:)`` does.
  ///
  /// - Throws: ``NacreError``, also when the key path leads to a child or link.
  public func values<V>(_ property: KeyPath<Row, V>) throws -> [V] {
    try read { try $0.values(rows, request, property) }
  }

  /// The async twin of ``values(_:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  public func values<V>(
    _ property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [V] {
    try await reading(isolation) { try $0.values(rows, request, property) }
  }

  /// The request for only the first row.
  var first: FetchRequest {
    var request = request
    request.limit = Swift.min(request.limit ?? 1, 1)
    return request
  }
}

extension EntitySession {
  func count(_ rows: any RowSource, _ request: FetchRequest) throws -> Int {
    let statements = try rows.statements(on: self)
    let (terms, arguments) = try request.resolved(statements, on: self)
    return try count(statements.sql.count(terms), arguments)
  }

  /// Returns the number that a statement counts.
  func count(_ sql: String, _ arguments: [Value]) throws -> Int {
    try database.scalar(sql, arguments).map { Int(try Int64(storedValue: $0).asRowCount) } ?? 0
  }

  /// Returns the identities that a statement selects.
  func identities(_ sql: String, _ arguments: [Value]) throws -> [ObjectID] {
    var identities: [ObjectID] = []
    try database.each(sql, arguments) { identities.append(try ObjectID.read(from: $0, at: 0)) }
    return identities
  }

  func exists(_ rows: any RowSource, _ request: FetchRequest) throws -> Bool {
    let statements = try rows.statements(on: self)
    let (asked, arguments) = try request.resolved(statements, on: self)
    var terms = asked
    // The order does not matter to whether there is a row.
    terms.order = nil
    return try database.scalar(statements.sql.probe(terms), arguments) != nil
  }

  func page<Row>(
    _ rows: any RowSource<Row>,
    _ request: FetchRequest,
    _ place: PagePlace
  ) throws -> Page<Row> {
    let statements = try rows.statements(on: self)
    // Resolve once for both statements, because a predicate may have to search or to read all rows.
    var request = try request.resolvingCondition(statements, on: self)
    let (asked, arguments) = try request.resolved(statements, on: self)
    let total = try count(statements.sql.count(QueryTerms(condition: asked.condition)), arguments)
    if place.offset >= total { return Page(items: [], place: place, totalItems: total) }
    (request.limit, request.offset) = (place.size, place.offset)
    // A page needs an order in any case, so that the next one continues where this one ends.
    if request.order == nil && request.search == nil {
      request.order = QueryOrder(keyOf: statements.schema)
    }
    return Page(items: try rows.fetch(request, on: self), place: place, totalItems: total)
  }

  func values<Row, each V>(
    _ rows: any RowSource<Row>,
    _ request: FetchRequest,
    _ properties: repeat KeyPath<Row, each V>
  ) throws -> [(repeat each V)] {
    var paths: [AnyKeyPath] = []
    repeat paths.append(each properties)
    let schema = try rows.schema
    let columns = try paths.map { try schema.valueOrLink($0) }
    if request.isDistinct { for column in columns { try schema.refuseSealed(column) } }
    let statements = try rows.statements(on: self)
    // Distinct rows of values are not in the order of one of the objects that have them.
    let (terms, arguments) = try request.resolved(
      statements,
      on: self,
      isRanked: !request.isDistinct
    )
    let hasObjectID = schema.hasObjectID && !request.isDistinct
    let text = statements.sql.selectColumns(
      columns,
      terms,
      isDistinct: request.isDistinct,
      withObjectID: hasObjectID
    )
    var found: [(repeat each V)] = []
    try database.each(text, arguments) { statement in
      let row = try ValueRow(statement, columns, statements, hasObjectID: hasObjectID)
      var index = -1
      func next<T>(_ path: KeyPath<Row, T>) throws -> T {
        index += 1
        return try row.value(at: index)
      }
      found.append((repeat try next(each properties)))
    }
    return found
  }
}
