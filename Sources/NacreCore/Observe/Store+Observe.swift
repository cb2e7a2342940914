public import Foundation
import NacreEngine
import NacreStore

extension Store {
  /// Returns the changes to an entity's objects from now on, however they are made and in whichever
  /// process.
  ///
  /// Changes are reported after the commit, in the order of commits; changes that were rolled back
  /// are never reported:
  /// ```swift
  /// for await changes in try store.changes(of: Car.self) { print(changes.inserted) }
  /// ```
  /// An object's children and links count as its properties if they are stored in its own row or in
  /// a table of the relationship. Rotating keys changes no object. A conversion, such as that of a
  /// property newly marked `@Encrypted`, updates all objects of the entity, and so does a rotation
  /// by another process.
  ///
  /// Nacre keeps a hash for each observed object: 24 bytes, plus the free room of a hash table. It
  /// looks for commits of other connections every ``StoreOptions/observationInterval`` seconds; if
  /// there are any, it reads all rows of the observed entities once to find what changed. On a
  /// PostgreSQL server it hears of the commits of other stores at once, and looks fifty times as
  /// seldom for what others change there without Nacre.
  ///
  /// - Parameter entity: the class.
  /// - Returns: the changes that are committed after this call has returned.
  /// - Throws: ``NacreError``.
  public func changes<E: Entity>(of entity: E.Type) throws -> EntityChanges<E> {
    EntityChanges(subscription: try watch(E.entitySchema, nil))
  }

  /// The async twin of ``changes(of:)-(E.Type)``.
  ///
  /// - Throws: ``NacreError``.
  public func changes<E: Entity>(of entity: E.Type) async throws -> EntityChanges<E> {
    try await Self.onThread { try self.changes(of: E.self) }
  }

  /// Returns the changes to one object from now on, reported like ``changes(of:)-(E.Type)``.
  ///
  /// Nacre keeps only this object's hash.
  ///
  /// - Parameters:
  ///   - entity: the class.
  ///   - objectID: the object's identifier; it need not be stored yet.
  /// - Returns: the changes that are committed after this call has returned.
  /// - Throws: ``NacreError``.
  public func changes<E: Entity>(of entity: E.Type, id objectID: UUID) throws -> ObjectChanges {
    ObjectChanges(subscription: try watch(E.entitySchema, ObjectID(objectID)))
  }

  /// The async twin of ``changes(of:id:)-(E.Type,_)``.
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
    return try entities.observers.watch(WatchScope(table: schema.table, object: object), schema)
  }

  /// Returns the results of a query: the current one, and another each time somebody commits to a
  /// table that it has read.
  /// ```swift
  /// for try await names in store.live({ _ in try Car.fetchValues(\.name) }) { show(names) }
  /// ```
  /// A commit of another process makes it run again, whichever table was changed.
  ///
  /// - Parameter body: the query; Nacre refuses its writes, as in a read.
  /// - Returns: the results; the query first runs when the first one is asked for.
  public func live<T>(
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) -> LiveQuery<T> {
    LiveQuery(observers: entities.observers, isRepeated: nil, body: body)
  }

  /// Does the same as ``live(_:)``, for a query whose results can be compared.
  ///
  /// - Parameters:
  ///   - removingDuplicates: whether to leave out a result that equals the one before.
  ///   - body: the query; Nacre refuses its writes, as in a read.
  /// - Returns: the results; the query first runs when the first one is asked for.
  public func live<T: Equatable & Sendable>(
    removingDuplicates: Bool,
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) -> LiveQuery<T> {
    guard removingDuplicates else { return live(body) }
    return LiveQuery(
      observers: entities.observers,
      isRepeated: { (former: T, found: T) -> Bool in former == found },
      body: body
    )
  }
}

extension Entity {
  /// The changes to this object's row from now on, whoever makes them; the object in memory does
  /// not change.
  ///
  /// ``Store/changes(of:id:)-(E.Type,_)`` does the same and has an async twin.
  ///
  /// - Throws: ``NacreError``.
  public var changes: ObjectChanges {
    get throws { try Store.of(self).changes(of: Self.self, id: objectID) }
  }
}
