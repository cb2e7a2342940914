import NacreCrypto
import NacreSQLite

/// Looks for values under the ring's keys in columns that are not known to hold any: of a property that was taken out of
/// the catalog, or cells that SQL has copied.
package struct StrayEnvelopes {
  /// SQLite limits how many columns a statement has.
  private static let columnsAtOnce = 500

  /// A column that holds such values.
  package struct Finding {
    package let table: String
    package let column: String
    /// How many of its cells begin like such a value.
    package let count: Int64
  }

  private let connection: Connection
  private let heads: [[UInt8]]
  private let known: [SQLName: Set<SQLName>]

  /// - Parameters:
  ///   - keys: the ring's keys; those that are not for fields, or gone, seal nothing.
  ///   - known: the columns that may hold envelopes, by table.
  ///   - connection: a connection in a transaction.
  package init(
    of keys: [KeyRecord],
    outside known: [SQLName: Set<SQLName>],
    on connection: Connection
  ) {
    self.connection = connection
    self.known = known
    heads = keys.filter { $0.purpose == .field && $0.state != .destroyed }.map { key in
      [key.suite.rawValue] + withUnsafeBytes(of: key.id.rawValue.bigEndian) { Array($0) }
    }
  }

  /// The columns of tables that hold such values.
  ///
  /// - Parameter tables: the only tables that are looked at; nil is all.
  /// - Returns: the columns, by table.
  /// - Throws: what reading throws.
  package func findings(in tables: Set<SQLName>? = nil) throws -> [Finding] {
    if heads.isEmpty { return [] }
    return try connection.texts(VerifySQL.everyTable)
      .filter { tables?.contains(SQLName($0)) ?? true }
      .flatMap(findings)
  }

  private func findings(in table: String) throws -> [Finding] {
    let known = known[SQLName(table), default: []]
    let columns = try connection.columnNames(of: table).filter { !known.contains(SQLName($0)) }
    var found: [Finding] = []
    for start in stride(from: 0, to: columns.count, by: StrayEnvelopes.columnsAtOnce) {
      let some = Array(columns[start..<min(start + StrayEnvelopes.columnsAtOnce, columns.count)])
      let sql = VerifySQL.countHeads(table: table, columns: some, heads: heads)
      try connection.each(sql, []) { row in
        for (index, column) in some.enumerated() where row.int64(at: Int32(index)) > 0 {
          found.append(Finding(table: table, column: column, count: row.int64(at: Int32(index))))
        }
      }
    }
    return found
  }
}
