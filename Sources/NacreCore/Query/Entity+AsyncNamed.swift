public import Foundation
import NacreEngine
import NacreStore

// The async twins of the calls with named arguments, of `find` and of `deleteAll(ids:)`.

extension Entity {
  /// The async twin of ``fetchOne(where:_:orderBy:with:)-(_,NamedArguments,_,_)``.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func fetchOne(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending Self? {
    try await self.where(condition, arguments).arranged(order).with(links).fetchOne()
  }

  /// The async twin of ``fetchAll(where:_:orderBy:page:size:with:)-(_,NamedArguments,_,_,_,_)``.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func fetchAll(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Self] {
    try await self.where(condition, arguments).arranged(order, page, size).with(links).fetchAll()
  }

  /// The async twin of ``fetchValues(_:where:_:orderBy:page:size:)-(_,_,NamedArguments,_,_,_)``.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func fetchValues<each V>(
    _ properties: repeat KeyPath<Self, each V>,
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(repeat each V)] {
    try await self.where(condition, arguments).arranged(order, page, size)
      .values(repeat each properties, isolation: isolation)
  }

  /// The async twin of ``count(where:_:)-(_,NamedArguments)``.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func count(
    where condition: String,
    _ arguments: NamedArguments
  ) async throws -> Int {
    try await self.where(condition, arguments).count()
  }

  /// The async twin of ``cursor(where:_:orderBy:with:)-(_,NamedArguments,_,_)``; it waits for a
  /// reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func cursor(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await self.where(condition, arguments).arranged(order).with(links).cursor()
  }

  /// The async twin of ``deleteAll(where:_:cascade:)-(_,NamedArguments,_)``.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    where condition: String,
    _ arguments: NamedArguments,
    cascade: Bool = false
  ) async throws -> Int {
    try await self.where(condition, arguments).deleteAll(cascade: cascade)
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
}

extension Links {
  /// The async twin of ``fetchAll(where:_:orderBy:page:size:)-(_,NamedArguments,_,_,_)``.
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
}
