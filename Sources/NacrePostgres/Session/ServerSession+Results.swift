#if PostgreSQL
import CPQ
import NacreEngine

// Statements that are run to their end, and what is made of their results.
extension ServerSession {
  /// Runs statements of this module's own by one message.
  ///
  /// - Parameters:
  ///   - text: The statements.
  ///   - sql: The text for errors; nil for none.
  /// - Returns: The text of the last value that a SELECT among them returned.
  /// - Throws: The engine's error.
  @discardableResult
  func runToEnd(_ text: String, sql: String?) throws(PostgresError) -> String? {
    try lastRow(text, sql: sql).first ?? nil
  }

  /// Does the same, and returns all values of the last row.
  func lastRow(_ text: String, sql: String?) throws(PostgresError) -> [String?] {
    // Not `start`, which calls this.
    try makeIdle()
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    wasInTransaction = isInTransaction
    guard PQsendQuery(handle, text) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql)
    }
    var answer: [String?] = []
    let failure = try results(sql) { if let row = Self.row(of: $0) { answer = row } }
    if let failure { throw noted(LaneTable.explained(failure)) }
    return answer
  }

  /// Returns the values of a result's only row as texts; nil if there is no such row, or if its first value is NULL.
  static func row(of result: OpaquePointer) -> [String?]? {
    guard PQntuples(result) == 1, PQgetisnull(result, 0, 0) == 0 else { return nil }
    return (0..<PQnfields(result)).map { column in
      guard PQgetisnull(result, 0, column) == 0 else { return nil }
      return PQgetvalue(result, 0, column).map { String(cString: $0) }
    }
  }

  /// Waits for all results of what was sent, and passes those that are no errors to a closure.
  ///
  /// - Returns: The first error that the server has sent; nil if it has sent none.
  /// - Throws: The engine's error, if the session is lost.
  func results(
    _ sql: String?,
    _ take: (OpaquePointer) -> Void
  ) throws(PostgresError) -> PostgresError? {
    try flush(sql)
    return try takeResults(sql) { result in
      take(result)
      PQclear(result)
    }
  }

  /// Waits for all results of a statement that is on its way, and passes those that are no errors to a closure, which
  /// clears them.
  ///
  /// - Returns: The first error that the server has sent; nil if it has sent none.
  /// - Throws: The engine's error, if the session is lost.
  func takeResults(
    _ sql: String?,
    _ take: (OpaquePointer) -> Void
  ) throws(PostgresError) -> PostgresError? {
    // One for all of them: a server may send them one by one for as long as it likes.
    let deadline = answerEnd
    var failure: PostgresError?
    while let result = try nextResult(sql, until: deadline) {
      switch PQresultStatus(result) {
      case PGRES_FATAL_ERROR: if failure == nil { failure = error(of: result, sql) }
      // A statement before it in a pipeline has failed, so it did not run.
      case PGRES_PIPELINE_ABORTED: break
      default:
        take(result)
        continue
      }
      PQclear(result)
    }
    return failure
  }

  /// Sends messages without waiting for each one's answer.
  ///
  /// - Parameters:
  ///   - sql: The statement, for errors.
  ///   - keepsRows: Whether the results of statements that return rows are kept.
  ///   - send: Calls libpq; returns whether all calls succeeded.
  /// - Returns: A result for each message; the caller clears them.
  /// - Throws: The error of the first that failed.
  func pipeline(
    _ sql: String?,
    keepsRows: Bool = false,
    _ send: (OpaquePointer) -> Bool
  ) throws(PostgresError) -> [OpaquePointer] {
    try enterPipeline(sql)
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    guard send(handle), PQpipelineSync(handle) == 1 else {
      // Half a pipeline can't be taken back.
      close()
      throw .lost("the statement could not be sent", sql: sql)
    }
    try flush(sql)
    var results: [OpaquePointer] = []
    var failure: PostgresError?
    reading: while true {
      guard let result = try nextResult(sql) else {
        // NULL ends the results of one message; a lost session sends nothing else.
        if PQstatus(handle) == CONNECTION_BAD { break }
        continue
      }
      switch PQresultStatus(result) {
      case PGRES_PIPELINE_SYNC:
        PQclear(result)
        break reading
      case PGRES_COMMAND_OK: results.append(result)
      case PGRES_TUPLES_OK where keepsRows: results.append(result)
      case PGRES_FATAL_ERROR:
        if failure == nil { failure = error(of: result, sql) }
        PQclear(result)
        if PQstatus(handle) == CONNECTION_BAD { break reading }
      default: PQclear(result)
      }
    }
    if PQstatus(handle) != CONNECTION_BAD { PQexitPipelineMode(handle) }
    guard let failure else { return results }
    for result in results { PQclear(result) }
    throw noted(failure)
  }

  /// Reads the error of a result.
  func error(of result: OpaquePointer, _ sql: String?) -> PostgresError {
    let error = PostgresError(result: result, sql: sql, isInterrupted: canceller.takeCancelled())
    // Statements of this module's own have no name twice, but for the one that marks a session.
    if sql == nil, SQLState.isSharedSession(error.sqlState) { return Self.otherSession }
    // The next transaction prepares it anew, whether or not this one can go on.
    if SQLState.asksForPreparing(error.sqlState) { layout.prepareAnew() }
    return onlyReads && error.sqlState == "25006" ? error.asWriteOnReader : error
  }

  /// Returns an error of the server, after the session was given up if it ended with it.
  func noted(_ error: PostgresError) -> PostgresError {
    if PQstatus(handle) == CONNECTION_BAD || error.kind == .connectionLost { close() }
    return error
  }

  /// Ends the session, which waits for rows of a COPY, and returns the error that says so.
  func refuseCopy(_ sql: String?) -> PostgresError {
    close()
    return PostgresError(
      .badStatement,
      "a COPY from or to the client is not supported; the session was closed, and its open transaction is lost",
      sql: sql
    )
  }

  /// Tells the trace that a statement has ended.
  func traceEnd(of sql: String, begunAt begun: ContinuousClock.Instant) {
    guard let trace else { return }
    trace(.profile(sql: sql, nanoseconds: (ContinuousClock.now - begun).nanoseconds)) { nil }
  }

  /// Counts the rows that a statement has inserted, changed or deleted.
  ///
  /// - Returns: Their number; nil for a statement that does none of it.
  @discardableResult
  func note(changesOf result: OpaquePointer) -> Int? {
    guard let tag = PQcmdStatus(result).map({ String(cString: $0) }),
      ["INSERT ", "UPDATE ", "DELETE ", "MERGE "].contains(where: tag.hasPrefix),
      let count = PQcmdTuples(result).flatMap({ Int64(String(cString: $0)) })
    else { return nil }
    // The sum of such numbers fits, whatever the server says.
    return note(changes: Int(count.asRowCount))
  }

  /// Counts rows that were inserted, changed or deleted, and returns their number.
  @discardableResult
  func note(changes count: Int) -> Int {
    changes = count
    totalChanges &+= count
    return count
  }
}
#endif
