public import Foundation

// The async twins of what reads values and rows one after another.

extension Entity {
  /// The twin of ``fetchValues(_:where:_:orderBy:page:size:)``; the rows are read on the caller's own actor.
  ///
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  public static func fetchValues<each V>(
    _ properties: repeat KeyPath<Self, each V>,
    where condition: String? = nil,
    _ arguments: (any StorableValue)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(repeat each V)] {
    let request = try request(condition, arguments, order, page, size, [])
    return try await Store.current().withReaderAsync(isolation: isolation) {
      try values($0, request, repeat each properties)
    }
  }

  /// The twin of ``cursor(orderBy:with:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public static func cursor(
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await cursor(request(nil, [], order, nil, nil, links), in: Store.current())
  }

  /// The twin of ``cursor(where:_:orderBy:with:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func cursor(
    where condition: String,
    _ arguments: (any StorableValue)?...,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await cursor(request(condition, arguments, order, nil, nil, links), in: Store.current())
  }

  static func cursor(
    _ request: FetchRequest,
    in store: Store
  ) async throws -> sending EntityCursor<Self> {
    try await Store.onThread {
      // Nobody else has it yet.
      nonisolated(unsafe) let cursor = try EntityCursor<Self>(store, request) {
        $0.sql.select($1.terms)
      }
      return cursor
    }
  }
}

extension Links {
  /// The twin of ``contains(objectID:)``.
  ///
  /// - Throws: ``NacreError``.
  public func contains(
    objectID: UUID,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    guard let elements = try elements() else { return false }
    return try await elements.store.readFresh { try elements.contains(objectID, on: $0) }
  }
}
