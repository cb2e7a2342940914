import NacreSQLite

/// A table or view as the file has it, and whether its rows have numbers that `RowKey.rowID` could name.
struct FoundTable {
  /// The name in the letters in which it was made.
  let name: String
  /// Why its rows have no such numbers; nil where they have.
  let refusal: String?
  /// Whether it stores nothing.
  let isView: Bool

  /// Looks for what bears the name, in whatever case; nil where nothing does.
  init?(_ table: String, on connection: Connection) throws {
    var found: (name: String, kind: String, lacksRowIDs: Bool)?
    try connection.each(DAOSQL.table, [.text(table)]) { row in
      found = (row.text(at: 0), row.text(at: 1), row.int64(at: 2) != 0)
    }
    guard let found else { return nil }
    name = found.name
    isView = found.kind == "view"
    if found.kind != "table" {
      refusal = "it is a \(found.kind), not a table"
    } else if found.lacksRowIDs {
      refusal = "it is WITHOUT ROWID"
    } else {
      let isHidden = try connection.scalar(DAOSQL.hidesRowID, [.text(name)]) != .integer(0)
      refusal = isHidden ? "it has a column _rowid_" : nil
    }
  }
}
