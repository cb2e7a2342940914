/// An action that SQLite asks to allow while it prepares a statement (sqlite.org/c3ref/c_alter_table.html).
package enum AuthorizerAction: Sendable, Equatable {
  /// Read a column; the column is empty if the statement reads a table but none of its columns.
  case read(table: String, column: String)
  /// Insert rows.
  case insert(table: String)
  /// Change a column.
  case update(table: String, column: String)
  /// Delete rows.
  case delete(table: String)
  /// Anything else, by SQLite's action code.
  case other(code: Int32)
}
