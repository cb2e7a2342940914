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
    /// The type for which the column is declared; on some engines it may hold anything even so.
    let type: String
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
      return "substr(\(cell), 2, 4) = \(dialect.blob(number))"
    case .head: return dialect.begins(cell, ofType: probe.type, with: Array(head))
    case .json:
      // Six characters cover 36 of the 40 bits.
      let text = head.base64EncodedString().prefix(6)
      return dialect.contains(cell, "'\"\(text)'")
    }
  }
}
