package import NacreEngine

/// The statements that change tables that already hold rows, and the catalog's entries for them.
package enum MigrationSQL {
  private static func alter(_ table: String) -> String { "ALTER TABLE \(SQLText.name(table)) " }

  // MARK: Tables and columns

  package static func dropTable(_ table: String) -> String {
    "DROP TABLE IF EXISTS \(SQLText.name(table))"
  }

  package static func renameTable(_ table: String, to name: String) -> String {
    alter(table) + "RENAME TO \(SQLText.name(name))"
  }

  package static func renameColumn(_ column: String, of table: String, to name: String) -> String {
    alter(table) + "RENAME COLUMN \(SQLText.name(column)) TO \(SQLText.name(name))"
  }

  package static func dropColumn(_ column: String, of table: String) -> String {
    alter(table) + "DROP COLUMN \(SQLText.name(column))"
  }

  package static func addColumn(
    _ column: String,
    to table: String,
    type: String,
    isNotNull: Bool = false,
    preset: String? = nil
  ) -> String {
    alter(table) + "ADD COLUMN \(SQLText.name(column)) \(type)" + (isNotNull ? " NOT NULL" : "")
      + (preset.map { " DEFAULT \($0)" } ?? "")
  }

  /// Sets a column of every row to the value of an expression.
  package static func fill(_ column: String, of table: String, with expression: String) -> String {
    "UPDATE \(SQLText.name(table)) SET \(SQLText.name(column)) = (\(expression)\n)"
  }

  /// Reads an expression in every row.
  package static func read(_ expression: String, of table: String) -> String {
    "SELECT (\(expression)\n) FROM \(SQLText.name(table))"
  }

  /// Sets a column to parameter 1 in the rows in which it is NULL.
  package static func fillNulls(_ column: String, of table: String) -> String {
    let name = SQLText.name(column)
    return "UPDATE \(SQLText.name(table)) SET \(name) = ?1 WHERE \(name) IS NULL"
  }

  /// Selects the objects whose column is NULL.
  package static func nulls(_ column: String, of table: String) -> String {
    "SELECT t.\"objectID\" FROM \(SQLText.name(table)) t WHERE t.\(SQLText.name(column)) IS NULL"
  }

  // MARK: Indexes

  package static func dropIndex(_ name: String) -> String {
    "DROP INDEX IF EXISTS \(SQLText.name(name))"
  }

  package static func createIndex(
    _ name: String,
    on table: String,
    columns: [String],
    isUnique: Bool,
    asTexts texts: Set<String> = [],
    _ dialect: any Dialect
  ) -> String {
    let columns = columns.map { TableSQL.indexed($0, isText: texts.contains($0), dialect) }
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \(SQLText.name(name)) "
      + "ON \(SQLText.name(table)) (\(columns.joined(separator: ", ")))"
  }

  /// Creates a unique index over terms that ``term(_:_:isDescending:)`` returned.
  package static func createUniqueIndex(_ name: String, on table: String, terms: [String]) -> String
  {
    "CREATE UNIQUE INDEX \(SQLText.name(name)) ON \(SQLText.name(table)) "
      + "(\(terms.joined(separator: ", ")))"
  }

  /// Returns a column of an index, with the collation by which the index compares it.
  package static func term(_ column: String, _ collation: String, isDescending: Bool) -> String {
    SQLText.name(column) + TableSQL.collate(SQLText.name(collation))
      + (isDescending ? " DESC" : "")
  }

  // MARK: Catalog

  /// Hides a property; objects that are stored without it hold nil in it.
  package static let hideProperty = """
    UPDATE "nacre_property" SET "hidden" = 1, \
    "optional" = CASE "kind" WHEN 'value' THEN 1 ELSE "optional" END \
    WHERE "entity" = ?1 AND "name" = ?2
    """
  /// The properties whose target is an entity: entity, name.
  package static let propertiesLeadingTo = """
    SELECT "entity", "name" FROM "nacre_property" WHERE "target" = ?1 AND "entity" <> ?1 \
    AND "kind" <> 'dao'
    """
  /// Renames the column (2) of a link of the target (1) to (3), in the relationships that this link
  /// holds.
  package static let renameInverse = """
    UPDATE "nacre_property" SET "inverse" = ?3 WHERE "target" = ?1 AND "inverse" = ?2 \
    AND "kind" <> 'dao'
    """
  package static let deleteInverse = """
    DELETE FROM "nacre_property" WHERE "target" = ?1 AND "inverse" = ?2 AND "kind" <> 'dao'
    """
}
