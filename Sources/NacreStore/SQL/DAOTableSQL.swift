/// The statements that a DAO adds to those of its configuration.
package enum DAOTableSQL {
  /// The table that holds the versions of tables, in every file on which a DAO with a version
  /// works.
  package static let versionsTable = "TableVersions"

  package static let createVersions =
    "CREATE TABLE IF NOT EXISTS \"TableVersions\" (\"name\" TEXT PRIMARY KEY, \"version\" TEXT)"
  package static let selectVersion =
    "SELECT \"version\" FROM \"TableVersions\" WHERE lower(\"name\") = lower(?1)"
  package static let setVersion =
    "INSERT OR REPLACE INTO \"TableVersions\" (\"name\", \"version\") VALUES (?1, ?2)"
  package static let deleteVersion =
    "DELETE FROM \"TableVersions\" WHERE lower(\"name\") = lower(?1)"
}
