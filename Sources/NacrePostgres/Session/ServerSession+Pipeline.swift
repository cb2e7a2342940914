#if PostgreSQL
import CPQ
import NacreEngine

// Writes go to the server one after another, and their answers are taken together: by libpq's pipeline mode (libpq's
// documentation, section 34.5). Whatever needs an answer of its own takes the others first (`makeIdle`).
extension ServerSession {
  /// Sends a write of a transaction without waiting for its end.
  ///
  /// - Parameters:
  ///   - sql: The statement, for errors.
  ///   - write: What to make of its end.
  ///   - byteCount: The number of bytes of its values.
  ///   - send: Calls libpq, and returns what that returns.
  /// - Throws: The engine's error; that of an earlier write, if as many wait as may.
  func sendAhead(
    _ sql: String,
    _ write: PendingWrite,
    byteCount: Int,
    _ send: (OpaquePointer) -> Int32
  ) throws(PostgresError) {
    try sendGroup()
    // It could not be sent a second time.
    if pending.isFull || pending.canSucceedRowByRow { try drain() }
    if pending.isEmpty { try enterPipeline(sql) }
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    guard send(handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql)
    }
    askForAnswer()
    pending.append(.write(sql: sql, write), depth: depth, byteCount: byteCount)
  }

  /// Sends a statement without values ahead.
  func sendAhead(_ sql: String) throws(PostgresError) {
    try sendGroup()
    if pending.isFull { try drain() }
    if pending.isEmpty { try enterPipeline(sql) }
    try send(OwnStatement(sql))
    pending.append(.statement(sql), depth: depth)
  }

  /// Begins to send statements one behind the other.
  func enterPipeline(_ sql: String?) throws(PostgresError) {
    try makeIdle()
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    wasInTransaction = isInTransaction
    try canceller.admit(sql)
    guard PQenterPipelineMode(handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql)
    }
  }

  /// Takes the end of a pipeline, after which statements are sent one by one.
  func leavePipeline() throws(PostgresError) {
    let end = try nextResult(nil)
    let isEnd = PQresultStatus(end) == PGRES_PIPELINE_SYNC
    PQclear(end)
    guard isEnd, PQexitPipelineMode(handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), nil)
    }
  }

  /// Sends what waits, and returns whether each write that was sent ahead does its work or fails what comes behind it.
  ///
  /// - Throws: The error of a write, if the server had to be asked whether a trigger can swallow one.
  func pendingWritesAreSure() throws(PostgresError) -> Bool {
    try sendGroup()
    guard !pending.isEmpty else { return true }
    guard pending.areSure else { return false }
    // The question, if it is asked, takes the answers to what was sent before it.
    return try !canSwallowInserts() || pending.isEmpty
  }

  /// Takes the answers to all that was sent ahead.
  ///
  /// - Throws: The error of the first write that failed, or else of the first one that found no row.
  func drain() throws(PostgresError) { try drain(before: []) { _ in } }

  /// Sends some statements behind what was sent ahead, and takes all answers.
  ///
  /// - Parameters:
  ///   - statements: Statements of this module's own; none of them runs if a write before them fails.
  ///   - take: Gets each of their results that is no error.
  /// - Returns: The error of the first of these statements that failed; nil if none did.
  /// - Throws: The error of a write; one of kind `connectionLost`.
  @discardableResult
  func drain(
    before statements: [OwnStatement],
    _ take: (OpaquePointer) -> Void
  ) throws(PostgresError) -> PostgresError? {
    var answers = PipelineAnswers()
    while true {
      let sent = pending.takeAll()
      for statement in statements { try send(statement) }
      try takeAnswers(to: sent, &answers)
      // These change this module's own rows, so nobody is told their number.
      var failure: PostgresError?
      for statement in statements {
        let error = try answer(statement.sql, take)
        if failure == nil { failure = error }
      }
      try leavePipeline()
      if let missed = answers.missed { keep(missed) }
      guard let (place, error) = answers.failed else {
        if let missed = answers.missed { throw missed.error() }
        return failure
      }
      answers.failed = nil
      let rest: ArraySlice<PendingWrites.Entry>
      do throws(PostgresError) {
        rest = try writeRowByRow(sent[place...], after: error)
      } catch {
        // After an error of the server's own the server refuses the COMMIT by itself.
        if !hasFailed { keep(MissedWrite(depth: sent[place].depth) { error }) }
        throw error
      }
      if rest.isEmpty, statements.isEmpty {
        guard let missed = answers.missed else { return nil }
        throw missed.error()
      }
      try enterPipeline(nil)
      for entry in rest { try sendAgain(entry) }
    }
  }

  /// Keeps a write that is missing in the open transaction, for a caller who drops the error and commits.
  private func keep(_ write: MissedWrite) {
    guard missed == nil, handle != nil, isInTransaction else { return }
    missed = write
  }

  /// Takes the answers to writes.
  private func takeAnswers(
    to sent: [PendingWrites.Entry],
    _ answers: inout PipelineAnswers
  ) throws(PostgresError) {
    guard PQpipelineSync(handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), nil)
    }
    try flush(nil)
    for (place, entry) in sent.enumerated() {
      answers.depth = entry.depth
      switch entry.content {
      case .statement(let sql): answers.take(try answer(sql) { _ in }, at: place)
      case .write(let sql, let write):
        var count = 0
        let error = try answer(toWrite: sql) { count = note(changesOf: $0) ?? 0 }
        answers.take(error.map { $0.failing(write) }, at: place)
        answers.settle([write], count)
      case .group(let group):
        for statement in group.statements { try takeAnswer(to: statement, &answers, at: place) }
      }
    }
  }

  private func takeAnswer(
    to statement: WriteGroup.Statement,
    _ answers: inout PipelineAnswers,
    at place: Int
  ) throws(PostgresError) {
    switch statement {
    case .text(let sql): answers.take(try answer(sql) { _ in }, at: place)
    case .row(let batch):
      var count = 0
      let error = try answer(toWrite: batch.form.sql) { count = note(changesOf: $0) ?? 0 }
      answers.take(error.map { error in batch.writes.first.map(error.failing) ?? error }, at: place)
      answers.settle(batch.writes, count)
    case .rows(let batch):
      var count = 0
      let error = try answer(toWrite: batch.form.sql) {
        count =
          batch.form.findsMissingRows ? note(changes: batch.rowCount) : note(changesOf: $0) ?? 0
      }
      answers.take(error, at: place)
      answers.settle(batch.writes, count)
    }
  }

  /// Takes the results of a write, and tells the trace of its end.
  ///
  /// It took the time since the answer before it, or since the store began to wait. Rows that one statement has written
  /// end together, under the text for one row.
  private func answer(
    toWrite sql: String,
    _ take: (OpaquePointer) -> Void
  ) throws(PostgresError) -> PostgresError? {
    let begun = ContinuousClock.now
    defer { traceEnd(of: sql, begunAt: begun) }
    return try answer(sql, take)
  }

  /// Lets the server answer a write at its end if somebody traces; it would otherwise answer all of a pipeline at once.
  func askForAnswer() {
    if trace != nil { PQsendFlushRequest(handle) }
  }

  /// Takes the results of one statement, and passes those that are no errors to a closure; returns its error.
  private func answer(
    _ sql: String,
    _ take: (OpaquePointer) -> Void
  ) throws(PostgresError) -> PostgresError? {
    try takeResults(sql) { result in
      take(result)
      PQclear(result)
    }
  }

  /// Forgets what was not sent yet, and takes the answers to what was sent ahead: what they have done is undone next.
  ///
  /// - Parameter depth: The number of savepoints before the one to which the transaction goes back; nil if all of it is
  ///   undone.
  func discardPending(after depth: Int?) {
    group = WriteGroup()
    forgetCursors(after: depth)
    if !pending.isEmpty {
      var answers = PipelineAnswers()
      // A lost session is noticed by what comes next.
      try? takeAnswers(to: pending.takeAll(), &answers)
      try? leavePipeline()
      if let missed = answers.missed { keep(missed) }
    }
    // A write before the savepoint is still missing.
    if let found = missed, depth.map({ found.depth > $0 }) ?? true { missed = nil }
    self.depth = depth.map { $0 + 1 } ?? 0
  }
}

