public import Foundation

extension Store {
  /// The changes to an entity's objects from now on, by whatever means and whichever process they are made.
  ///
  /// They are told after the commit, in the order of commits, and never what was rolled back:
  /// ```swift
  /// for await changes in try store.changes(of: Car.self) { print(changes.inserted) }
  /// ```
  /// An object's children and links count as its properties, as far as they lie in its own row or in a table of the
  /// relationship. Rotating keys changes no object; a conversion, as of a property that is marked `@Encrypted`, updates all
  /// of the entity, and so does a rotation that another process makes.
  ///
  /// For each object that is observed a hash is kept, 24 bytes and a hash table's free room. What others commit is looked for
  /// every ``StoreOptions/observationInterval`` seconds, and found by reading all rows of the observed entities once.
  ///
  /// - Parameter entity: the class.
  /// - Returns: the changes that are committed after this call has returned.
  /// - Throws: ``NacreError``.
  public func changes<E: Entity>(of entity: E.Type) throws -> EntityChanges<E> {
    EntityChanges(subscription: try watch(E.entitySchema, nil))
  }

  /// The twin of ``changes(of:)-(E.Type)``.
  ///
  /// - Throws: ``NacreError``.
  public func changes<E: Entity>(of entity: E.Type) async throws -> EntityChanges<E> {
    try await Self.onThread { try self.changes(of: E.self) }
  }

  /// What becomes of one object from now on; told as ``changes(of:)-(E.Type)`` is, of which it keeps only this object's hash.
  ///
  /// - Parameters:
  ///   - entity: the class.
  ///   - objectID: the object's identifier; it need not be stored yet.
  /// - Returns: the changes that are committed after this call has returned.
  /// - Throws: ``NacreError``.
  public func changes<E: Entity>(of entity: E.Type, id objectID: UUID) throws -> ObjectChanges {
    ObjectChanges(subscription: try watch(E.entitySchema, ObjectID(objectID)))
  }

  /// The twin of ``changes(of:id:)-(E.Type,_)``.
  ///
  /// - Throws: ``NacreError``.
  public func changes<E: Entity>(
    of entity: E.Type,
    id objectID: UUID
  ) async throws -> ObjectChanges {
    try await Self.onThread { try self.changes(of: E.self, id: objectID) }
  }

  private func watch(
    _ schema: EntitySchema,
    _ object: ObjectID?
  ) throws -> Subscription<RowChanges> {
    try register([schema.type])
    return try observation.watch(WatchScope(table: schema.table, object: object), schema)
  }

  /// A query that is run at once, and again whenever something was committed to a table that it has read.
  /// ```swift
  /// for try await names in store.live({ _ in try Car.fetchValues(\.name) }) { show(names) }
  /// ```
  /// What another process commits makes it run again, whatever the table.
  ///
  /// - Parameter body: the query; what it writes is refused as in a read.
  /// - Returns: the results, the first of them when it is asked for.
  public func live<T>(
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) -> LiveQuery<T> {
    LiveQuery(observation: observation, isRepeated: nil, body: body)
  }

  /// A query as ``live(_:)`` has it, whose results are values that can be compared.
  ///
  /// - Parameters:
  ///   - removingDuplicates: whether a result that is equal to the one before is left out.
  ///   - body: the query; what it writes is refused as in a read.
  /// - Returns: the results, the first of them when it is asked for.
  public func live<T: Equatable & Sendable>(
    removingDuplicates: Bool,
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) -> LiveQuery<T> {
    guard removingDuplicates else { return live(body) }
    return LiveQuery(
      observation: observation,
      isRepeated: { (former: T, found: T) -> Bool in former == found },
      body: body
    )
  }
}

extension Entity {
  /// What becomes of this object's row from now on, whoever changes it; the object itself stays as it is.
  ///
  /// ``Store/changes(of:id:)-(E.Type,_)`` does the same, and has an async twin.
  ///
  /// - Throws: ``NacreError``.
  public var changes: ObjectChanges {
    get throws { try Store.of(self).changes(of: Self.self, id: objectID) }
  }
}
