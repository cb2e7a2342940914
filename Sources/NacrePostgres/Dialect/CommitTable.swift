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
  /// Returns the statement that leaves a token, with the connection's identifier and the token as its values.
  ///
  /// A transaction that has written nothing needs no token, and without one it needs no place in the server's log. The
  /// caller's own SQL may have silenced the warning on which the end of the commit relies.
  ///
  /// - Parameter telling: An expression to be evaluated for each token that is left; nil for none.
  /// - Returns: The statement.
  static func leave(telling: String?) -> String {
    """
    INSERT INTO "\(name)" \
    SELECT $1::uuid, $2::uuid, clock_timestamp() WHERE pg_current_xact_id_if_assigned() IS NOT NULL \
    AND set_config('client_min_messages', 'warning', true) IS NOT NULL \
    ON CONFLICT ("connection") DO UPDATE SET "token" = excluded."token", "time" = excluded."time"\
    \(telling.map { " RETURNING " + $0 } ?? "")
    """
  }
  /// Deletes the rows of connections that are long gone; no connection looks for its token for weeks.
  static let clean =
    "DELETE FROM \"\(name)\" WHERE \"time\" < clock_timestamp() - interval '30 days'"

  /// Selects a token, after a change of its row.
  static func look(for token: String, of connection: String) -> String {
    """
    UPDATE "\(name)" SET "time" = clock_timestamp() \
    WHERE "connection" = '\(connection)' AND "token" = '\(token)' RETURNING "token"
    """
  }
}
#endif
