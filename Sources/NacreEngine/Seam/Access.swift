/// An action of a statement, which the engine reports while it prepares the statement.
package enum Access: Sendable, Equatable {
  /// Reads a column; the column is empty if the statement reads a table but none of its columns.
  case read(table: String, column: String)
  /// Inserts rows.
  case insert(table: String)
  /// Changes a column.
  case update(table: String, column: String)
  /// Deletes rows.
  case delete(table: String)
  /// Does anything else, by the engine's own code.
  case other(code: Int32)
}
