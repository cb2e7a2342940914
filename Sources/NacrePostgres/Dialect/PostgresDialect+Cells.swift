#if PostgreSQL
package import NacreEngine

extension PostgresDialect {
  package var sealedCellType: String { " \(type(.blob))" }
  /// Returns the condition that a cell is not NULL: a column holds values of its own type alone.
  package func holds(_ storageClass: StorageClass, _ cell: String) -> String {
    "\(cell) IS NOT NULL"
  }
  package func isIdentical(_ a: String, _ b: String) -> String { hasSameBytes(a, b) }
  package func byteCount(_ cell: String) -> String { "octet_length(\(cell))" }
  package func contains(_ cell: String, _ literal: String) -> String {
    "strpos(\(cell), \(literal)) > 0"
  }
  package func isLikeEnvelope(_ cell: String) -> String {
    "(length(\(cell)) > 32 AND substr(\(cell), 1, 1) BETWEEN \(blob(hex: "01")) AND \(blob(hex: "1f")))"
  }
  package func walkKey(_ parameter: Int) -> String { "?\(parameter)" }
  package func begins(_ cell: String, ofType type: String, with bytes: [UInt8]) -> String {
    let literal = blob(bytes)
    func isBlob(_ cell: String) -> String { "substr(\(cell), 1, \(bytes.count)) = \(literal)" }
    // A text can't hold all bytes; one that was made of them has their digits, as the literal has.
    func isText(_ cell: String) -> String {
      "starts_with(\(cell)::text COLLATE \(byteCollation), \(literal)::text)"
    }
    switch type {
    case "bigint", "double precision", "uuid": return falsehood
    case "bytea": return isBlob(cell)
    case WireType.anyName:
      return "(\(isBlob("(\(cell)).\"blob\"")) OR \(isText("(\(cell)).\"text\"")))"
    default: return isText(cell)
    }
  }
}
#endif
