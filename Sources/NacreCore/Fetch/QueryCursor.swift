import NacreEngine
import NacreStore

/// A cursor that reads objects, with their children, or records one after another, in memory that
/// does not grow with their number.
///
/// The cursor sees one state of the store from its first row to its last. It holds a reader of its
/// own until it is at its end, closed or released. While it is open, the write-ahead log can't be
/// cut back past that state.
///
/// An async function reads it by a loop. The loop's end closes the cursor, also by `break` or an
/// error.
/// ```swift
/// for try await car in try await Car.cursor(orderBy: "power") { print(car.name) }
/// ```
public final class QueryCursor<Row> {
  private let rows: BatchReader<Row, RowBatches<Row>>

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - store: The store to read.
  ///   - begin: Returns the batches, from a statement that nobody else uses.
  /// - Throws: ``NacreError``.
  init(_ store: Store, _ begin: (EntitySession) throws -> RowBatches<Row>) throws {
    rows = try BatchReader(store) { database in
      let batches = try begin(database.entities)
      return (batches.statement, batches)
    } making: { _, _, batches, limit in
      try batches.next(limit)
    }
  }

  /// Waits for a reader without blocking the caller's thread, and begins to read.
  static func make(
    _ store: Store,
    _ begin: @escaping @Sendable (EntitySession) throws -> RowBatches<Row>
  ) async throws -> sending QueryCursor {
    try await Store.onThread {
      // Nothing else refers to the cursor yet.
      nonisolated(unsafe) let cursor = try QueryCursor(store, begin)
      return cursor
    }
  }

  /// Returns the next object or record, or nil after the last.
  ///
  /// - Throws: ``NacreError``; the cursor is closed then.
  public func next() throws -> Row? { try rows.next() }

  /// Gives the reader back; closing twice does nothing.
  public func close() { rows.close() }
}

extension QueryCursor: AsyncSequence {
  /// The rows of a cursor, one after another, for the caller's own actor.
  ///
  /// It closes the cursor when it is released, which a loop does at its end.
  public final class AsyncIterator: AsyncIteratorProtocol {
    private let cursor: QueryCursor

    fileprivate init(_ cursor: QueryCursor) { self.cursor = cursor }

    deinit { cursor.close() }

    /// Returns the next object or record, or nil after the last.
    ///
    /// The rows are read on another thread, many at once, so that the caller's actor is free in the
    /// meantime.
    ///
    /// - Parameter actor: The caller's actor, to which the rows belong from then on.
    /// - Returns: The row, or nil after the last.
    /// - Throws: ``NacreError``, or `CancellationError` if the task is cancelled. The cursor is
    ///   closed then.
    public func next(isolation actor: isolated (any Actor)?) async throws -> Row? {
      try await cursor.rows.next(isolation: actor)
    }

    /// Returns the next object or record, or nil after the last.
    ///
    /// - Throws: ``NacreError``, or `CancellationError`.
    public func next() async throws -> Row? { try await next(isolation: nil) }
  }

  /// Makes the iterator of a loop over the rows that follow.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// A cursor over an entity's objects.
public typealias EntityCursor<E: Entity> = QueryCursor<E>
