#if PostgreSQL
import CPQ
import NacreEngine

/// The writes that a session has sent ahead.
struct PendingWrites {
  /// The most that waits for an answer, so that neither side's memory grows.
  static let limit = (count: 1000, byteCount: 1 << 20)

  private(set) var writes: [(sql: String, write: PendingWrite?)] = []
  private var byteCount = 0

  var isEmpty: Bool { writes.isEmpty }
  var isFull: Bool { writes.count >= Self.limit.count || byteCount >= Self.limit.byteCount }
  /// Whether each of them fails, and with it the COMMIT behind it, or has done its work.
  ///
  /// An update can find no row, and nothing fails.
  var areSure: Bool { writes.allSatisfy { $0.write?.reach != .update } }

  mutating func append(_ sql: String, _ write: PendingWrite?, byteCount: Int) {
    writes.append((sql, write))
    self.byteCount += byteCount
  }

  mutating func takeAll() -> [(sql: String, write: PendingWrite?)] {
    defer { self = PendingWrites() }
    return writes
  }
}

// Writes go to the server one after another, and their answers are taken together: by libpq's pipeline mode (libpq's
// documentation, section 34.5). Whatever needs an answer of its own takes the others first (`makeIdle`).
extension ServerSession {
  /// Sends a write of a transaction without waiting for its end.
  ///
  /// - Parameters:
  ///   - sql: The statement, for errors.
  ///   - write: What to make of its failure; nil for a statement that can't fail but with the session.
  ///   - byteCount: The number of bytes of its values.
  ///   - send: Calls libpq, and returns what that returns.
  /// - Throws: The engine's error; that of an earlier write, if as many wait as may.
  func sendAhead(
    _ sql: String,
    _ write: PendingWrite?,
    byteCount: Int = 0,
    _ send: (OpaquePointer) -> Int32
  ) throws(PostgresError) {
    if pending.isFull { try drain() }
    if pending.isEmpty { try enterPipeline(sql) }
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    guard send(handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql)
    }
    pending.append(sql, write, byteCount: byteCount)
  }

  private func enterPipeline(_ sql: String) throws(PostgresError) {
    try makeIdle()
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    wasInTransaction = isInTransaction
    try canceller.admit(sql)
    guard PQenterPipelineMode(handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql)
    }
  }

  /// Sends a statement without values ahead.
  func sendAhead(_ sql: String) throws(PostgresError) {
    try sendAhead(sql, nil) { PQsendQueryParams($0, sql, 0, nil, nil, nil, nil, 0) }
  }

  /// Takes the answers to all that was sent ahead.
  ///
  /// - Throws: The error of the first write that failed, or else of the first one that found no row.
  func drain() throws(PostgresError) { try drain(before: []) { _ in } }

  /// Sends some statements behind what was sent ahead, and takes all answers.
  ///
  /// - Parameters:
  ///   - statements: Statements without values; none of them runs if a write before them fails.
  ///   - take: Gets each of their results that is no error.
  /// - Returns: The error of the first of these statements that failed; nil if none did.
  /// - Throws: The error of a write; one of kind `connectionLost`.
  @discardableResult
  func drain(
    before statements: [String],
    _ take: (OpaquePointer) -> Void
  ) throws(PostgresError) -> PostgresError? {
    let writes = pending.takeAll()
    guard let handle else { throw .lost("the connection is closed") }
    for statement in statements
    where PQsendQueryParams(handle, statement, 0, nil, nil, nil, nil, 0) != 1 {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), statement)
    }
    guard PQpipelineSync(handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), nil)
    }
    try flush(nil)
    var (failed, missed): (PostgresError?, PendingWrite?)
    for (sql, write) in writes {
      let (error, count) = try answer(sql) { _ in }
      if let error, failed == nil { failed = write.map(error.failing) ?? error }
      guard failed == nil, let write, let count else { continue }
      write.ended(count)
      if count == 0, write.reach != .any, missed == nil { missed = write }
    }
    var failure: PostgresError?
    for statement in statements {
      let (error, _) = try answer(statement, take)
      if failure == nil { failure = error }
    }
    try leavePipeline()
    if let failed { throw noted(failed) }
    if let missed {
      var error = PostgresError(.other, "the server has written no row")
      error.origin = missed.failure(nil)
      throw error
    }
    return failure
  }

  /// Takes the results of one statement.
  ///
  /// - Returns: Its error, and the number of rows that it has changed.
  private func answer(
    _ sql: String,
    _ take: (OpaquePointer) -> Void
  ) throws(PostgresError) -> (error: PostgresError?, count: Int?) {
    var found: (error: PostgresError?, count: Int?)
    while let result = try nextResult(sql) {
      switch PQresultStatus(result) {
      case PGRES_FATAL_ERROR: found.error = error(of: result, sql)
      // A statement before it has failed, so it did not run.
      case PGRES_PIPELINE_ABORTED: break
      default:
        found.count = note(changesOf: result)
        take(result)
      }
      PQclear(result)
    }
    return found
  }

  private func leavePipeline() throws(PostgresError) {
    let end = try nextResult(nil)
    let isEnd = PQresultStatus(end) == PGRES_PIPELINE_SYNC
    PQclear(end)
    guard isEnd, PQexitPipelineMode(handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), nil)
    }
  }

  /// Takes the answers to what was sent ahead, of which nobody wants to know any more: what they have done is undone next.
  func discardPending() {
    guard !pending.isEmpty else { return }
    // A lost session is noticed by what comes next.
    try? drain()
  }
}

extension PostgresError {
  /// The same error, with what the module above makes of it.
  fileprivate func failing(_ write: PendingWrite) -> PostgresError {
    var error = self
    error.origin = write.failure(self)
    return error
  }
}
#endif
