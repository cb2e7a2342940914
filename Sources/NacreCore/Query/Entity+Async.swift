public import Foundation
import NacreEngine
import NacreStore

// The async twins of fetch, find, count and delete: the same arguments, the same results.

extension Entity {
  /// The async twin of ``fetch(id:with:)-(UUID,_)``.
  ///
  /// - Throws: ``NacreError``.
  public static func fetch(
    id objectID: UUID,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending Self? {
    let links = try entitySchema.links(links)
    return try await Store.current(for: self).readFresh {
      try $0.entities.fetch(Self.self, ObjectID(objectID), prefetch: links)
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

  /// The async twin of ``fetchOne()-()``.
  ///
  /// - Throws: ``NacreError``.
  public static func fetchOne() async throws -> sending Self? {
    try await all.fetchOne()
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

  /// The async twin of ``fetchOne(_:equals:)-(KeyPath<Self,V>,_)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed and not searchable.
  public static func fetchOne<V>(
    _ property: KeyPath<Self, V>,
    equals value: V
  ) async throws -> sending Self? {
    try await all.matching(property, in: [value]).fetchOne()
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

  /// The async twin of ``fetchAll(_:in:)-(KeyPath<Self,V>,_)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed and not searchable.
  public static func fetchAll<V>(
    _ property: KeyPath<Self, V>,
    in values: some Sequence<V>
  ) async throws -> sending [Self] {
    try await all.matching(property, in: Array(values)).fetchAll()
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

  /// The async twin of ``find(sql:_:with:)-(String,_,_)``.
  ///
  /// - Throws: ``NacreError``, with the same codes as the twin.
  public static func find(
    sql: String,
    _ arguments: (any QueryArgument)?...,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Found<Self>] {
    let (sql, links) = (try SQLArguments(sql, arguments), try entitySchema.links(links))
    return try await Store.current(for: self).readFresh {
      try $0.entities.find(Self.self, sql, prefetch: links)
    }
  }

  /// The async twin of ``find(sql:_:with:)-(String,NamedArguments,_)``.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func find(
    sql: String,
    _ arguments: NamedArguments,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Found<Self>] {
    let (sql, links) = (try SQLArguments(sql, arguments), try entitySchema.links(links))
    return try await Store.current(for: self).readFresh {
      try $0.entities.find(Self.self, sql, prefetch: links)
    }
  }

  /// The async twin of ``count()-()``.
  ///
  /// - Throws: ``NacreError``.
  public static func count() async throws -> Int {
    try await all.count()
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

  /// The async twin of ``deleteAll(where:_:cascade:)-(String,_,_)``.
  ///
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    cascade: Bool = false
  ) async throws -> Int {
    try await query(condition, arguments).deleteAll(cascade: cascade)
  }

  /// The async twin of ``deleteAll(ids:cascade:)``.
  ///
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    ids identifiers: some Sequence<UUID>,
    cascade: Bool = false
  ) async throws -> Int {
    try await identified(by: identifiers).deleteAll(cascade: cascade)
  }

  /// The async twin of ``truncate()-()``.
  ///
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func truncate() async throws -> Int {
    try await all.deleteAll()
  }

  /// The async twin of ``deletionPlan(cascade:)-(Bool)``.
  ///
  /// - Throws: ``NacreError/Code/deleteDenied`` when a relationship's rule would refuse.
  public func deletionPlan(
    cascade: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> DeletionPlan {
    let roots = isStored ? [ensuredIdentity] : []
    let schema = Self.entitySchema
    return try await Store.of(self).readFresh { database in
      try DeletionGraph(database.entities, schema, roots: roots, rootsStay: false, cascade: cascade)
        .statements
    }
  }
}
