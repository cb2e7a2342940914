import NacreCrypto
import NacreEngine

/// A search for values under the ring's keys in columns that are not known to hold any.
///
/// Such values are left of a property that was removed from the catalog, or were copied by SQL.
package struct StrayEnvelopes {
  /// SQLite limits the number of columns in a statement.
  private static let columnsAtOnce = 500

  /// A column that holds such values.
  package struct Finding {
    package let table: String
    package let column: String
    /// How many of the column's cells begin like such a value.
    package let count: Int64
  }

  private let connection: any EngineConnection
  private let heads: [[UInt8]]
  private let known: [SQLName: Set<SQLName>]

  /// - Parameters:
  ///   - keys: The ring's keys; destroyed keys and keys that are not for fields are skipped.
  ///   - known: The columns that may hold envelopes, by table.
  ///   - connection: A connection in a transaction.
  package init(
    of keys: [KeyRecord],
    outside known: [SQLName: Set<SQLName>],
    on connection: any EngineConnection
  ) {
    self.connection = connection
    self.known = known
    heads = keys.filter { $0.purpose == .field && $0.state != .destroyed }.map { key in
      [key.suite.rawValue] + withUnsafeBytes(of: key.id.rawValue.bigEndian) { Array($0) }
    }
  }

  /// Returns the columns that hold such values.
  ///
  /// - Parameter tables: The only tables to search; nil for all tables.
  /// - Returns: The columns, by table.
  /// - Throws: The errors of reading.
  package func findings(in tables: Set<SQLName>? = nil) throws -> [Finding] {
    if heads.isEmpty { return [] }
    return try connection.valueTables()
      .filter { tables?.contains(SQLName($0)) ?? true }
      .flatMap(findings)
  }

  private func findings(in table: String) throws -> [Finding] {
    let known = known[SQLName(table), default: []]
    let columns = try connection.schema.columns(of: table)
      .filter { !known.contains(SQLName($0.name)) }
    var found: [Finding] = []
    for part in columns.parts(of: StrayEnvelopes.columnsAtOnce) {
      let sql = VerifySQL.countHeads(table: table, columns: part, heads: heads, connection.dialect)
      try connection.each(sql, []) { row in
        for (index, column) in part.enumerated() where row.int64(at: Int32(index)) > 0 {
          found.append(
            Finding(table: table, column: column.name, count: row.int64(at: Int32(index)))
          )
        }
      }
    }
    return found
  }
}
