import NacreEngine

/// A table or view in the file, and whether `RowKey.rowID` can identify its rows.
struct FoundTable {
  /// The name, in the case in which the table was created.
  let name: String
  /// Why `RowKey.rowID` can't identify its rows; nil if it can.
  let refusal: String?
  /// Whether it is a view, which stores nothing.
  let isView: Bool

  /// Looks up the table or view of that name, in any case; nil if there is none.
  init?(_ table: String, on connection: any EngineConnection) throws {
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
