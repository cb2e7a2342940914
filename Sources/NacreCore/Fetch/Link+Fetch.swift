public import Foundation
import NacreEngine
import NacreStore

extension Link {
  /// Returns the object that the link refers to: the one it was made from, a prefetched one, or
  /// else a fresh one.
  ///
  /// - Throws: ``NacreError/Code/notFound`` if the object is not stored (any more).
  public func get() throws -> Target {
    if let loaded { return loaded }
    guard let object = try source().withReader({ try $0.entities.fetch(Target.self, identity) })
    else {
      throw NacreError(.notFound, entity: Target.entitySchema.name, objectID: objectID)
    }
    return object
  }

  /// Returns the object as ``get()-()`` does, without blocking the caller's thread.
  ///
  /// - Throws: ``NacreError/Code/notFound`` if the object is not stored (any more).
  public func get(isolation: isolated (any Actor)? = #isolation) async throws -> Target {
    if let loaded { return loaded }
    let (identity, objectID) = (identity, objectID)
    let found = try await source().withFreshReader { try $0.entities.fetch(Target.self, identity) }
    guard let found else {
      throw NacreError(.notFound, entity: Target.entitySchema.name, objectID: objectID)
    }
    return found
  }

  /// Returns the store that has the object.
  func source() throws -> Store {
    if store == 0 { return try Store.current(for: Target.self) }
    return try Store.numbered(store)
  }
}

extension Links {
  /// Fetches the stored elements with their children, or one page of them.
  ///
  /// - Parameters:
  ///   - order: SQL; nil for the order of the objectIDs.
  ///   - page: The page's index, from 0.
  ///   - size: How many elements a page has; nil, 0 or less fetches all.
  /// - Returns: The objects.
  /// - Throws: ``NacreError``.
  public func fetchAll(
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [Target] {
    try fetch(Target.all.arranged(order, page, size).request)
  }

  /// Fetches the elements as ``fetchAll(orderBy:page:size:)-(_,_,_)`` does, without blocking the
  /// caller's thread.
  ///
  /// - Throws: ``NacreError``.
  public func fetchAll(
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [Target] {
    guard let elements = try elements() else { return [] }
    let request = Target.all.arranged(order, page, size).request
    return try await elements.store.readFresh { try elements.fetch(request, on: $0.entities) }
  }

  /// Fetches the stored elements that a condition is true of, or one page of them.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: The values of the `?`.
  ///   - order: SQL; nil for the order of the objectIDs.
  ///   - page: The page's index, from 0.
  ///   - size: How many elements a page has; nil, 0 or less fetches all.
  /// - Returns: The objects.
  /// - Throws: ``NacreError``.
  public func fetchAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [Target] {
    try fetch(Target.query(condition, arguments).arranged(order, page, size).request)
  }

  /// Fetches the elements as ``fetchAll(where:_:orderBy:page:size:)-(String,_,_,_,_)`` does,
  /// without blocking the caller's thread.
  ///
  /// - Throws: ``NacreError``.
  public func fetchAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [Target] {
    guard let elements = try elements() else { return [] }
    let request = Target.query(condition, arguments).arranged(order, page, size).request
    return try await elements.store.readFresh { try elements.fetch(request, on: $0.entities) }
  }

  /// Fetches the stored elements that match a condition with named arguments, or one page of them.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public func fetchAll(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [Target] {
    try fetch(Target.where(condition, arguments).arranged(order, page, size).request)
  }

  /// Fetches the elements as ``fetchAll(where:_:orderBy:page:size:)-(_,NamedArguments,_,_,_)``
  /// does, without blocking the caller's thread.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public func fetchAll(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [Target] {
    guard let elements = try elements() else { return [] }
    let request = Target.where(condition, arguments).arranged(order, page, size).request
    return try await elements.store.readFresh { try elements.fetch(request, on: $0.entities) }
  }

  /// Reads the stored elements one after another, in constant memory.
  ///
  /// - Parameter order: SQL; nil for the order of the objectIDs.
  /// - Returns: The cursor, before its first object.
  /// - Throws: ``NacreError``.
  public func cursor(orderBy order: String? = nil) throws -> EntityCursor<Target> {
    guard let elements = try elements() else {
      return try Target.query("0", []).arranged(order).cursor()
    }
    let (rows, request) = (EntityRows<Target>(), Target.all.arranged(order).request)
    return try QueryCursor(elements.store) {
      try rows.batches(request, on: $0, owner: [elements.parameter], text: elements.text)
    }
  }

  /// The async twin of ``cursor(orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public func cursor(
    orderBy order: String? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> EntityCursor<Target> {
    guard let elements = try elements() else {
      return try await Target.query("0", []).arranged(order).cursor()
    }
    let (rows, request) = (EntityRows<Target>(), Target.all.arranged(order).request)
    return try await QueryCursor.make(elements.store) {
      try rows.batches(request, on: $0, owner: [elements.parameter], text: elements.text)
    }
  }

