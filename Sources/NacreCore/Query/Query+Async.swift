import NacreEngine
import NacreStore

// The async twins of a query's calls.

extension Query {
  /// The async twin of ``fetchAll()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchAll() async throws -> sending [Row] {
    try await source().readFresh { [rows, request] in try rows.fetch(request, on: $0.entities) }
  }

  /// The async twin of ``fetchOne()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchOne() async throws -> sending Row? {
    try await source().readFresh { [rows, first] in try rows.fetch(first, on: $0.entities).first }
  }

  /// The async twin of ``count()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func count() async throws -> Int {
    try await source().readFresh { [rows, request] in try $0.entities.count(rows, request) }
  }

  /// The async twin of ``exists()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func exists() async throws -> Bool {
    try await source().readFresh { [rows, first] in try $0.entities.exists(rows, first) }
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

  /// The async twin of ``cursor()-()``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func cursor() async throws -> sending QueryCursor<Row> {
    let store = try source()
    return try await Store.onThread { [rows, request] in
      // Nothing else refers to the cursor yet.
      nonisolated(unsafe) let cursor = try QueryCursor(store) { try rows.batches(request, on: $0) }
      return cursor
    }
  }

  /// The async twin of ``values(_:)``; the rows are read on the caller's own actor.
  ///
  /// - Parameters:
  ///   - properties: values, plain or sealed.
  ///   - isolation: the caller's actor.
  /// - Returns: a row of values for each object.
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  public func values<each V>(
    _ properties: repeat KeyPath<Row, each V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(repeat each V)] {
    try await reading(isolation) { try $0.values(rows, request, repeat each properties) }
  }

  /// The async twin of ``deleteAll()-()``.
  ///
  /// - Returns: how many rows were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public func deleteAll() async throws -> Int {
    try await writing { [rows, request] in try rows.deleteAll(request, on: $0) }
  }

  /// The async twin of ``updateAll(_:)-(Assignment<Row>...)``.
  ///
  /// - Parameters:
  ///   - changes: what to change.
  ///   - isolation: the caller's actor.
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``; then nothing is changed.
  @discardableResult
  public func updateAll(
    _ changes: Assignment<Row>...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await updateAll(changes)
  }

  /// The async twin of ``updateAll(_:)-([Assignment<Row>])``.
  ///
  /// - Parameters:
  ///   - changes: what to change.
  ///   - isolation: the caller's actor.
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``; then nothing is changed.
  @discardableResult
  public func updateAll(
    _ changes: [Assignment<Row>],
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let made = try made(changes)
    return try await writing { [rows, request] in try $0.updateAll(rows, request, made) }
  }
}

extension Query {
  /// Waits for the writer, and runs `body` in a transaction of its own.
  fileprivate func writing(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (EntitySession) throws -> Int
  ) async throws -> Int {
    try await source().write { database in
      let session = database.entities
      return try session.owningTransaction { try body(session) }
    }
  }
}

extension Query where Row: Entity {
  /// The async twin of ``deleteAll(cascade:)-(Bool)``.
  ///
  /// - Parameter cascade: whether to delete the children.
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public func deleteAll(cascade: Bool) async throws -> Int {
    try await writing { [request] in
      try $0.deleteAll(Row.entitySchema, request, cascade: cascade)
    }
  }
}

// MARK: - Aggregates

extension Query {
  /// The async twin of ``sum(_:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError/Code/overflow`` when the sum does not fit in its type.
  public func sum<V: SummableValue>(
    _ property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V.Sum {
    try await reading(isolation) { try $0.sum(of: $0.column(property, rows, request)) }
  }

  /// The async twin of ``average(_:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func average<V: SummableValue>(
    _ property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Double? {
    try await reading(isolation) {
      try $0.aggregate(.average, of: $0.column(property, rows, request))
    }
  }

  /// The async twin of ``min(_:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(
    _ property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) {
      try $0.extreme(.minimum, of: $0.column(property, rows, request))
    }
  }

  /// The async twin of ``min(_:)-(KeyPath<Row,V?>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(
    _ property: KeyPath<Row, V?>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) {
      try $0.extreme(.minimum, of: $0.column(property, rows, request))
    }
  }

  /// The async twin of ``max(_:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(
    _ property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) {
      try $0.extreme(.maximum, of: $0.column(property, rows, request))
    }
  }

  /// The async twin of ``max(_:)-(KeyPath<Row,V?>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(
    _ property: KeyPath<Row, V?>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) {
      try $0.extreme(.maximum, of: $0.column(property, rows, request))
    }
  }

  /// The async twin of ``count(distinct:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func count<V>(
    distinct property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await reading(isolation) {
      try $0.aggregate(.distinctCount, of: $0.column(property, rows, request)) ?? 0
    }
  }

  /// The async twin of ``groupCounts(by:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func groupCounts<V>(
    by property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(value: V, count: Int)] {
    try await reading(isolation) { try $0.groupCounts(by: $0.column(property, rows, request)) }
  }

  /// Waits for a reader, and reads one state of the store on the caller's own actor, where the key
  /// paths stay.
  private func reading<T>(
    _ isolation: isolated (any Actor)?,
    _ body: (EntitySession) throws -> T
  ) async throws -> T {
    try await source().withReaderAsync(isolation: isolation) { database in
      try database.consistently { try body(database.entities) }
    }
  }
}
