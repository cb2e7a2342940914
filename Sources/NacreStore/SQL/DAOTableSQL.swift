/// The statements that a DAO adds to those of its configuration.
package enum DAOTableSQL {
  /// The table that holds the versions of tables, in every file on which a DAO with a version
  /// works.
  package static let versionsTable = "TableVersions"

  package static let createVersions =
    "CREATE TABLE IF NOT EXISTS \"TableVersions\" (\"name\" TEXT PRIMARY KEY, \"version\" TEXT)"
  package static let selectVersion =
    "SELECT \"version\" FROM \"TableVersions\" WHERE \"name\" = ?1 COLLATE NOCASE"
  package static let setVersion =
    "INSERT OR REPLACE INTO \"TableVersions\" (\"name\", \"version\") VALUES (?1, ?2)"
  package static let deleteVersion =
    "DELETE FROM \"TableVersions\" WHERE \"name\" = ?1 COLLATE NOCASE"
  /// SQLite treats names that differ only in case as equal.
  package static let hasTable =
    "SELECT 1 FROM \"sqlite_schema\" WHERE \"type\" = 'table' AND \"name\" = ?1 COLLATE NOCASE"
  /// The application's own tables, without those of SQLite, of the store, of entities and of the
  /// versions.
  package static let ownTables = "SELECT \"name\" \(fromOwnTables)"
  /// The same tables, with the statements that created them.
  package static let ownSchema = "SELECT \"name\", \"sql\" \(fromOwnTables)"
  /// The one of these tables with a name in any case, with the statement that created it.
  package static let ownTable =
    "SELECT \"name\", \"sql\" FROM (\(ownSchema)) WHERE \"name\" = ?1 COLLATE NOCASE"

  private static let fromOwnTables = """
    FROM "sqlite_schema" WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite\\_%' \
    ESCAPE '\\' AND "name" NOT LIKE 'nacre\\_%' ESCAPE '\\' AND "name" <> 'TableVersions' AND \
    \(CatalogSQL.isOfNoEntity) ORDER BY "name"
    """

  package static func drop(_ table: String) -> String {
    "DROP TABLE IF EXISTS \(SQLText.name(table))"
  }
}
