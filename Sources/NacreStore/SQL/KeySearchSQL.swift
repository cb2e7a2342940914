import Foundation
import NacreCrypto

/// The statements that look through every column of every table for what begins with a key's suite and id.
enum KeySearchSQL {
  /// The tables that can hold a value, those behind virtual tables and that of quarantine included; neither SQLite's own
  /// nor the store's others.
  static let tables = """
    SELECT "name" FROM pragma_table_list WHERE "schema" = 'main' AND "type" IN ('table', 'shadow') \
    AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND (lower("name") = 'nacre_quarantine' \
    OR lower("name") NOT IN \(CatalogSQL.ownTables)) ORDER BY "name"
    """
  /// The columns of a table that have values of their own, for generated ones have theirs from those: name, whether it
  /// is declared for numbers.
  static let columns = """
    SELECT "name", upper("type") IN ('INTEGER', 'REAL') FROM pragma_table_xinfo(?1, 'main') \
    WHERE "hidden" IN (0, 1) ORDER BY "name"
    """

  /// How a cell is told to name a key.
  enum Test {
    /// By the key's id behind whatever suite, as every cell of a column that the catalog calls sealed.
    case number
    /// By suite and id, in a blob or a text: what anybody has put anywhere.
    case head
    /// By the first characters of both in a JSON's base64.
    case json
  }

  /// A column that is looked at for one key.
  struct Probe {
    package let column: String
    /// Whether the column is declared for numbers, which may hold anything all the same.
    let isNumeric: Bool
    let test: Test
    let key: KeyRecord
  }

  /// How many cells each probe finds, in one pass over the table.
  static func counts(table: String, _ probes: [Probe]) -> String {
    let counts = probes.map { "count(*) FILTER (WHERE \(condition($0)))" }
    return "SELECT \(counts.joined(separator: ", ")) FROM \(SQLText.main(table)) r"
  }

  private static func condition(_ probe: Probe) -> String {
    let cell = RingSQL.cell(probe.column)
    let number = withUnsafeBytes(of: probe.key.id.rawValue.bigEndian) { Data($0) }
    let head = Data([probe.key.suite.rawValue]) + number
    switch probe.test {
    case .number:
      return "substr(\(cell), 2, 4) = \(SQLText.literal(.blob(number)))"
    case .head:
      // Ranges compare the first bytes alone and call no function; no suite is 255, so that there is a next one. Their own
      // collation would count letters as others, and can be one that is not known here.
      let cell = "\(cell) COLLATE BINARY"
      let (low, high) = (SQLText.literal(.blob(head)), SQLText.literal(.blob(following(head))))
      let (lowText, highText) = ("CAST(\(low) AS TEXT)", "CAST(\(high) AS TEXT)")
      // Numbers are less than texts, and texts than blobs: both orders find the same, and what the column is declared for
      // fails early.
      if probe.isNumeric {
        return "\(cell) >= \(lowText) AND \(cell) < \(high) "
          + "AND (\(cell) < \(highText) OR \(cell) >= \(low))"
      }
      return "(\(cell) < \(highText) AND \(cell) >= \(lowText)) "
        + "OR (\(cell) >= \(low) AND \(cell) < \(high))"
    case .json:
      // Six characters are 36 of the 40 bits.
      let text = head.base64EncodedString().prefix(6)
      return "instr(\(cell), '\"\(text)') > 0"
    }
  }

  /// The number after a number of so many bytes.
  private static func following(_ bytes: Data) -> Data {
    var next = Array(bytes)
    for index in next.indices.reversed() {
      next[index] &+= 1
      if next[index] != 0 { break }
    }
    return Data(next)
  }
}
