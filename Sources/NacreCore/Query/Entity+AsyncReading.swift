public import Foundation
import NacreEngine
import NacreStore

// The async twins of `fetchValues`, of the cursors and of `contains`.

extension Entity {
  /// The async twin of ``fetchValues(_:where:_:orderBy:page:size:)``; the rows are read on the
  /// caller's own actor.
  ///
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  public static func fetchValues<each V>(
    _ properties: repeat KeyPath<Self, each V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(repeat each V)] {
    try await query(condition, arguments).arranged(order, page, size)
      .values(repeat each properties, isolation: isolation)
  }

  /// The async twin of ``cursor(orderBy:with:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public static func cursor(
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await all.arranged(order).with(links).cursor()
  }

  /// The async twin of ``cursor(where:_:orderBy:with:)``; it waits for a reader, which the cursor
  /// keeps.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func cursor(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await query(condition, arguments).arranged(order).with(links).cursor()
  }
}

extension Links {
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
}
