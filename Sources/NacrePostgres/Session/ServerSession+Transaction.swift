#if PostgreSQL
import CPQ
import NacreEngine

extension ServerSession {
  /// The table whose lock lets one connection of a store's write at a time.
  ///
  /// Its rows hardly ever change, so the server has no reason to vacuum it, which takes the same lock.
  private static let lane = "\"nacre_slot\""

  /// Begins a transaction of a kind.
  ///
  /// The lock comes before the first query, and with it before the state that the transaction sees: otherwise it would not
  /// see what the transaction before it has committed.
  func begin(_ kind: TransactionKind) throws(PostgresError) {
    (layoutChanges, layoutAtBeginning) = (0, nil)
    // Each transaction asks for the layout's number, so it comes by the same message.
    let layout = hasLayoutTable ? "; " + LayoutTable.select : ""
    let number: String?
    if onlyReads {
      number = try runToEnd("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" + layout, sql: nil)
    } else if case .founder = role, kind != .deferred {
      return try beginFounding()
    } else {
      // A transaction that reads first writes later, so a writer's takes its turn whatever its kind. Without a store
      // there is no lane.
      let waits = kind != .deferred || (hasLayoutTable && role == .writer)
      let lock = waits ? "; LOCK TABLE \(Self.lane) IN SHARE UPDATE EXCLUSIVE MODE" : ""
      number = try runToEnd("BEGIN ISOLATION LEVEL REPEATABLE READ" + lock + layout, sql: nil)
    }
    layoutAtBeginning = number.flatMap { Int64($0) }
  }

  /// Notes that a statement may have changed tables.
  ///
  /// - Throws: The server's error, outside of a transaction, where the layout's number is raised at once.
  func noteLayoutChange() throws(PostgresError) {
    layout += 1
    layoutChanges += 1
    if !isInTransaction, hasLayoutTable { try runToEnd(LayoutTable.raise, sql: nil) }
  }

  /// Begins a transaction that may make a store, in which there is no table yet whose lock could be taken.
  ///
  /// Each statement sees the state at its own start, so it sees what others have made while this one waited.
  private func beginFounding() throws(PostgresError) {
    try runToEnd(
      """
      BEGIN ISOLATION LEVEL READ COMMITTED; \
      SELECT pg_advisory_xact_lock(hashtextextended('nacre:' || current_schema(), 0))
      """,
      sql: nil
    )
    guard try runToEnd("SELECT to_regclass('\(Self.lane)')", sql: nil) != nil else { return }
    try runToEnd("LOCK TABLE \(Self.lane) IN SHARE UPDATE EXCLUSIVE MODE", sql: nil)
  }

  /// Commits, after the check of all constraints.
  func commit() throws(PostgresError) {
    try makeIdle()
    guard let handle else { throw .lost("the connection is lost, and with it the transaction") }
    guard !hasFailed else {
      throw PostgresError(
        .rolledBack,
        "a statement of the transaction has failed, so the server can only roll it back"
      )
    }
    // After a failed check the savepoint gives back a transaction in which the reason can be looked for.
    let raise = layoutChanges > 0 && hasLayoutTable ? LayoutTable.raise + "; " : ""
    let text =
      onlyReads
      ? "COMMIT" : "SAVEPOINT nacre_commit; \(raise)SET CONSTRAINTS ALL IMMEDIATE; COMMIT"
    guard PQsendQuery(handle, text) == 1 else {
      close()
      throw .lost("the commit could not be sent")
    }
    var (isCommitted, failure): (Bool, PostgresError?) = (false, nil)
    do {
      failure = try results(nil) { result in
        if let tag = PQcmdStatus(result), String(cString: tag) == "COMMIT" { isCommitted = true }
      }
    } catch {
      failure = error
    }
    if isCommitted { return }
    if self.handle == nil || PQstatus(handle) == CONNECTION_BAD {
      close()
      throw PostgresError(
        .commitUnknown,
        "the connection was lost during the commit: \(failure?.message ?? "no answer")"
      )
    }
    if hasFailed { try runToEnd("ROLLBACK TO SAVEPOINT nacre_commit", sql: nil) }
    throw failure ?? PostgresError(.rolledBack, "the server has rolled the transaction back")
  }

  /// Runs a statement without parameters, and skips its rows.
  func runOnce(_ text: StatementText) throws(PostgresError) {
    trace?(.statement(sql: text.sql)) { nil }
    let begun = ContinuousClock.now
    let stream = try start(text.sql, hasRows: true) { PQsendQuery($0, text.text) }
    var failure: PostgresError?
    while let item = try next(of: stream, text.sql) {
      guard case .end(let result) = item else {
        item.free()
        continue
      }
      switch PQresultStatus(result) {
      case PGRES_FATAL_ERROR:
        if failure == nil { failure = error(of: result, text.sql) }
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        PQclear(result)
        throw refuseCopy(text.sql)
      default: note(changesOf: result)
      }
      PQclear(result)
    }
    traceEnd(of: text.sql, begunAt: begun)
    if let failure { throw noted(failure) }
    if text.changesLayout { try noteLayoutChange() }
    try keepSettings(text)
  }

  /// Throws if the caller's SQL has changed a setting on which the reading of SQL text relies, after it was set back.
  private func keepSettings(_ text: StatementText) throws(PostgresError) {
    guard text.firstWord == "set" || text.firstWord == "reset" || text.firstWord == "discard" else {
      return
    }
    guard parameter("standard_conforming_strings") == "on", parameter("client_encoding") == "UTF8"
    else {
      try runToEnd("SET standard_conforming_strings = on; SET client_encoding = 'UTF8'", sql: nil)
      throw PostgresError(
        .badStatement,
        "standard_conforming_strings stays on, and client_encoding stays UTF8",
        sql: text.sql
      )
    }
  }
}
#endif
