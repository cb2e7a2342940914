#if PostgreSQL
/// The table in which a transaction leaves a token, by which it is found if the answer to its COMMIT is lost.
///
/// A connection has one row, which each of its transactions replaces, so the table stays as small as the number of
/// connections.
enum CommitTable {
  static let name = "nacre_commit"

  /// The statement that makes the table.
  ///
  /// Its pages keep room, so that a replaced row stays on its page.
  static let create = [
    """
    CREATE TABLE "\(name)" ("connection" uuid PRIMARY KEY, "token" uuid NOT NULL, \
    "time" timestamp with time zone NOT NULL) WITH (fillfactor = 50)
    """
  ]
  /// Prepares the statement of ``leave(_:of:)`` in a session, where it then costs a fifth.
  ///
  /// - Parameter telling: An expression to be evaluated for each token that is left; nil for none.
  /// - Returns: The statement.
  static func prepare(telling: String?) -> String {
    "PREPARE \"nacre_commit\" (uuid, uuid) AS " + insert("$1", "$2", telling)
  }
  /// Returns the statement that leaves a token.
  ///
  /// A transaction that has written nothing needs no token, and without one it needs no place in the server's log. The
  /// caller's own SQL may have silenced the warning on which the end of the commit relies.
  private static func insert(
    _ connection: String,
    _ token: String,
    _ telling: String?
  ) -> String {
    """
    INSERT INTO "\(name)" \
    SELECT \(connection), \(token), clock_timestamp() WHERE pg_current_xact_id_if_assigned() IS NOT NULL \
    AND set_config('client_min_messages', 'warning', true) IS NOT NULL \
    ON CONFLICT ("connection") DO UPDATE SET "token" = excluded."token", "time" = excluded."time"\
    \(telling.map { " RETURNING " + $0 } ?? "")
    """
  }
  /// Deletes the rows of connections that are long gone; no connection looks for its token for weeks.
  static let clean =
    "DELETE FROM \"\(name)\" WHERE \"time\" < clock_timestamp() - interval '30 days'"

  /// Leaves a transaction's token in its connection's row.
  static func leave(_ token: String, of connection: String) -> String {
    "EXECUTE \"nacre_commit\" ('\(connection)', '\(token)')"
  }

  /// Does the same in a session that has no prepared statements.
  static func leaveOnce(_ token: String, of connection: String, telling: String?) -> String {
    insert("'\(connection)'::uuid", "'\(token)'::uuid", telling)
  }

  /// Selects a token, after a change of its row.
  static func look(for token: String, of connection: String) -> String {
    """
    UPDATE "\(name)" SET "time" = clock_timestamp() \
    WHERE "connection" = '\(connection)' AND "token" = '\(token)' RETURNING "token"
    """
  }
}
#endif
