import NacreEngine
import NacreStore

/// A cursor that reads objects, with their children, or records one after another, in memory that
/// does not grow with their number.
///
/// The cursor sees one state of the store from its first row to its last. It holds a reader of its
/// own until it is at its end, closed or released. While it is open, the write-ahead log can't be
/// cut back past that state.
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

  /// Returns the next object or record, or nil after the last.
  ///
  /// - Throws: ``NacreError``; the cursor is closed then.
  public func next() throws -> Row? { try rows.next() }

  /// Gives the reader back; closing twice does nothing.
  public func close() { rows.close() }
}

/// A cursor over an entity's objects.
public typealias EntityCursor<E: Entity> = QueryCursor<E>
