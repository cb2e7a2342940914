package import NacreEngine

/// The statements that read an entity by the catalog alone.
///
/// They name columns through an alias, because SQLite takes a bare name in double quotes for a text
/// if there is no such column.
package enum InspectionSQL {
  package static func count(table: String) -> String {
    "SELECT count(*) FROM \(SQLText.main(table))"
  }

  /// Selects the key and these columns in the order of the keys; parameter 1 is the limit.
  package static func rows(
    table: String,
    key: RowKey,
    columns: [String],
    _ dialect: any Dialect
  ) -> String {
    let key = key.column(dialect)
    return RotationSQL.select(table, key, columns) + " ORDER BY \(RingSQL.cell(key)) LIMIT ?1"
  }
}
