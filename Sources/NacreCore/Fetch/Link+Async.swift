import NacreEngine
import NacreStore

extension Link {
  /// Returns the object as ``get()-()`` does, without blocking the caller's thread.
  ///
  /// - Throws: ``NacreError/Code/notFound`` if the object is not stored (any more).
  public func get(isolation: isolated (any Actor)? = #isolation) async throws -> Target {
    if let loaded { return loaded }
    let (identity, objectID) = (identity, objectID)
    let found = try await source().readFresh { try $0.entities.fetch(Target.self, identity) }
    guard let found else {
      throw NacreError(.notFound, entity: Target.entitySchema.name, objectID: objectID)
    }
    return found
  }
}

extension Links {
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

  /// Returns the number of elements as ``count()-()`` does, without blocking the caller's thread.
  ///
  /// - Throws: ``NacreError``.
  public func count(isolation: isolated (any Actor)? = #isolation) async throws -> Int {
    guard let elements = try elements() else { return 0 }
    return try await elements.store.readFresh { try elements.count(on: $0.entities) }
  }
}
