public import Foundation
import NacreEngine
import NacreStore

// Every call asks the store of the innermost `read` or `write` on this thread, or else the store
// that was opened for the class, or else the default store.

extension Entity {
  /// Fetches the object that is stored under `objectID`, with its children; returns nil if there is
  /// none.
  ///
  /// - Parameters:
  ///   - objectID: The identifier.
  ///   - links: The links whose objects are loaded as well.
  /// - Returns: The object, or nil.
  /// - Throws: ``NacreError``.
  public static func fetch(id objectID: UUID, with links: PartialKeyPath<Self>...) throws -> Self? {
    let links = try entitySchema.links(links)
    // Not returned by the closure: the type `Self?` would be looked up at each call.
    var found: Self?
    try Store.current(for: self).withReader {
      found = try $0.entities.fetch(Self.self, ObjectID(objectID), prefetch: links)
    }
    return found
  }

  /// The async twin of ``fetch(id:with:)-(UUID,_)``.
  ///
  /// - Throws: ``NacreError``.
  public static func fetch(
    id objectID: UUID,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending Self? {
    let links = try entitySchema.links(links)
    return try await Store.current(for: self).withFreshReader {
      try $0.entities.fetch(Self.self, ObjectID(objectID), prefetch: links)
    }
  }

  /// Fetches the objects that are stored under some identifiers, with their children.
  ///
  /// - Parameters:
  ///   - objectIDs: Any number of identifiers.
  ///   - links: The links whose objects are loaded as well.
  /// - Returns: The objects in the order of the identifiers. An identifier without an object is
  ///   left out. If an identifier is given twice, the same instance is returned twice.
  /// - Throws: ``NacreError``.
  public static func fetch(
    ids objectIDs: some Sequence<UUID>,
    with links: PartialKeyPath<Self>...
  ) throws -> [Self] {
    let (identities, links) = (objectIDs.map { ObjectID($0) }, try entitySchema.links(links))
    return try Store.current(for: self).withReader {
      try $0.entities.fetch(Self.self, inOrder: identities, prefetch: links)
    }
  }

  /// The async twin of ``fetch(ids:with:)-(Sequence<UUID>,_)``.
  ///
  /// - Throws: ``NacreError``.
  public static func fetch(
    ids objectIDs: some Sequence<UUID>,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Self] {
    let (identities, links) = (objectIDs.map { ObjectID($0) }, try entitySchema.links(links))
    return try await Store.current(for: self).readFresh {
      try $0.entities.fetch(Self.self, inOrder: identities, prefetch: links)
    }
  }

  /// Fetches any one object with its children; returns nil if there is none.
  ///
  /// - Throws: ``NacreError``.
  public static func fetchOne() throws -> Self? {
    try all.fetchOne()
  }

  /// The async twin of ``fetchOne()-()``.
  ///
  /// - Throws: ``NacreError``.
  public static func fetchOne() async throws -> sending Self? {
    try await all.fetchOne()
  }

  /// Fetches the first object that a condition is true of, with its children; returns nil if there
  /// is none.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument, such as `"power > ?"`.
  ///   - arguments: The values of the `?`.
  ///   - order: SQL, such as `"power DESC"`.
  ///   - links: Links whose objects are loaded as well.
  /// - Returns: The object, or nil.
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func fetchOne(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> Self? {
    try query(condition, arguments).arranged(order).with(links).fetchOne()
  }

  /// The async twin of ``fetchOne(where:_:orderBy:with:)-(String,_,_,_)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func fetchOne(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending Self? {
    try await query(condition, arguments).arranged(order).with(links).fetchOne()
  }

  /// Fetches an object by the value of one property, with its children; returns nil if there is
  /// none.
  ///
  /// A sealed property must be searchable; its normalizer decides which texts are equal.
  ///
  /// - Parameters:
  ///   - property: A plain or searchable property.
  ///   - value: The property's value; nil finds an object that has none.
  /// - Returns: The object, or nil.
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public static func fetchOne<V>(
    _ property: KeyPath<Self, V>,
    equals value: V
  ) throws -> Self? {
    try all.matching(property, in: [value]).fetchOne()
  }

  /// The async twin of ``fetchOne(_:equals:)-(KeyPath<Self,V>,_)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed and not searchable.
  public static func fetchOne<V>(
    _ property: KeyPath<Self, V>,
    equals value: V
  ) async throws -> sending Self? {
    try await all.matching(property, in: [value]).fetchOne()
  }

  /// Fetches all objects with that value of one property, with their children.
  ///
  /// A sealed property must be searchable; its normalizer decides which texts are equal.
  ///
  /// - Parameters:
  ///   - property: A plain or searchable property.
  ///   - value: The property's value; nil finds the objects that have none.
  /// - Returns: The objects.
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public static func fetchAll<V>(
    _ property: KeyPath<Self, V>,
    equals value: V
  ) throws -> [Self] {
    try all.matching(property, in: [value]).fetchAll()
  }

  /// The async twin of ``fetchAll(_:equals:)-(KeyPath<Self,V>,_)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed and not searchable.
  public static func fetchAll<V>(
    _ property: KeyPath<Self, V>,
    equals value: V
  ) async throws -> sending [Self] {
    try await all.matching(property, in: [value]).fetchAll()
  }

  /// Fetches all objects that have one of these values of one property, with their children.
  ///
  /// A sealed property must be searchable; its normalizer decides which texts are equal.
  ///
  /// - Parameters:
  ///   - property: A plain or searchable property.
  ///   - values: Any number of values; nil among them finds the objects that have none.
  /// - Returns: The objects, each once, in no particular order.
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public static func fetchAll<V>(
    _ property: KeyPath<Self, V>,
    in values: some Sequence<V>
  ) throws -> [Self] {
    try all.matching(property, in: Array(values)).fetchAll()
  }

  /// The async twin of ``fetchAll(_:in:)-(KeyPath<Self,V>,_)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed and not searchable.
  public static func fetchAll<V>(
    _ property: KeyPath<Self, V>,
    in values: some Sequence<V>
  ) async throws -> sending [Self] {
    try await all.matching(property, in: Array(values)).fetchAll()
  }

  /// Fetches all objects with their children, or one page of them.
  ///
  /// - Parameters:
  ///   - order: SQL, such as `"power DESC"`.
  ///   - page: The page's index, from 0.
  ///   - size: How many objects a page has; nil, 0 or less fetches all.
  ///   - links: Links whose objects are loaded as well.
  /// - Returns: The objects.
  /// - Throws: ``NacreError``.
  public static func fetchAll(
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> [Self] {
    try all.arranged(order, page, size).with(links).fetchAll()
  }

  /// The async twin of ``fetchAll(orderBy:page:size:with:)-(_,_,_,_)``.
  ///
  /// - Throws: ``NacreError``.
  public static func fetchAll(
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Self] {
    try await all.arranged(order, page, size).with(links).fetchAll()
  }

  /// Fetches the objects that a condition is true of with their children, or one page of them.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument, such as `"power > ?"`.
  ///   - arguments: The values of the `?`.
  ///   - order: SQL, such as `"power DESC"`.
  ///   - page: The page's index, from 0.
  ///   - size: How many objects a page has; nil, 0 or less fetches all.
  ///   - links: Links whose objects are loaded as well.
  /// - Returns: The objects.
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func fetchAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> [Self] {
    try query(condition, arguments).arranged(order, page, size).with(links).fetchAll()
  }

  /// The async twin of ``fetchAll(where:_:orderBy:page:size:with:)-(String,_,_,_,_,_)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func fetchAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Self] {
    try await query(condition, arguments).arranged(order, page, size).with(links).fetchAll()
  }

  /// Returns the number of stored objects.
  ///
  /// - Throws: ``NacreError``.
  public static func count() throws -> Int { try all.count() }

  /// The async twin of ``count()-()``.
  ///
  /// - Throws: ``NacreError``.
  public static func count() async throws -> Int {
    try await all.count()
  }

  /// Returns the number of objects that a condition is true of.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: The values of the `?`.
  /// - Returns: The number of objects.
  /// - Throws: ``NacreError``, also if the condition reads a sealed property.
  public static func count(
    where condition: String,
    _ arguments: (any QueryArgument)?...
  ) throws -> Int {
    try query(condition, arguments).count()
  }

  /// The async twin of ``count(where:_:)-(String,_)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func count(
    where condition: String,
    _ arguments: (any QueryArgument)?...
  ) async throws -> Int {
    try await query(condition, arguments).count()
  }
}
