#if PostgreSQL
import NacreEngine

/// The table whose one row every writer changes first, on a server that can lock no table.
///
/// A writer that waits for the row while another one commits its change gets a conflict, because its own state is older; so it
/// begins once more, and sees what the other one has committed.
enum LaneTable {
  static let name = "nacre_lane"

  /// The statements that make the table; many may do so at once.
  static let create = [
    """
    CREATE TABLE IF NOT EXISTS "\(name)" ("one" bigint PRIMARY KEY, "number" bigint NOT NULL) \
    WITH (fillfactor = 50)
    """,
    "INSERT INTO \"\(name)\" VALUES (1, 0) ON CONFLICT DO NOTHING",
  ]
  /// Changes the row, and returns no row; without it, the server refuses a division by zero.
  static let take = """
    WITH "taken" AS (UPDATE "\(name)" SET "number" = "number" + 1 RETURNING "one") \
    SELECT NULL FROM "taken" HAVING 1 / count(*) < 1
    """

  /// Returns the error to throw for one of a message with ``take``, in which nothing else divides.
  static func explained(_ error: PostgresError) -> PostgresError {
    guard error.sqlState == SQLState.divisionByZero else { return error }
    return PostgresError(
      .corrupt,
      """
      the table \(name) has lost its row, by which one connection writes at a time; put it back by \
      INSERT INTO "\(name)" VALUES (1, 0)
      """
    )
  }
}
#endif
