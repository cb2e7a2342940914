package import NacreEngine

/// The statements of rotations and conversions: their journal, and the passes over a table
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
  /// The row with the id in parameter 1.
  static let one = "SELECT \(journalColumns) FROM \"nacre_rotation\" WHERE \"id\" = ?1"
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

  // MARK: The pass over a table

  /// Selects the key and these columns of the rows after the key in parameter 1; parameter 2 is the
  /// limit.
  package static func batch(
    table: String,
    key: RowKey,
    columns: [String],
    _ dialect: any Dialect
  ) -> String {
    let key = key.column(dialect)
    let cell = RingSQL.cell(key)
    return select(table, key, columns) + " WHERE \(cell) > ?1 ORDER BY \(cell) LIMIT ?2"
  }

  /// Selects the key and these columns of the rows from the key in parameter 1 to that in parameter
  /// 2.
  package static func range(
    table: String,
    key: RowKey,
    columns: [String],
    _ dialect: any Dialect
  ) -> String {
    let key = key.column(dialect)
    let cell = RingSQL.cell(key)
    return select(table, key, columns)
      + " WHERE \(cell) >= ?1 AND \(cell) <= ?2 ORDER BY \(cell)"
  }

  /// Sets columns of the row with the key in parameter 1 to the next parameters, if they still hold
  /// the values of the parameters after those.
  package static func swap(
    table: String,
    key: RowKey,
    columns: [String],
    _ dialect: any Dialect
  ) -> String {
    let key = key.column(dialect)
    let assignments = columns.enumerated().map { "\(SQLText.name($1)) = ?\($0 + 2)" }
    let conditions = columns.enumerated().map {
      dialect.hasSameBytes(RingSQL.cell($1), "?\($0 + columns.count + 2)")
    }
    return """
      UPDATE \(SQLText.main(table)) AS r SET \(assignments.joined(separator: ", ")) \
      WHERE \((["\(RingSQL.cell(key)) = ?1"] + conditions).joined(separator: " AND "))
      """
  }

  /// The beginning of a statement that selects the key and these columns of rows.
  static func select(_ table: String, _ key: String, _ columns: [String]) -> String {
    let cells = ([key] + columns).map(RingSQL.cell)
    return "SELECT \(cells.joined(separator: ", ")) FROM \(SQLText.main(table)) r"
  }

  // MARK: What there is to do

  /// Whether one of the columns holds a value.
  package static func hasValue(table: String, columns: [String]) -> String {
    let conditions = columns.map { "\(RingSQL.cell($0)) IS NOT NULL" }
    return """
      SELECT EXISTS (SELECT 1 FROM \(SQLText.main(table)) r \
      WHERE \(conditions.joined(separator: " OR ")))
      """
  }

  // MARK: Clearing

  /// Writes the file again, without the remains in its free pages and between its cells.
  package static let vacuum = "VACUUM"
}
