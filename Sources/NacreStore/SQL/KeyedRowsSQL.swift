package import NacreEngine

/// The statements that read and write the rows of a table by their keys: the key and some columns.
///
/// They name columns through an alias, because SQLite takes a bare name in double quotes for a text
/// if there is no such column.
package struct KeyedRowsSQL {
  private let table: String
  private let key: String
  private let columns: [String]
  private let dialect: any Dialect

  package init(table: String, key: RowKey, columns: [String], _ dialect: any Dialect) {
    self.table = table
    self.key = key.column(dialect)
    self.columns = columns
    self.dialect = dialect
  }

  private var keyCell: String { RingSQL.cell(key) }

  private var select: String {
    let cells = ([key] + columns).map(RingSQL.cell)
    return "SELECT \(cells.joined(separator: ", ")) FROM \(SQLText.main(table)) r"
  }

  /// Selects the first rows in the order of the keys; parameter 1 is the limit.
  package var first: String { select + " ORDER BY \(keyCell) LIMIT ?1" }

  /// Selects the rows after the key in parameter 1; parameter 2 is the limit.
  package var batch: String { select + " WHERE \(keyCell) > ?1 ORDER BY \(keyCell) LIMIT ?2" }

  /// Selects the rows from the key in parameter 1 to that in parameter 2.
  package var range: String {
    select + " WHERE \(keyCell) >= ?1 AND \(keyCell) <= ?2 ORDER BY \(keyCell)"
  }

  /// Sets the columns of the row with the key in parameter 1 to the next parameters, if they still
  /// hold the values of the parameters after those.
  package var swap: String {
    let assignments = columns.enumerated().map { "\(SQLText.name($1)) = ?\($0 + 2)" }
    let conditions = columns.enumerated().map {
      dialect.hasSameBytes(RingSQL.cell($1), "?\($0 + columns.count + 2)")
    }
    return """
      UPDATE \(SQLText.main(table)) AS r SET \(assignments.joined(separator: ", ")) \
      WHERE \((["\(keyCell) = ?1"] + conditions).joined(separator: " AND "))
      """
  }
}
