import Foundation
import NacreCrypto
import NacreEngine

/// The statements that examine the tables of DAOs, which the DAOs' own statements create.
package enum DAOSQL {
  // MARK: What the catalog does not know

  /// Selects these columns of the rows in which at least one of them holds an envelope under one of
  /// the keys.
  ///
  /// A column that holds no such envelope is NULL.
  static func envelopes(
    table: String,
    columns: [String],
    keys: [KeyID],
    _ dialect: any Dialect
  ) -> String {
    let tests = columns.map { isEnvelope($0, keys, dialect) }
    let cells = zip(columns, tests).map { "CASE WHEN \($1) THEN \(RingSQL.cell($0)) END" }
    return """
      SELECT \(cells.joined(separator: ", ")) FROM \(SQLText.main(table)) r \
      WHERE \(tests.joined(separator: " OR "))
      """
  }

  /// Selects one envelope of a column under one of the keys.
  static func envelope(
    table: String,
    column: String,
    keys: [KeyID],
    _ dialect: any Dialect
  ) -> String {
    envelopes(table: table, columns: [column], keys: keys, dialect) + " LIMIT 1"
  }

  /// Whether a column holds something that is not an envelope.
  static func holdsOthers(table: String, column: String, _ dialect: any Dialect) -> String {
    """
    SELECT EXISTS (SELECT 1 FROM \(SQLText.main(table)) r \
    WHERE \(RingSQL.cell(column)) IS NOT NULL AND NOT \(RingSQL.isEnvelope(column, dialect)))
    """
  }

  private static func isEnvelope(
    _ column: String,
    _ keys: [KeyID],
    _ dialect: any Dialect
  ) -> String {
    let numbers = keys.map { key in
      withUnsafeBytes(of: key.rawValue.bigEndian) { dialect.blob($0) }
    }
    let list = numbers.joined(separator: ", ")
    return
      "(\(RingSQL.isEnvelope(column, dialect)) AND substr(\(RingSQL.cell(column)), 2, 4) IN (\(list)))"
  }
}

// MARK: - The catalog

extension DAOSQL {
  /// Whether the catalog has, or had, a column of a DAO.
  static let isKnown = "SELECT EXISTS (SELECT 1 FROM \"nacre_property\" WHERE \"kind\" = 'dao')"
  /// The catalog's columns of DAOs, all or those of the table in parameter 1: the catalog's names
  /// of table and column, the table, the column, class, property.
  static let columns = """
    SELECT e."name", p."name", e."table", p."column", p."target", p."inverse" \
    FROM "nacre_entity" e JOIN "nacre_property" p ON p."entity" = e."name" \
    WHERE e."name" = 'dao:' || e."table" AND lower(e."table") = lower(coalesce(?1, e."table"))
    """
  /// The classes and properties of all columns of DAOs: class, property.
  static let places = """
    SELECT DISTINCT "target", "inverse" FROM "nacre_property" WHERE "kind" = 'dao' \
    AND "target" IS NOT NULL AND "inverse" IS NOT NULL ORDER BY 1, 2
    """
  /// Keeps the classes and properties of a table's columns after the columns are deleted; parameter
  /// 1 is the catalog's name of the table.
  package static func remember(_ dialect: any Dialect) -> String {
    dialect.insertMissing(
      """
      INTO "nacre_property" ("entity", "name", "type", "sealed", "kind", "target", \
      "inverse") SELECT 'dao:', length("target") || ':' || "target" || '.' || "inverse", 'ANY', 0, \
      'dao', "target", "inverse" FROM "nacre_property" WHERE "entity" = ?1 AND "kind" = 'dao' \
      AND "target" IS NOT NULL AND "inverse" IS NOT NULL
      """
    )
  }
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
