import Foundation
import NacreCrypto

/// The statements of the key ring and its slots (Vectors/FORMAT.md), and those that look at what stands under its keys.
enum RingSQL {
  /// Whether anything of a ring is there.
  static let remains = """
    SELECT EXISTS (SELECT 1 FROM "nacre_key") OR EXISTS (SELECT 1 FROM "nacre_slot") \
    OR EXISTS (SELECT 1 FROM "nacre_store" WHERE "name" = 'ringMAC')
    """

  // MARK: Slots

  static let selectSlots =
    "SELECT \"id\", \"kind\", \"parameters\", \"sealed\" FROM \"nacre_slot\" ORDER BY \"id\""
  /// Puts a slot in place of the one that has its id, if any.
  static let putSlot = """
    INSERT OR REPLACE INTO "nacre_slot" ("id", "kind", "parameters", "sealed") \
    VALUES (?1, ?2, ?3, ?4)
    """
  static let deleteSlot = "DELETE FROM \"nacre_slot\" WHERE \"id\" = ?1"

  // MARK: Keys

  static let selectKeys = """
    SELECT "id", "purpose", "suite", "state", "created", "sealed", "check" FROM "nacre_key" \
    ORDER BY "id"
    """
  /// Puts a key in place of the one that has its id, if any, whose count of seals stays.
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
  /// The first five bytes of a column's envelopes, which name suite and key, and how many begin with them; NULL for
  /// cells that are no envelope.
  static func headers(table: String, column: String) -> String {
    """
    SELECT CASE WHEN \(isEnvelope(column)) THEN substr(\(cell(column)), 1, 5) END, count(*) \
    FROM \(SQLText.main(table)) r WHERE \(cell(column)) IS NOT NULL GROUP BY 1 ORDER BY 1
    """
  }

  /// Whether a column holds an envelope.
  static func holdsEnvelope(table: String, column: String) -> String {
    "SELECT EXISTS (SELECT 1 FROM \(SQLText.main(table)) r WHERE \(isEnvelope(column)))"
  }

  /// Whether a cell has the suite and the length of an envelope of format 1.
  static func isEnvelope(_ column: String) -> String {
    let lengths = Suite.allCases.map { suite in
      let number = SQLText.literal(.blob(Data([suite.rawValue])))
      return "WHEN \(number) THEN length(\(cell(column))) >= \(suite.overheadByteCount)"
    }
    return """
      (typeof(\(cell(column))) = 'blob' \
      AND CASE substr(\(cell(column)), 1, 1) \(lengths.joined(separator: " ")) ELSE 0 END)
      """
  }

  /// Through an alias: SQLite takes a bare name in double quotes that is no column for a text.
  static func cell(_ column: String) -> String { "r.\(SQLText.name(column))" }
}
