/// A column of a table in the store's file, whatever the catalog says of it.
public struct StoredColumn: Sendable, Hashable, CustomStringConvertible {
  /// The table.
  public let table: String
  /// The column.
  public let column: String

  /// A column of a table.
  public init(table: String, column: String) {
    self.table = table
    self.column = column
  }

  /// Both, with a point between them.
  public var description: String { "\(table).\(column)" }

  /// Whether SQLite takes both for the same column.
  func isSame(as other: StoredColumn) -> Bool {
    SQLName(table) == SQLName(other.table) && SQLName(column) == SQLName(other.column)
  }
}

extension [StoredColumn] {
  /// Whether one of them is what SQLite takes for a column.
  func names(_ column: StoredColumn) -> Bool { contains { $0.isSame(as: column) } }
}