/// The server's answers to the writes of a pipeline.
struct PipelineAnswers {
  /// The first error, and the place of what has failed.
  var failed: (place: Int, error: PostgresError)?
  /// The first row that had to be written and was not.
  private(set) var missed: MissedWrite?
  /// The number of savepoints before the write whose answer comes next.
  var depth = 0

  mutating func take(_ error: PostgresError?, at place: Int) {
    if failed == nil { failed = error.map { (place, $0) } }
  }

  /// Takes the number of rows that a statement has changed, one for each write or none, unless it or one before it has
  /// failed.
  mutating func settle(_ writes: [PendingWrite], _ count: Int) {
    guard failed == nil else { return }
    for write in writes {
      switch write {
      case .rows(let ended): ended?(writes.count > 1 ? 1 : count)
      case .row(_, let failure):
        guard count < writes.count, missed == nil else { continue }
        missed = MissedWrite(depth: depth) { .missing(failure) }
      }
    }
  }
}

extension PostgresError {
  /// The same error, with what the module above makes of it.
  func failing(_ write: PendingWrite) -> PostgresError {
    guard case .row(_, let failure) = write else { return self }
    var error = self
    error.origin = failure(self)
    return error
  }

  /// The error for a row that had to be written and was not.
  static func missing(_ failure: ((any EngineError)?) -> any Error) -> PostgresError {
    var error = PostgresError(.other, "the server has written no row")
    error.origin = failure(nil)
    return error
  }
}
#endif
