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
    preset: Value? = nil
  ) -> String {
    alter(table) + "ADD COLUMN \(SQLText.name(column)) \(type)" + (isNotNull ? " NOT NULL" : "")
      + (preset.map { " DEFAULT \(SQLText.literal($0))" } ?? "")
  }

  /// Sets a column of every row to the value of an expression.
  package static func fill(_ column: String, of table: String, with expression: String) -> String {
    "UPDATE \(SQLText.name(table)) SET \(SQLText.name(column)) = (\(expression)\n)"
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
    asTexts texts: Set<String> = []
  ) -> String {
    let columns = columns.map { TableSQL.indexed($0, isText: texts.contains($0)) }
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

  /// The indexes of a table that a CREATE INDEX statement made: name, whether unique.
  package static let indexes =
    "SELECT \"name\", \"unique\" FROM pragma_index_list(?1) WHERE \"origin\" = 'c' ORDER BY \"name\""
  /// The columns of an index in order; NULL for an expression.
  package static let indexColumns = "SELECT \"name\" FROM pragma_index_info(?1) ORDER BY \"seqno\""
  /// The indexes over a column: name, text.
  package static let indexesOverColumn = """
    SELECT s."name", s."sql" FROM "sqlite_schema" s WHERE s."type" = 'index' \
    AND lower(s."tbl_name") = lower(?1) AND s."sql" IS NOT NULL AND EXISTS \
    (SELECT 1 FROM pragma_index_info(s."name") i WHERE lower(i."name") = lower(?2))
    """

  /// The unique indexes over a column: name, text, whether they are partial.
  package static let uniqueIndexes = """
    SELECT s."name", s."sql", l."partial" FROM pragma_index_list(?1) l, "sqlite_schema" s \
    WHERE l."unique" = 1 AND l."origin" = 'c' AND s."type" = 'index' AND s."name" = l."name" \
    AND s."sql" IS NOT NULL AND EXISTS \
    (SELECT 1 FROM pragma_index_info(s."name") i WHERE lower(i."name") = lower(?2))
    """
  /// The terms of an index in order: column, NULL for an expression; collation; whether descending.
  package static let indexTerms =
    "SELECT \"name\", \"coll\", \"desc\" FROM pragma_index_xinfo(?1) WHERE \"key\" = 1 ORDER BY \"seqno\""

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
  // MARK: Description

  package static let tables =
    "SELECT \"name\" FROM \"sqlite_schema\" WHERE \"type\" = 'table' ORDER BY 1"
  /// Whether the file holds anything but the store's own tables.
  package static let hasTables = """
    SELECT EXISTS (SELECT 1 FROM "sqlite_schema" WHERE "name" NOT LIKE 'nacre\\_%' ESCAPE '\\' \
    AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\')
    """
}
