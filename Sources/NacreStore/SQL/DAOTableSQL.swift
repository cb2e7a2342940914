/// The statements that a DAO adds to those of its configuration.
package enum DAOTableSQL {
  /// The table in which the versions of tables are kept, in every file that a DAO with a version works on.
  package static let versionsTable = "TableVersions"

  package static let createVersions =
    "CREATE TABLE IF NOT EXISTS \"TableVersions\" (\"name\" TEXT PRIMARY KEY, \"version\" TEXT)"
  package static let selectVersion =
    "SELECT \"version\" FROM \"TableVersions\" WHERE \"name\" = ?1 COLLATE NOCASE"
  package static let setVersion =
    "INSERT OR REPLACE INTO \"TableVersions\" (\"name\", \"version\") VALUES (?1, ?2)"
  package static let deleteVersion =
    "DELETE FROM \"TableVersions\" WHERE \"name\" = ?1 COLLATE NOCASE"
  /// SQLite takes names in any case for one.
  package static let hasTable =
    "SELECT 1 FROM \"sqlite_schema\" WHERE \"type\" = 'table' AND \"name\" = ?1 COLLATE NOCASE"
  /// The application's own tables: neither SQLite's, nor the store's, nor those of entities or the versions.
  package static let ownTables = "SELECT \"name\" \(fromOwnTables)"
  /// The same with the statements that made them.
  package static let ownSchema = "SELECT \"name\", \"sql\" \(fromOwnTables)"
  /// The one of them that has a name in any case, with the statement that made it.
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
