/// The statements that read an entity by the catalog's word alone.
///
/// Columns are named through an alias: SQLite takes a bare name in double quotes that is no column for a text.
enum InspectionSQL {
  static func count(table: String) -> String { "SELECT count(*) FROM \(SQLText.name(table))" }

  /// The objectID and these columns, in the order of objectIDs; parameter 1 is the limit.
  static func rows(table: String, columns: [String]) -> String {
    let columns = (["objectID"] + columns).map { "r.\(SQLText.name($0))" }.joined(separator: ", ")
    return "SELECT \(columns) FROM \(SQLText.name(table)) r ORDER BY r.\"objectID\" LIMIT ?1"
  }
}
