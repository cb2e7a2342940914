import Foundation
import NacreCrypto

/// The statements that examine the tables of DAOs, which the DAOs' own statements create.
package enum DAOSQL {
  /// A table or view by its name in any case: its name as it was created, its type, whether it
  /// lacks rowids.
  static let table = """
    SELECT t."name", t."type", t."wr" FROM pragma_table_list(?1) t WHERE t."schema" = 'main'
    """
  /// Whether a table has a column named `_rowid_`, which hides the rowids.
  static let hidesRowID = """
    SELECT EXISTS (SELECT 1 FROM pragma_table_xinfo(?1, 'main') c WHERE lower(c."name") = '_rowid_')
    """
}

// MARK: - What the catalog does not know

extension DAOSQL {
  /// The tables that the application's statements have filled, including those behind virtual
  /// tables; without the store's own tables and those of entities.
  static let ownTables = "SELECT \"name\" \(fromOwnTables) ORDER BY \"name\""
  /// Whether the table in parameter 1 is one of them.
  static let isOwnTable = "SELECT EXISTS (SELECT 1 \(fromOwnTables) AND \"name\" = ?1)"

  /// Whether a table's name belongs to SQLite or to one of the store's own tables.
  static let isReserved = """
    SELECT ?1 LIKE 'sqlite\\_%' ESCAPE '\\' OR lower(?1) IN \(CatalogSQL.ownTables)
    """

  private static let fromOwnTables = """
    FROM pragma_table_list WHERE "schema" = 'main' AND "type" IN ('table', 'shadow') \
    AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND lower("name") NOT IN \(CatalogSQL.ownTables) \
    AND \(CatalogSQL.isOfNoEntity)
    """

  /// Selects these columns of the rows in which at least one of them holds an envelope under one of
  /// the keys.
  ///
  /// A column that holds no such envelope is NULL.
  static func envelopes(table: String, columns: [String], keys: [KeyID]) -> String {
    let tests = columns.map { isEnvelope($0, keys) }
    let cells = zip(columns, tests).map { "CASE WHEN \($1) THEN \(RingSQL.cell($0)) END" }
    return """
      SELECT \(cells.joined(separator: ", ")) FROM \(SQLText.main(table)) r \
      WHERE \(tests.joined(separator: " OR "))
      """
  }

  /// Selects one envelope of a column under one of the keys.
  static func envelope(table: String, column: String, keys: [KeyID]) -> String {
    envelopes(table: table, columns: [column], keys: keys) + " LIMIT 1"
  }

  /// Whether a column holds something that is not an envelope.
  static func holdsOthers(table: String, column: String) -> String {
    """
    SELECT EXISTS (SELECT 1 FROM \(SQLText.main(table)) r \
    WHERE \(RingSQL.cell(column)) IS NOT NULL AND NOT \(RingSQL.isEnvelope(column)))
    """
  }

  private static func isEnvelope(_ column: String, _ keys: [KeyID]) -> String {
    let numbers = keys.map { key in
      SQLText.literal(.blob(withUnsafeBytes(of: key.rawValue.bigEndian) { Data($0) }))
    }
    let list = numbers.joined(separator: ", ")
    return
      "(\(RingSQL.isEnvelope(column)) AND substr(\(RingSQL.cell(column)), 2, 4) IN (\(list)))"
  }
}

// MARK: - The catalog

extension DAOSQL {
  /// Whether the catalog has, or had, a column of a DAO.
  static let isKnown = "SELECT EXISTS (SELECT 1 FROM \"nacre_property\" WHERE \"kind\" = 'dao')"
  /// The catalog's columns of DAOs, all or those of the table in parameter 1: the catalog's names
  /// of table and column, the table, the column, class, property, and whether the column is in the
  /// file (a view does not count, because it stores nothing).
  static let columns = """
    SELECT e."name", p."name", e."table", p."column", p."target", p."inverse", \
    e."table" COLLATE NOCASE IN (SELECT s."name" FROM "sqlite_schema" s WHERE s."type" = 'table') \
    AND EXISTS (SELECT 1 FROM pragma_table_info(e."table", 'main') c \
    WHERE lower(c."name") = lower(p."column")) \
    FROM "nacre_entity" e JOIN "nacre_property" p ON p."entity" = e."name" \
    WHERE e."name" = 'dao:' || e."table" AND (?1 IS NULL OR lower(e."table") = lower(?1))
    """
  /// The classes and properties of all columns of DAOs: class, property.
  static let places = """
    SELECT DISTINCT "target", "inverse" FROM "nacre_property" WHERE "kind" = 'dao' \
    AND "target" IS NOT NULL AND "inverse" IS NOT NULL ORDER BY 1, 2
    """
  /// Keeps the classes and properties of a table's columns after the columns are deleted; parameter
  /// 1 is the catalog's name of the table.
  package static let remember = """
    INSERT OR IGNORE INTO "nacre_property" ("entity", "name", "type", "sealed", "kind", "target", \
    "inverse") SELECT 'dao:', length("target") || ':' || "target" || '.' || "inverse", 'ANY', 0, \
    'dao', "target", "inverse" FROM "nacre_property" WHERE "entity" = ?1 AND "kind" = 'dao' \
    AND "target" IS NOT NULL AND "inverse" IS NOT NULL
    """
  /// Deletes the catalog's entry for a column; parameter 1 is the catalog's name of its table.
  static let deleteColumn = """
    DELETE FROM "nacre_property" WHERE "entity" = ?1 AND lower("column") = lower(?2)
    """
  /// Deletes the tables of DAOs of which the catalog has no columns any more.
  static let deleteEmpty = """
    DELETE FROM "nacre_entity" WHERE "name" = 'dao:' || "table" AND NOT EXISTS \
    (SELECT 1 FROM "nacre_property" p WHERE p."entity" = "nacre_entity"."name")
    """
}
