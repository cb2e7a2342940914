/// The kinds of value that SQLite stores in a cell (sqlite.org/datatype3.html, section 2).
public enum StorageClass: Sendable {
  /// No value.
  case null
  /// A signed integer of up to 64 bits.
  case integer
  /// An IEEE 754 double.
  case real
  /// UTF-8 text.
  case text
  /// Bytes as they are.
  case blob
}
