/// The rule by which SQL compares and sorts the texts of a column.
public enum ColumnCollation: String, Sendable {
  /// Compares byte by byte, as columns do unless they are declared otherwise.
  case binary = "BINARY"
  /// Takes the letters A to Z for their small letters; other letters are compared as they are.
  case noCase = "NOCASE"
  /// Ignores blanks at the end.
  case rightTrim = "RTRIM"
}
