import NacreStore

// The async twins of the cursors.

extension Table {
  /// The twin of ``cursor(orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public func cursor(orderBy order: String? = nil) async throws -> sending RecordCursor<R> {
    let layout = try layout
    return try await Self.cursor(store, layout.request(nil, [], order, nil, nil), layout)
  }

  /// The twin of ``cursor(where:_:orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed column.
  public func cursor(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil
  ) async throws -> sending RecordCursor<R> {
    let layout = try layout
    let request = try layout.request(condition, arguments, order, nil, nil)
    return try await Self.cursor(store, request, layout)
  }

  /// The twin of ``cursor(where:_:orderBy:)-(_,NamedArguments,_)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
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
      // Nobody else has it yet.
      nonisolated(unsafe) let cursor = try RecordCursor(store, request, layout)
      return cursor
    }
  }
}
