package import NacreEngine

/// The hidden column that holds the versions of a table's rows (Vectors/FORMAT.md), and the SQL for
/// it.
///
/// Versions are only compared for equality. Each write adds a random number to the version. So a
/// version that was rolled back, or that belonged to an earlier row with the same objectID, does
/// not come back with other values.
package enum VersionSQL {
  /// The column's name, which no property's column may have.
  package static let name = "objectID__version"
  package static let column = SQLText.name(name)
  package static func definition(_ dialect: any Dialect) -> String {
    "\(column) \(dialect.type(.integer)) NOT NULL DEFAULT 0"
  }

  /// The version of a row that is inserted.
  package static func first(_ dialect: any Dialect) -> String {
    "1 + (\(dialect.randomInteger) & \(Int64(RowVersion.step)))"
  }

  /// Raises the version of a row by SQL alone, as ``RowVersion/next(after:)`` does.
  ///
  /// - Parameters:
  ///   - dialect: The engine's dialect.
  ///   - table: The row's table, where the statement has two rows with such a column; nil elsewhere.
  /// - Returns: The assignment.
  package static func raise(_ dialect: any Dialect, in table: String? = nil) -> String {
    let former = table.map { "\(SQLText.name($0)).\(column)" } ?? column
    return "\(column) = (\(former) & \(RowVersion.mask)) + 1 + "
      + "(\(dialect.randomInteger) & \(Int64(RowVersion.step)))"
  }

  /// Returns whether a name is that of the column, in any case.
  package static func isName(_ name: String) -> Bool { SQLName(name) == SQLName(self.name) }

  package static func addColumn(to table: String, _ dialect: any Dialect) -> String {
    "ALTER TABLE \(SQLText.name(table)) ADD COLUMN \(definition(dialect))"
  }

  /// Selects the version of the row whose objectID is parameter 1.
  package static func select(from table: String) -> String {
    "SELECT t.\(column) FROM \(SQLText.name(table)) t WHERE t.\"objectID\" = ?1"
  }
}
