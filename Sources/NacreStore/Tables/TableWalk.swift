package import NacreEngine

/// A walk through the rows of a table in the order of their keys, some rows at a time.
///
/// Between two batches it holds nothing of the store. So the caller can write the rows that it got,
/// others can write meanwhile, and another process can go on from a position that was stored.
package struct TableWalk {
  /// The position before the first row.
  package static let start: [Value] = []
  private let first: String
  private let after: String
  private let key: (any PreparedStatement) -> [Value]

  /// Makes a walk of statements.
  ///
  /// - Parameters:
  ///   - first: selects the first rows; its parameter is their number.
  ///   - after: selects the next rows after the position in its first parameters; the last one is
  ///     their number.
  ///   - key: returns the position of the current row.
  package init(
    first: String,
    after: String,
    key: @escaping (any PreparedStatement) -> [Value]
  ) {
    self.first = first
    self.after = after
    self.key = key
  }

  /// Makes a walk through some columns of a table; each row is its key and then these columns.
  package init(
    table: String,
    key: RowKey = .objectID,
    columns: [String],
    _ dialect: any Dialect
  ) {
    let rows = KeyedRowsSQL(table: table, key: key, columns: columns, dialect)
    first = rows.first
    after = rows.batch
    self.key = { [$0.value(at: 0)] }
  }

  /// Passes the next rows to `body`, which returns whether it has room for another one.
  ///
  /// - Returns: the position after which the next batch begins; nil if there are no more rows.
  /// - Throws: what SQLite or `body` throws.
  package func next(
    after position: [Value],
    limit: Int,
    on connection: any EngineConnection,
    _ body: (any PreparedStatement) throws -> Bool
  ) throws -> [Value]? {
    let arguments = position + [.integer(Int64(limit))]
    let statement = try connection.bound(position.isEmpty ? first : after, arguments)
    defer { statement.reset() }
    var count = 0
    var hasRoom = true
    while hasRoom, count < limit {
      guard try statement.step() else { return nil }
      count += 1
      hasRoom = try body(statement)
    }
    return key(statement)
  }

  /// Passes every row to `read`, and what that returns to `body`, one row at a time.
  ///
  /// No statement is at work while `body` runs, so it can write to the table.
  package func each<T>(
    on connection: any EngineConnection,
    _ read: (any PreparedStatement) throws -> T,
    _ body: (T) throws -> Void
  ) throws {
    var position: [Value]? = Self.start
    while let last = position {
      var found: T?
      position = try next(after: last, limit: 1, on: connection) { row in
        found = try read(row)
        return true
      }
      if let found { try body(found) }
    }
  }
}
