import Foundation
import NacreCrypto
import NacreEngine

/// The statements for the key ring and its slots (Vectors/FORMAT.md), and for the cells under its
/// keys.
enum RingSQL {
  /// Whether any part of a ring is in the file.
  static let remains = """
    SELECT EXISTS (SELECT 1 FROM "nacre_key") OR EXISTS (SELECT 1 FROM "nacre_slot") \
    OR EXISTS (SELECT 1 FROM "nacre_store" WHERE "name" = 'ringMAC')
    """

  // MARK: Slots

  static let selectSlots =
    "SELECT \"id\", \"kind\", \"parameters\", \"sealed\" FROM \"nacre_slot\" ORDER BY \"id\""
  /// Writes a slot, and replaces the slot that has its id, if any.
  static func putSlot(_ dialect: any Dialect) -> String {
    let columns = ["id", "kind", "parameters", "sealed"].map(SQLText.name)
    return dialect.replace(in: "\"nacre_slot\"", columns, keyCount: 1)
  }
  static let deleteSlot = "DELETE FROM \"nacre_slot\" WHERE \"id\" = ?1"
  static let deleteSlots = "DELETE FROM \"nacre_slot\""

  // MARK: Keys

  static let selectKeys = """
    SELECT "id", "purpose", "suite", "state", "created", "sealed", "check" FROM "nacre_key" \
    ORDER BY "id"
    """
  /// Writes a key, and replaces the key that has its id, if any; the count of seals stays.
  static let putKey = """
    INSERT INTO "nacre_key" ("id", "purpose", "suite", "state", "created", "sealed", "check") \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT ("id") DO UPDATE SET \
    "purpose" = ?2, "suite" = ?3, "state" = ?4, "created" = ?5, "sealed" = ?6, "check" = ?7
    """
  static let selectSeals = "SELECT \"seals\" FROM \"nacre_key\" WHERE \"id\" = ?1"
  static let setSeals = "UPDATE \"nacre_key\" SET \"seals\" = ?2 WHERE \"id\" = ?1"
}

// MARK: - Cells

extension RingSQL {
  /// Selects the first five bytes of a column's envelopes, which name suite and key, and the number
  /// of cells for each.
  ///
  /// The bytes are NULL for cells that are not envelopes.
  static func headers(table: String, column: String, _ dialect: any Dialect) -> String {
    """
    SELECT CASE WHEN \(isEnvelope(column, dialect)) THEN substr(\(cell(column)), 1, 5) END, count(*) \
    FROM \(SQLText.main(table)) r WHERE \(cell(column)) IS NOT NULL GROUP BY 1 ORDER BY 1\(dialect.nullsFirst)
    """
  }

  /// Whether a column holds an envelope.
  static func holdsEnvelope(table: String, column: String, _ dialect: any Dialect) -> String {
    "SELECT EXISTS (SELECT 1 FROM \(SQLText.main(table)) r WHERE \(isEnvelope(column, dialect)))"
  }

  /// Whether a cell has the suite and the length of an envelope of format 1.
  static func isEnvelope(_ column: String, _ dialect: any Dialect) -> String {
    let lengths = Suite.allCases.map { suite in
      let number = dialect.blob([suite.rawValue])
      return "WHEN \(number) THEN length(\(cell(column))) >= \(suite.overheadByteCount)"
    }
    return """
      (\(dialect.holds(.blob, cell(column))) \
      AND CASE substr(\(cell(column)), 1, 1) \(lengths.joined(separator: " ")) ELSE \(dialect.falsehood) END)
      """
  }

  /// Returns a column's name through an alias, because SQLite takes a bare name in double quotes
  /// for a text if there is no such column.
  static func cell(_ column: String) -> String { "r.\(SQLText.name(column))" }
}
