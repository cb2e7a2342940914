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
    guard let found = try connection.schema.table(inAnyCase: table) else { return nil }
    name = found.name
    isView = found.kind == .view
    if found.kind != .table {
      refusal = "it is a \(found.kind.rawValue), not a table"
    } else if connection.dialect.rowKeyColumn == nil {
      refusal = "its database gives rows no keys of their own"
    } else {
      refusal = try connection.schema.rowKeyRefusal(ofTable: name)
    }
  }
}
