import Foundation
import NacreCrypto
import NacreEngine

/// The statements that search every column of every table for cells that begin with a key's suite
/// and id.
enum KeySearchSQL {
  /// How a probe tests whether a cell names a key.
  enum Test {
    /// By the key's id, after any suite: for the cells of a column that the catalog calls sealed.
    case number
    /// By suite and id, in a blob or a text: for values that anybody may have put anywhere.
    case head
    /// By the first characters of suite and id in base64, in a JSON text.
    case json
  }

  /// A column to search for one key.
  struct Probe {
    package let column: String
    /// Whether the column is declared for numbers; it may hold anything even so.
    let isNumeric: Bool
    let test: Test
    let key: KeyRecord
  }

  /// Returns the statement that counts how many cells each probe finds, in one pass over the table.
  static func counts(table: String, _ probes: [Probe], _ dialect: any Dialect) -> String {
    let counts = probes.map { "count(*) FILTER (WHERE \(condition($0, dialect)))" }
    return "SELECT \(counts.joined(separator: ", ")) FROM \(SQLText.main(table)) r"
  }

  private static func condition(_ probe: Probe, _ dialect: any Dialect) -> String {
    let cell = RingSQL.cell(probe.column)
    let number = withUnsafeBytes(of: probe.key.id.rawValue.bigEndian) { Data($0) }
    let head = Data([probe.key.suite.rawValue]) + number
    switch probe.test {
    case .number:
      return "substr(\(cell), 2, 4) = \(SQLText.literal(.blob(number)))"
    case .head:
      // Ranges compare only the first bytes and call no function; there is always a next head,
      // because no suite is 255. The column's own collation could treat different letters as equal,
      // and may be one that this connection does not know.
      let cell = cell + TableSQL.collate(dialect.byteCollation)
      let (low, high) = (SQLText.literal(.blob(head)), SQLText.literal(.blob(following(head))))
      let (lowText, highText) = ("CAST(\(low) AS TEXT)", "CAST(\(high) AS TEXT)")
      // Numbers sort before texts, and texts before blobs. Both orders of the conditions find the
      // same cells; each fails early for cells of the type for which the column is declared.
      if probe.isNumeric {
        return "\(cell) >= \(lowText) AND \(cell) < \(high) "
          + "AND (\(cell) < \(highText) OR \(cell) >= \(low))"
      }
      return "(\(cell) < \(highText) AND \(cell) >= \(lowText)) "
        + "OR (\(cell) >= \(low) AND \(cell) < \(high))"
    case .json:
      // Six characters cover 36 of the 40 bits.
      let text = head.base64EncodedString().prefix(6)
      return "instr(\(cell), '\"\(text)') > 0"
    }
  }

  /// Returns the next greater number of the same number of bytes.
  private static func following(_ bytes: Data) -> Data {
    var next = Array(bytes)
    for index in next.indices.reversed() {
      next[index] &+= 1
      if next[index] != 0 { break }
    }
    return Data(next)
  }
}
