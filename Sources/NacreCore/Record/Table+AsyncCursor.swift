import NacreEngine
import NacreStore

// The async twins of the cursors.

extension Table {
  /// The async twin of ``cursor(orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public func cursor(orderBy order: String? = nil) async throws -> sending RecordCursor<R> {
    let schema = try schema
    return try await Self.cursor(store, schema.request(nil, [], order, nil, nil), schema)
  }

  /// The async twin of ``cursor(where:_:orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func cursor(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil
  ) async throws -> sending RecordCursor<R> {
    let schema = try schema
    let request = try schema.request(condition, arguments, order, nil, nil)
    return try await Self.cursor(store, request, schema)
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
    let schema = try schema
    let request = schema.request(try schema.condition(condition, arguments), order, nil, nil)
    return try await Self.cursor(store, request, schema)
  }

  private static func cursor(
    _ store: Store,
    _ request: RecordRequest,
    _ schema: RecordSchema<R>
  ) async throws -> sending RecordCursor<R> {
    try await Store.onThread {
      // Nothing else refers to the cursor yet.
      nonisolated(unsafe) let cursor = try RecordCursor(store, request, schema)
      return cursor
    }
  }
}
