#if PostgreSQL
import CPQ
import NacreEngine

// A pool such as pgbouncer can lend a session of the server for one transaction (`pool_mode=transaction`). Whatever this
// client leaves in it, the next client finds, and what this client finds there is somebody else's. So in such a session
// (1) a transaction brings its settings with it, and so does a statement outside of one: both are one message to the
//     server, to which the pool gives one session;
// (2) statements have no names: a text is sent with its values, and with the types that the server has named once;
// (3) the schema is that of the role or of the database, which nobody can change by a SET.
extension ServerSession {
  /// Whether a statement that is sent now needs the settings before it.
  var isFramed: Bool { isShared && !isInTransaction }

  /// Returns statements without values with the settings that they need.
  func inFrame(_ statements: String) -> String {
    isFramed ? "\(frame); \(statements)" : statements
  }

  /// Finds the schema of a shared session.
  ///
  /// - Returns: Its name as SQL writes it; nil for none.
  /// - Throws: An error of kind `cannotOpen` if the session has the search path of another client.
  func findSchema() throws(PostgresError) -> String? {
    let found = try lastRow(
      """
      SELECT setting = reset_val, quote_ident(current_schema()) FROM pg_catalog.pg_settings \
      WHERE name = 'search_path'
      """,
      sql: nil
    )
    guard found.count == 2, found[0] == "t" else {
      throw PostgresError(
        .cannotOpen,
        """
        a pool lends this session, in which somebody has set the search_path for all that come after him; set it \
        by ALTER ROLE or ALTER DATABASE, and let other clients use SET LOCAL
        """
      )
    }
    return found[1]
  }

  /// The error for a session that was to be this client's own, and is not.
  static let otherSession = PostgresError(
    .cannotOpen,
    """
    a pool lends this session for a transaction, but `poolMode` says that it is the store's own; leave `poolMode` at \
    `.detected`
    """
  )

  // MARK: Statements outside of transactions

  /// Sends the settings that the next statement needs; both and ``endFrame()`` are one transaction for the server.
  func sendFrame(_ sql: String?) throws(PostgresError) {
    guard let handle, PQenterPipelineMode(handle) == 1,
      PQsendQueryParams(handle, frame, 0, nil, nil, nil, nil, 0) == 1
    else { throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql) }
  }

  /// Ends what was sent since ``sendFrame(_:)``, and takes the answer to the settings.
  func takeFrame(_ sql: String?) throws(PostgresError) {
    guard let handle, PQpipelineSync(handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql)
    }
    guard let failure = try results(sql, { _ in }) else { return }
    // The statement did not run.
    let deadline = answerEnd
    while let result = try nextResult(sql, until: deadline) { PQclear(result) }
    try endFrame()
    throw noted(failure)
  }

  /// Takes the end of what was sent since ``sendFrame(_:)``, after the results of the statement.
  func endFrame() throws(PostgresError) {
    // Whoever took the last result has seen that the session is lost.
    if PQstatus(handle) != CONNECTION_BAD { try leavePipeline() }
  }
}
#endif
