public import NacreCrypto

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

/// How many cells of one column name a key.
public struct KeyUse: Sendable, Hashable {
  /// The column's role in the store.
  public enum Place: String, Sendable, CaseIterable {
    /// One that the catalog calls sealed: a rotation seals its values anew.
    case sealed
    /// Any other: no rotation goes there.
    case elsewhere
    /// One of the table of quarantine.
    case quarantine
  }

  /// The column.
  public let column: StoredColumn
  /// The column's role in the store.
  public let place: Place
  /// The key.
  public let keyID: KeyID
  /// How many cells name it.
  public let count: Int

  /// Whether the cells are JSON, which holds the values as text.
  package var isJSON: Bool { place == .quarantine && column.column == "row" }

  /// The column and the number, for an error.
  var words: String { "\(column) \(count)" }
}
