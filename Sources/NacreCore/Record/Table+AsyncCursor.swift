import NacreEngine
import NacreStore

// The async twins of the cursors.

extension Table {
  /// The async twin of ``cursor(orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public func cursor(orderBy order: String? = nil) async throws -> sending RecordCursor<R> {
    let layout = try layout
    return try await Self.cursor(store, layout.request(nil, [], order, nil, nil), layout)
  }

  /// The async twin of ``cursor(where:_:orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func cursor(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil
  ) async throws -> sending RecordCursor<R> {
    let layout = try layout
    let request = try layout.request(condition, arguments, order, nil, nil)
    return try await Self.cursor(store, request, layout)
  }

  /// The async twin of ``cursor(where:_:orderBy:)-(_,NamedArguments,_)``; it waits for a reader,
  /// which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func cursor(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil
  ) async throws -> sending RecordCursor<R> {
    let layout = try layout
    let request = layout.request(try layout.condition(condition, arguments), order, nil, nil)
    return try await Self.cursor(store, request, layout)
  }

  private static func cursor(
    _ store: Store,
    _ request: RecordRequest,
    _ layout: RecordLayout<R>
  ) async throws -> sending RecordCursor<R> {
    try await Store.onThread {
      // Nothing else refers to the cursor yet.
      nonisolated(unsafe) let cursor = try RecordCursor(store, request, layout)
      return cursor
    }
  }
}
