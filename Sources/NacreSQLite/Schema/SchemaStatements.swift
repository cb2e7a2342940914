/// The statements that read SQLite's schema (sqlite.org/schematab.html, sqlite.org/pragma.html).
enum SchemaStatements {
  // MARK: Tables

  static let objectNames = "SELECT \"name\" FROM \"sqlite_schema\""
  static let hasTable = "SELECT 1 FROM \"sqlite_schema\" WHERE \"type\" = 'table' AND \"name\" = ?1"
  static let hasTableInAnyCase = hasTable + " COLLATE NOCASE"
  static let hasIndex = "SELECT 1 FROM \"sqlite_schema\" WHERE \"type\" = 'index' AND \"name\" = ?1"

  /// Name, kind, whether the table is SQLite's own.
  private static let table =
    "SELECT t.\"name\", t.\"type\", lower(substr(t.\"name\", 1, 7)) = 'sqlite_'"
  /// SQLite lists the table of the schema itself, too.
  static let tables = """
    \(table) FROM pragma_table_list t WHERE t."schema" = 'main' AND t."name" <> 'sqlite_schema' \
    ORDER BY t."name"
    """
  static let tableInAnyCase = """
    \(table) FROM pragma_table_list(?1) t WHERE t."schema" = 'main'
    """
  /// Whether a table lacks rowids; whether it has a column named `_rowid_`, which hides them.
  static let lacksRowID = """
    SELECT t."wr", EXISTS (SELECT 1 FROM pragma_table_xinfo(?1, 'main') c \
    WHERE lower(c."name") = '_rowid_') FROM pragma_table_list(?1) t WHERE t."schema" = 'main'
    """
  static let references = """
    SELECT DISTINCT f."table" FROM pragma_foreign_key_list(?1, 'main') f
    """

  // MARK: Columns

  /// Name, type, whether NULL is refused, the position in the primary key or 0, the default's text.
  private static let column = """
    SELECT "name", "type", "notnull", "pk", "dflt_value" FROM pragma_table_xinfo(?1, 'main')
    """
  static let columns = column + " WHERE \"hidden\" = 0"
  static let storedColumns = column + " WHERE \"hidden\" IN (0, 1)"
  /// Table, column.
  static let allColumns = """
    SELECT l."name", i."name" FROM pragma_table_list l, pragma_table_info(l."name", l."schema") i \
    WHERE l."type" = 'table' ORDER BY l."schema", l."name", i."cid"
    """

  // MARK: Indexes and definitions

  /// The terms of each index that a CREATE INDEX statement made, in order: the index's name,
  /// whether unique, whether partial; column, NULL for an expression; collation; whether descending; number from 0.
  static let indexTerms = """
    SELECT l."name", l."unique", l."partial", x."name", x."coll", x."desc", x."seqno" \
    FROM pragma_index_list(?1, 'main') l, pragma_index_xinfo(l."name", 'main') x \
    WHERE l."origin" = 'c' AND x."key" = 1 ORDER BY l."name", x."seqno"
    """
  // Each of the following returns name, text, number of the row in the schema.
  static let tableDefinitions = """
    SELECT "name", "sql", "rowid" FROM "sqlite_schema" WHERE "type" = 'table' ORDER BY "name"
    """
  static let indexDefinitions = """
    SELECT i."name", s."sql", s."rowid" FROM pragma_index_list(?1, 'main') i \
    LEFT JOIN main."sqlite_schema" s ON s."type" = 'index' AND s."name" = i."name" \
    WHERE i."origin" = 'c' ORDER BY 1
    """
  static let definitions = definitions(in: "main")
  static let temporaryDefinitions = definitions(in: "temp")

  private static func definitions(in schema: String) -> String {
    """
    SELECT s."name", s."sql", s."rowid" FROM \(schema)."sqlite_schema" s \
    WHERE instr(lower(s."sql"), ?1) > 0 ORDER BY s."rowid"
    """
  }
  static let temporaryLayoutNumber = "PRAGMA temp.schema_version"

  // MARK: Faults

  static let integrity = "SELECT \"integrity_check\" FROM pragma_integrity_check(100)"
  static let danglingReferences = """
    SELECT "table", "parent", count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2
    """

  // MARK: Numbers

  static let layoutNumber = "PRAGMA schema_version"
  /// See sqlite.org/pragma.html#pragma_data_version.
  static let dataNumber = "PRAGMA data_version"
  /// SQLite has this table only if a table uses AUTOINCREMENT.
  static let sequenceTable = "sqlite_sequence"
  static let restartSequence = "DELETE FROM \"sqlite_sequence\" WHERE lower(\"name\") = lower(?1)"
}
