import NacreEngine
import NacreStore

// The async twins of a query's calls.

extension Query {
  /// The async twin of ``fetchAll()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchAll() async throws -> sending [E] {
    try await source().readFresh { [request] in try $0.entities.fetch(E.self, request) }
  }

  /// The async twin of ``fetchOne()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func fetchOne() async throws -> sending E? {
    try await source().readFresh { [first] in try $0.entities.fetch(E.self, first).first }
  }

  /// The async twin of ``count()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func count() async throws -> Int {
    try await source().readFresh { [request] in try $0.entities.count(E.entitySchema, request) }
  }

  /// The async twin of ``exists()-()``.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func exists() async throws -> Bool {
    try await source().readFresh { [first] in try $0.entities.exists(E.entitySchema, first) }
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
  ) async throws -> sending Page<E> {
    let place = try PagePlace(index, size: size, startingAt: first, of: E.entitySchema)
    return try await source().readFresh { [request] in try $0.entities.page(E.self, request, place)
    }
  }

  /// The async twin of ``cursor()-()``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also when the query reads a sealed property.
  public func cursor() async throws -> sending EntityCursor<E> {
    let store = try source()
    return try await Store.onThread { [request] in
      // Nothing else refers to the cursor yet.
      nonisolated(unsafe) let cursor = try EntityCursor<E>(store, request) { $0.sql.select($1) }
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
    _ properties: repeat KeyPath<E, each V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(repeat each V)] {
    try await reading(isolation) { try $0.values(request, repeat each properties) }
  }

  /// The async twin of ``deleteAll(cascade:)-(Bool)``.
  ///
  /// - Parameter cascade: whether to delete the children.
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public func deleteAll(cascade: Bool = false) async throws -> Int {
    try await source().write { [request] in
      try $0.entities.deleteAll(E.entitySchema, request, cascade: cascade)
    }
  }

  /// The async twin of ``updateAll(_:)-(Assignment<E>...)``.
  ///
  /// - Parameters:
  ///   - changes: what to change.
  ///   - isolation: the caller's actor.
  /// - Returns: how many objects were changed.
  /// - Throws: ``NacreError``; then nothing is changed.
  @discardableResult
  public func updateAll(
    _ changes: Assignment<E>...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let store = try source()
    let made = try changes.map { try $0.change(for: store) }
    return try await store.write { [request] in
      try $0.entities.updateAll(E.entitySchema, request, made)
    }
  }
}

// MARK: - Aggregates

extension Query {
  /// The async twin of ``sum(_:)-(KeyPath<E,V>)``.
  ///
  /// - Throws: ``NacreError/Code/overflow`` when the sum does not fit in its type.
  public func sum<V: SummableValue>(
    _ property: KeyPath<E, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V.Sum {
    try await reading(isolation) { try $0.sum(of: $0.column(property, request)) }
  }

  /// The async twin of ``average(_:)-(KeyPath<E,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func average<V: SummableValue>(
    _ property: KeyPath<E, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Double? {
    try await reading(isolation) { try $0.aggregate(.average, of: $0.column(property, request)) }
  }

  /// The async twin of ``min(_:)-(KeyPath<E,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(
    _ property: KeyPath<E, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) { try $0.extreme(.minimum, of: $0.column(property, request)) }
  }

  /// The async twin of ``min(_:)-(KeyPath<E,V?>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(
    _ property: KeyPath<E, V?>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) { try $0.extreme(.minimum, of: $0.column(property, request)) }
  }

  /// The async twin of ``max(_:)-(KeyPath<E,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(
    _ property: KeyPath<E, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) { try $0.extreme(.maximum, of: $0.column(property, request)) }
  }

  /// The async twin of ``max(_:)-(KeyPath<E,V?>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(
    _ property: KeyPath<E, V?>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) { try $0.extreme(.maximum, of: $0.column(property, request)) }
  }

  /// The async twin of ``count(distinct:)-(KeyPath<E,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func count<V>(
    distinct property: KeyPath<E, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await reading(isolation) {
      try $0.aggregate(.distinctCount, of: $0.column(property, request)) ?? 0
    }
  }

  /// The async twin of ``groupCounts(by:)-(KeyPath<E,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func groupCounts<V>(
    by property: KeyPath<E, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(value: V, count: Int)] {
    try await reading(isolation) { try $0.groupCounts(by: $0.column(property, request)) }
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