  /// Returns the number of stored elements.
  ///
  /// - Throws: ``NacreError``.
  public func count() throws -> Int {
    guard let elements = try elements() else { return 0 }
    return try elements.store.withReader { try elements.count(on: $0.entities) }
  }

  /// Returns the number of elements as ``count()-()`` does, without blocking the caller's thread.
  ///
  /// - Throws: ``NacreError``.
  public func count(isolation: isolated (any Actor)? = #isolation) async throws -> Int {
    guard let elements = try elements() else { return 0 }
    return try await elements.store.readFresh { try elements.count(on: $0.entities) }
  }

  /// Returns whether an object is among the stored elements.
  ///
  /// - Throws: ``NacreError``.
  public func contains(objectID: UUID) throws -> Bool {
    guard let elements = try elements() else { return false }
    return try elements.store.withReader { try elements.contains(objectID, on: $0.entities) }
  }

  /// The async twin of ``contains(objectID:)``.
  ///
  /// - Throws: ``NacreError``.
  public func contains(
    objectID: UUID,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    guard let elements = try elements() else { return false }
    return try await elements.store.readFresh { try elements.contains(objectID, on: $0.entities) }
  }

  func fetch(_ request: FetchRequest) throws -> [Target] {
    guard let elements = try elements() else { return [] }
    return try elements.store.withReader { try elements.fetch(request, on: $0.entities) }
  }

  /// Returns the identities of the stored elements; there are none if the owner was never stored.
  @usableFromInline
  func storedElements() throws -> Set<ObjectID> {
    guard let elements = try elements() else { return [] }
    return try elements.store.withReader { try elements.identities(on: $0.entities) }
  }

  /// Returns the stored elements, or nil if the owner was never stored and so has none.
  func elements() throws -> LinkElements<Target>? {
    guard let owner, let place,
      let relationship = RelationshipSQL(
        owner: place.schema,
        property: place.schema.properties[place.index]
      )
    else { return nil }
    let store = try Store.numbered(store)
    return LinkElements(store: store, sql: relationship, owner: owner)
  }
}

/// The stored elements of one object's to-many links.
struct LinkElements<Target: Entity>: Sendable {
  let store: Store
  let sql: RelationshipSQL
  let owner: ObjectID

  /// The owner as an argument, which comes after the caller's arguments.
  var parameter: Value { .blob(owner.data) }

  func fetch(_ request: FetchRequest, on session: EntitySession) throws -> [Target] {
    try session.database.consistently {
      let (statements, terms, arguments) = try resolved(request, on: session)
      return try fetch(statements, terms, arguments, on: session)
    }
  }

  /// Returns the target's statements, and a request's terms with their arguments and the owner.
  func resolved(
    _ request: FetchRequest,
    on session: EntitySession
  ) throws -> (statements: EntityStatements, terms: QueryTerms, arguments: [Value]) {
    let statements = try statements(on: session)
    let (terms, arguments) = try request.resolved(statements.row, on: session)
    return (statements, terms, arguments + [parameter])
  }

  func fetch(
    _ statements: EntityStatements,
    _ terms: QueryTerms,
    _ arguments: [Value],
    on session: EntitySession
  ) throws -> [Target] {
    let statement = try session.database.bound(text(statements, terms), arguments)
    let reader = statements.reader(statement)
    return try session.objects(Target.self, statements, statement, reader, [])
  }

  func text(_ statements: EntityStatements, _ terms: QueryTerms) -> String {
    sql.elements(RowSQL.row(of: statements.schema, "t"), terms)
  }

  func count(on session: EntitySession) throws -> Int {
    _ = try statements(on: session)
    let text = sql.elements("count(*)", QueryTerms(), isOrdered: false)
    return try session.count(text, [parameter])
  }

  func identities(on session: EntitySession) throws -> Set<ObjectID> {
    _ = try statements(on: session)
    let text = sql.elements("t.\"objectID\"", QueryTerms(), isOrdered: false)
    return Set(try session.identities(text, [parameter]))
  }

  func contains(_ objectID: UUID, on session: EntitySession) throws -> Bool {
    _ = try statements(on: session)
    let terms = QueryTerms(condition: "t.\"objectID\" = ?")
    let text = sql.elements("1", terms)
    return try session.database.scalar(text, [objectID.storedValue, parameter]) != nil
  }

  /// Returns the target's statements, with the tables of both ends in place.
  private func statements(on session: EntitySession) throws -> EntityStatements {
    _ = try session.statements(for: sql.owner)
    return try session.statements(for: sql.target)
  }
}
