/// A function of Nacre's own that SQL can call once a connection provides it.
package enum EngineFunction: Sendable {
  /// Compares two decimals, which are stored as text: -1, 0 or 1, or NULL if one of them is not a number.
  case compareDecimals
  /// Adds two decimals, which are stored as text; NULL if one of them is not a number, or the sum
  /// has more digits than a `Decimal` keeps.
  case addDecimals
  /// Whether a text contains another, by characters.
  case contains
  /// Whether a text starts with another, by characters.
  case starts
  /// Compares two texts without regard to case: -1, 0 or 1.
  case compareIgnoringCase
  /// Compares two texts in the order of the locale: -1, 0 or 1.
  case compareLocalized
  /// A text without case and accents.
  case fold
  /// How many characters a text has.
  case characterCount
  /// One item of a list of packed values, by the list, the index and the number of items.
  case listItem
}

/// The table-valued functions that every connection of a home knows.
package enum EngineTableFunction {
  /// The name of the function that makes rows of a blob with identifiers of 16 bytes: `"n"`, which
  /// counts from 0, and `"id"`, in the order of the blob.
  package static let identifiers = "nacre_identifiers"
}

/// The orders of texts that every connection of a home knows.
package enum EngineCollation {
  /// The name of the order of decimals, which are stored as text; files and exports hold this name.
  package static let decimals = "nacre_decimal"
}
