public import Foundation

extension Link {
  /// The object that the link refers to: the one it was made from, a prefetched one, or else a fresh one.
  ///
  /// - Throws: ``NacreError/Code/notFound`` when it is not stored (any more).
  public func get() throws -> Target {
    if let loaded { return loaded }
    guard let object = try source().withReader({ try $0.fetch(Target.self, identity) }) else {
      throw NacreError(.notFound, entity: Target.entitySchema.name, objectID: objectID)
    }
    return object
  }

  /// The store in which the object lies.
  func source() throws -> Store {
    if store == 0 { return try Store.current(for: Target.self) }
    guard let store = StoreTable.store(store) else { throw NacreError(.storeClosed) }
    return store
  }
}

extension Links {
  /// The elements that are stored, with their children, or one page of them.
  ///
  /// - Parameters:
  ///   - order: SQL; nil is the order in which they were made.
  ///   - page: the page's index, from 0.
  ///   - size: how many elements a page has; nil, 0 or less fetches all.
  /// - Returns: the objects.
  /// - Throws: ``NacreError``.
  public func fetchAll(
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [Target] {
    try fetch(Target.all.arranged(order, page, size).request)
  }

  /// The elements that a condition is true of, or one page of them.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: the values of the `?`.
  ///   - order: SQL; nil is the order in which they were made.
  ///   - page: the page's index, from 0.
  ///   - size: how many elements a page has; nil, 0 or less fetches all.
  /// - Returns: the objects.
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

  /// The elements one after another, in constant memory.
  ///
  /// - Parameter order: SQL; nil is the order in which they were made.
  /// - Returns: the cursor, before its first object.
  /// - Throws: ``NacreError``.
  public func cursor(orderBy order: String? = nil) throws -> EntityCursor<Target> {
    let request = Target.all.arranged(order).request
    guard let elements = try elements() else {
      return try EntityCursor(Store.current(for: Target.self), request) { plan, _ in plan.sql.none }
    }
    return try EntityCursor(
      elements.store,
      request,
      owner: [elements.parameter],
      text: elements.text
    )
  }

  /// How many elements are stored.
  ///
  /// - Throws: ``NacreError``.
  public func count() throws -> Int {
    guard let elements = try elements() else { return 0 }
    return try elements.store.withReader { try elements.count(on: $0) }
  }

  /// Whether an object is among the stored elements.
  ///
  /// - Throws: ``NacreError``.
  public func contains(objectID: UUID) throws -> Bool {
    guard let elements = try elements() else { return false }
    return try elements.store.withReader { try elements.contains(objectID, on: $0) }
  }

  func fetch(_ request: FetchRequest) throws -> [Target] {
    guard let elements = try elements() else { return [] }
    return try elements.store.withReader { try elements.fetch(request, on: $0) }
  }

  /// The stored elements' identities; there are none where the owner was never stored.
  @usableFromInline
  func storedElements() throws -> Set<ObjectID> {
    guard let elements = try elements() else { return [] }
    return try elements.store.withReader { try elements.identities(on: $0) }
  }

  /// The stored elements; nil where the owner was never stored, for then there are none.
  func elements() throws -> LinkElements<Target>? {
    guard let owner, let relationship else { return nil }
    guard let store = StoreTable.store(store) else { throw NacreError(.storeClosed) }
    return LinkElements(store: store, sql: relationship, owner: owner)
  }
}

/// The stored elements of one object's to-many links.
struct LinkElements<Target: Entity>: Sendable {
  let store: Store
  let sql: RelationshipSQL
  let owner: ObjectID

  /// The owner as an argument, which comes after those of the caller.
  var parameter: Value { .blob(owner.data) }

  func fetch(_ request: FetchRequest, on database: Database) throws -> [Target] {
    try database.consistently {
      let plan = try plan(on: database)
      let (terms, arguments) = try request.resolved(plan, on: database)
      let statement = try database.bound(text(plan, terms), arguments + [parameter])
      return try database.objects(Target.self, plan, statement, plan.reader(statement), [])
    }
  }

  func text(_ plan: EntityPlan, _ terms: QueryTerms) -> String {
    sql.elements(plan.sql.row("t"), terms)
  }

  func count(on database: Database) throws -> Int {
    _ = try plan(on: database)
    let text = sql.elements("count(*)", QueryTerms(), isOrdered: false)
    return try database.count(text, [parameter])
  }

  func identities(on database: Database) throws -> Set<ObjectID> {
    _ = try plan(on: database)
    let text = sql.elements("t.\"objectID\"", QueryTerms(), isOrdered: false)
    var identities: Set<ObjectID> = []
    try database.each(text, [parameter]) { identities.insert(try ObjectID.read(from: $0, at: 0)) }
    return identities
  }

  func contains(_ objectID: UUID, on database: Database) throws -> Bool {
    _ = try plan(on: database)
    let terms = QueryTerms(condition: "t.\"objectID\" = ?")
    let text = sql.elements("1", terms)
    return try database.scalar(text, [objectID.storedValue, parameter]) != nil
  }

  /// The target's plan, with the tables of both ends in place.
  private func plan(on database: Database) throws -> EntityPlan {
    _ = try database.plan(for: sql.owner)
    return try database.plan(for: sql.target)
  }
}
