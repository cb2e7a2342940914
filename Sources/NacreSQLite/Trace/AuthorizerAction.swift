/// What a statement asks for while it is prepared (sqlite.org/c3ref/c_alter_table.html).
package enum AuthorizerAction: Sendable, Equatable {
  /// To read a column; the column is empty where a table is read but none of its columns.
  case read(table: String, column: String)
  /// To insert rows.
  case insert(table: String)
  /// To change a column.
  case update(table: String, column: String)
  /// To delete rows.
  case delete(table: String)
  /// Anything else, by SQLite's action code.
  case other(code: Int32)
}
