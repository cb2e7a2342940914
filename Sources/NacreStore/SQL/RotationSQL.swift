/// The statements of rotations and conversions: their journal, what there is to do, and the clearing
/// (Vectors/FORMAT.md).
///
/// They name columns through an alias, because SQLite takes a bare name in double quotes for a text
/// if there is no such column.
package enum RotationSQL {
  // MARK: Journal

  private static let journalColumns = """
    "id", "kind", "from", "to", "entity", "property", "cursor", "phase", "done", "total", "failed", \
    "started", "updated", "finished"
    """
  /// Selects the rows that are not finished.
  static let unfinished = """
    SELECT \(journalColumns) FROM "nacre_rotation" WHERE "finished" IS NULL ORDER BY "id"
    """
  /// The unfinished row, or else the last one.
  static let latest = """
    SELECT \(journalColumns) FROM "nacre_rotation" \
    ORDER BY "finished" IS NULL DESC, "id" DESC LIMIT 1
    """
  /// The row with the id in parameter 1, and then its MAC.
  static let one =
    "SELECT \(journalColumns), r.\"mac\" FROM \"nacre_rotation\" r WHERE \"id\" = ?1"
  static let insert = """
    INSERT INTO "nacre_rotation" ("kind", "from", "to", "property", "phase", "started", "updated") \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
    """
  static let selectMAC = "SELECT r.\"mac\" FROM \"nacre_rotation\" r WHERE r.\"id\" = ?1"
  static let update = """
    UPDATE "nacre_rotation" SET "entity" = ?2, "cursor" = ?3, "phase" = ?4, "done" = ?5, \
    "total" = ?6, "failed" = ?7, "updated" = ?8, "finished" = ?9, "mac" = ?10 \
    WHERE "id" = ?1
    """

  /// Ends the row of parameter 1 at the time of parameter 2, in a phase that no completed rotation
  /// or conversion has.
  package static let clear = """
    UPDATE "nacre_rotation" SET "phase" = 'cleared', "finished" = ?2, "mac" = NULL WHERE "id" = ?1
    """

  // MARK: What there is to do

  /// Whether one of the columns holds a value.
  package static func hasValue(table: String, columns: [String]) -> String {
    let conditions = columns.map { "\(RingSQL.cell($0)) IS NOT NULL" }
    return """
      SELECT EXISTS (SELECT 1 FROM \(SQLText.main(table)) r \
      WHERE \(conditions.joined(separator: " OR ")))
      """
  }
}
