#if PostgreSQL
import CPQ
import NacreEngine

extension ServerSession {
  /// Takes the lock by which one connection of a store's writes at a time, until the transaction ends.
  ///
  /// The table's rows hardly ever change, so the server has no reason to vacuum it, which takes the same lock.
  var lane: String {
    locksTables ? "LOCK TABLE \"nacre_slot\" IN SHARE UPDATE EXCLUSIVE MODE" : LaneTable.take
  }

  /// Whether the server locks tables, and takes advisory locks.
  var locksTables: Bool { !missing.contains(.locksTables) }

  /// Begins a transaction of a kind.
  ///
  /// The lock comes before the first query, and with it before the state that the transaction sees: otherwise it would not
  /// see what the transaction before it has committed.
  func begin(_ kind: TransactionKind) throws(PostgresError) {
    let end = ContinuousClock.now + .milliseconds(settings.busyTimeoutMilliseconds)
    var isReopened = false
    while true {
      do {
        return try beginOnce(kind)
      } catch {
        // The session has ended while nobody used it, as when the server was started anew, and nothing was done in it.
        if error.kind == .connectionLost, !isReopened, (try? makeReady()) != nil {
          isReopened = true
          continue
        }
        // Somebody has committed since this transaction's state, and it is to see that.
        guard !locksTables, error.kind == .conflict, isInTransaction else { throw error }
        guard ContinuousClock.now < end else {
          throw PostgresError(.busy, "others kept the turn to write for the whole busyTimeout")
        }
        try rollback()
      }
    }
  }

  private func beginOnce(_ kind: TransactionKind) throws(PostgresError) {
    layout.begin()
    (hasLane, isLook) = (false, false)
    forgetCursors(after: nil)
    try canceller.admit(nil)
    if case .founder = role { return kind == .deferred ? try beginLook() : try beginFounding() }
    // A transaction that reads first writes later, so a writer's takes its turn whatever its kind. Without a store there is
    // no lane.
    let waits = !onlyReads && (kind != .deferred || (layout.hasTable && role == .writer))
    let answer = try begin(waits: waits)
    hasLane = waits
    guard answer.count == 3 else { return }
    guard isShared || answer[2] == process else { throw Self.otherSession }
    layout.begin(at: answer[0].flatMap { Int64($0) })
    firstAnswer = answer[1]
  }

  /// Sends the statements that begin a transaction, and asks with them for what each transaction needs.
  ///
  /// - Returns: The layout's number, the answer to the first query, and the number of the server's process; none without
  ///   a store.
  private func begin(waits: Bool) throws(PostgresError) -> [String?] {
    guard layout.hasTable, !isShared else {
      let texts = [beginning] + (waits ? [lane] : []) + (layout.hasTable ? [question] : [])
      return try lastRow(texts.joined(separator: "; "), sql: nil)
    }
    var isSecond = false
    while true {
      do {
        let known = try makeStatements()
        let lane = waits ? known.lane : nil
        return try lastRow(of: [known.begin, lane, known.question].compactMap(\.self))
      } catch {
        guard SQLState.asksForPreparing(error.sqlState) else { throw error }
        if isSecond {
          throw error.sqlState == SQLState.unknownStatement ? Self.otherSession : error
        }
        // The caller's own SQL has made the session forget them, or the store's tables are others.
        (statements, isSecond) = (nil, true)
        if isInTransaction { try rollback() }
      }
    }
  }

  /// The statement that begins a transaction, with what a shared session needs.
  var beginning: String {
    if onlyReads { return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" + localSettings }
    // In a shared session another client may have taken the right to write from all that come after him.
    return "BEGIN ISOLATION LEVEL REPEATABLE READ\(isShared ? " READ WRITE" : "")\(localSettings)"
  }

  /// The query for what each transaction needs: the layout's number, the answer to the first query, and the number of the
  /// server's process.
  var question: String {
    "SELECT (\(LayoutTable.select)), \(firstQuery.map { "(\($0))" } ?? "NULL"), pg_backend_pid()"
  }

  /// Notes that a statement may have changed tables.
  ///
  /// - Throws: The server's error, outside of a transaction, where the layout's number is raised at once.
  func noteLayoutChange() throws(PostgresError) {
    layout.noteChange()
    if !isInTransaction, layout.hasTable { try runToEnd(inFrame(LayoutTable.raise), sql: nil) }
  }

  /// Begins a transaction that may make a store, in which there is no table yet whose lock could be taken.
  ///
  /// Each statement sees the state at its own start, so it sees what others have made while this one waited.
  private func beginFounding() throws(PostgresError) {
    if !locksTables { try makeLane() }
    let lock =
      locksTables
      ? "SELECT pg_advisory_xact_lock(hashtextextended('nacre:' || current_schema(), 0))" : lane
    try runToEnd("BEGIN ISOLATION LEVEL READ COMMITTED\(localSettings); \(lock)", sql: nil)
    guard try runToEnd("SELECT to_regclass('\"nacre_slot\"')", sql: nil) != nil else { return }
    if locksTables { try runToEnd(lane, sql: nil) }
    hasLane = true
  }

  /// Begins a transaction in which the maker of stores looks whether there is one, and writes nothing.
  private func beginLook() throws(PostgresError) {
    try runToEnd("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY\(localSettings)", sql: nil)
    isLook = true
  }

  /// Makes the table of the lane, unless it is there.
  private func makeLane() throws(PostgresError) {
    for statement in LaneTable.create {
      var tries = 1
      while true {
        do {
          try runToEnd(inFrame(statement), sql: nil)
          break
        } catch {
          // Somebody else makes it at the same time; the server then reports one of several errors.
          guard tries < 10, error.kind != .connectionLost else { throw error }
          tries += 1
        }
      }
    }
  }

  /// Undoes the transaction, which nobody stops.
  func rollback() throws(PostgresError) {
    try canceller.holding { () throws(PostgresError) in
      _ = try runToEnd("ROLLBACK", sql: nil)
    }
  }

  /// Runs a statement without parameters, and skips its rows.
  func runOnce(_ text: StatementText) throws(PostgresError) {
    trace?(.statement(sql: text.sql)) { nil }
    let begun = ContinuousClock.now
    // The server runs a VACUUM in no transaction, not even in one of a single message.
    let isAlone = text.firstWord == "vacuum"
    let stream = try start(text.sql, hasRows: true, isAlone: isAlone) { handle in
      isFramed && !isAlone
        ? PQsendQueryParams(handle, text.text, 0, nil, nil, nil, nil, 0)
        : PQsendQuery(handle, text.text)
    }
    var failure: PostgresError?
    while let item = try next(of: stream, text.sql) {
      guard case .end(let result) = item else {
        item.free()
        continue
      }
      if PQresultStatus(result) != PGRES_FATAL_ERROR {
        note(changesOf: result)
      } else if failure == nil {
        failure = error(of: result, text.sql)
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
    if text.firstWord == "deallocate" || text.firstWord == "discard" {
      forgetPrepared()
    }
    guard text.firstWord == "set" || text.firstWord == "reset" || text.firstWord == "discard" else {
      return
    }
    guard parameter("standard_conforming_strings") == "on", parameter("client_encoding") == "UTF8"
    else {
      let set = isShared ? "SET LOCAL" : "SET"
      try runToEnd(
        "\(set) standard_conforming_strings = on; \(set) client_encoding = 'UTF8'",
        sql: nil
      )
      throw PostgresError(
        .badStatement,
        "Nacre needs standard_conforming_strings = on and client_encoding = UTF8, and has set them back",
        sql: text.sql
      )
    }
  }
}
#endif
