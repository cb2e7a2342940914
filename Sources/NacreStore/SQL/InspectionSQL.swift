/// The statements that read an entity by the catalog's word alone.
///
/// Columns are named through an alias: SQLite takes a bare name in double quotes that is no column for a text.
package enum InspectionSQL {
  package static func count(table: String) -> String {
    "SELECT count(*) FROM \(SQLText.main(table))"
  }

  /// The key and these columns, in the order of keys; parameter 1 is the limit.
  package static func rows(table: String, key: RowKey, columns: [String]) -> String {
    let names = ([key.column] + columns).map { "r.\(SQLText.name($0))" }
    return "SELECT \(names.joined(separator: ", ")) FROM \(SQLText.main(table)) r "
      + "ORDER BY r.\(SQLText.name(key.column)) LIMIT ?1"
  }
}
