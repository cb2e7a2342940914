import NacreEngine

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
    for column in try connection.schema.columns(of: table) {
      columns[SQLName(column.name)] = Column(
        type: column.type.uppercased(),
        isNotNull: column.isNotNull,
        hasDefault: column.defaultText != nil
      )
    }
    for index in try connection.schema.indexes(of: table) {
      indexes[SQLName(index.name)] = index.isUnique
    }
  }

  /// Returns a column by its name in any case; nil if there is none.
  package func column(_ name: String) -> Column? { columns[SQLName(name)] }
}
