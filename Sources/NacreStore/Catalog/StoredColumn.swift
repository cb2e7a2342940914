/// A column of a table in the store's file, whatever the catalog says about it.
public struct StoredColumn: Sendable, Hashable, CustomStringConvertible {
  /// The table.
  public let table: String
  /// The column.
  public let column: String

  /// Creates a column of a table.
  public init(table: String, column: String) {
    self.table = table
    self.column = column
  }

  /// The table and the column, with a point between them.
  public var description: String { "\(table).\(column)" }

  /// Returns whether SQLite takes both for the same column.
  package func isSame(as other: StoredColumn) -> Bool {
    SQLName(table) == SQLName(other.table) && SQLName(column) == SQLName(other.column)
  }
}

extension [StoredColumn] {
  /// Returns whether SQLite takes one of them for the same column as `column`.
  func names(_ column: StoredColumn) -> Bool { contains { $0.isSame(as: column) } }
}
