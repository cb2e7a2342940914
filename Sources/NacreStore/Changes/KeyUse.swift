public import NacreCrypto

/// How many cells of one column name a key.
public struct KeyUse: Sendable, Hashable {
  /// The column's role in the store.
  public enum Place: String, Sendable, CaseIterable {
    /// A column that the catalog calls sealed; a rotation seals its values again.
    case sealed
    /// Any other column; no rotation goes through it.
    case elsewhere
    /// A column of the quarantine's table.
    case quarantine
  }

  /// The column.
  public let column: StoredColumn
  /// The column's role in the store.
  public let place: Place
  /// The key.
  public let keyID: KeyID
  /// How many cells name the key.
  public let count: Int

  /// Whether the cells are JSON, which holds the values as text.
  package var isJSON: Bool { place == .quarantine && column.column == "row" }

  /// The column and the number, for an error.
  var words: String { "\(column) \(count)" }
}
