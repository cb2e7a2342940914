import NacreEngine
import NacreStore

/// The source of a query's rows: an entity, whose objects the query makes, or a table of records.
///
/// A query does everything else by the statements of the table, so it can do the same for both.
package protocol RowSource<Row>: Sendable {
  associatedtype Row

  /// The name of the entity or of the table.
  var name: String { get }

  /// The schema of the rows.
  ///
  /// - Throws: `badDeclaration` if no table can store them.
  var schema: RowSchema { get throws }

  /// The store that a query asks if it was not made for one.
  var currentStore: Store { get throws }

  /// Returns the statements of the table, and makes the table if it does not exist yet.
  func statements(on session: EntitySession) throws -> RowStatements

  /// Fetches the objects or records that a request finds.
  func fetch(_ request: FetchRequest, on session: EntitySession) throws -> [Row]

  /// Begins to read the objects or records that a request finds, batch by batch.
  func batches(_ request: FetchRequest, on session: EntitySession) throws -> RowBatches<Row>

  /// Deletes the rows that a request finds.
  ///
  /// - Returns: How many there were.
  func deleteAll(_ request: FetchRequest, on session: EntitySession) throws -> Int

  /// Returns a condition that is true of the rows alone that pass a test; it reads every row.
  func condition(
    _ request: FetchRequest,
    on session: EntitySession,
    _ test: (Row) throws -> Bool
  ) throws -> Condition
}

/// A statement whose rows are read in batches.
package struct RowBatches<Row> {
  let statement: any PreparedStatement
  /// Makes the next objects or records, at most as many as the argument says.
  let next: (Int) throws -> [Row]

  /// Makes the batches of a statement that nobody else uses.
  package init(_ statement: any PreparedStatement, next: @escaping (Int) throws -> [Row]) {
    self.statement = statement
    self.next = next
  }
}

extension RowSource {
  /// Calls `body` with every row of the table, with the links that a request prefetches.
  ///
  /// - Throws: ``NacreError``, or the error of `body`.
  package func each(
    _ request: FetchRequest,
    on session: EntitySession,
    _ body: (Row) throws -> Void
  ) throws {
    // The cursor then reads on this connection, in the transaction of the query.
    ThreadBinding.push(session.database)
    defer { ThreadBinding.pop(session.database) }
    let all = FetchRequest(prefetch: request.prefetch)
    let cursor = try QueryCursor(session.home) { try batches(all, on: $0) }
    defer { cursor.close() }
    while let row = try cursor.next() { try body(row) }
  }
}
