import NacreEngine
import NacreSQLite

/// The columns and indexes that a table has in the file.
package struct TableLayout {
  /// One column.
  package struct Column {
    /// The declared type, in upper case.
    package var type: String
    package var isNotNull: Bool
    package var hasDefault: Bool
  }

  private var columns: [SQLName: Column] = [:]
  /// Whether an index is unique, by its name.
  package private(set) var indexes: [SQLName: Bool] = [:]

  /// Reads the layout of a table; a missing table has no columns.
  package init(_ table: String, on connection: any EngineConnection) throws {
    try connection.each(VerifySQL.columns, [.text(table)]) { row in
      columns[SQLName(row.text(at: 0))] = Column(
        type: row.text(at: 1).uppercased(),
        isNotNull: row.int64(at: 2) != 0,
        hasDefault: row.storageClass(at: 4) != .null
      )
    }
    try connection.each(MigrationSQL.indexes, [.text(table)]) { row in
      indexes[SQLName(row.text(at: 0))] = row.int64(at: 1) != 0
    }
  }

  /// Returns a column by its name in any case; nil if there is none.
  package func column(_ name: String) -> Column? { columns[SQLName(name)] }
}
