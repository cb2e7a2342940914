#if PostgreSQL
import CPQ
import NacreEngine

// Rows that are written one after another by the same statement go to the server as one, with arrays for its parameters:
// a server takes a third of the time for them. If it refuses them, they are written again one by one, because it does not
// say which of them it has refused.
extension ServerSession {
  /// Adds a row to those that are sent together.
  ///
  /// - Returns: Whether it was added; if not, it has to be sent by itself.
  /// - Throws: The engine's error; that of an earlier write.
  func gather(
    _ row: Parameters,
    _ write: PendingWrite,
    _ form: BatchForm
  ) throws(PostgresError) -> Bool {
    // A row of another table may refer to those that wait, and a group has an order of its own.
    let isOther = group.batches.last.map { $0.form !== form } ?? false
    let isApart = try isOther ? checksOrder() : false
    if isApart || !group.append(row, write, form) {
      try sendGroup()
      guard group.append(row, write, form) else { return false }
    }
    if group.isFull { try sendGroup() }
    return true
  }

  /// Sends the rows that were gathered.
  func sendGroup() throws(PostgresError) {
    guard !group.isEmpty else { return }
    let group = group
    self.group = WriteGroup()
    if pending.isFull { try drain() }
    if pending.isEmpty { try enterPipeline(group.batches[0].form.sql) }
    try send(group, depth: depth)
  }

  private func send(_ group: WriteGroup, depth: Int) throws(PostgresError) {
    for statement in group.statements {
      switch statement {
      case .text(let sql): try send(OwnStatement(sql))
      case .row(let batch):
        try batch.forEachRow { (row, _) throws(PostgresError) in
          try send(row, by: batch.form.sendRow, batch.form)
        }
      case .rows(let batch): try send(batch.arrays(), by: batch.form.sendRows, batch.form)
      }
      askForAnswer()
    }
    pending.append(.group(group), depth: depth, byteCount: group.byteCount)
  }

  /// Sends something again that did not run, because what was sent before it had failed.
  func sendAgain(_ entry: PendingWrites.Entry) throws(PostgresError) {
    switch entry.content {
    case .statement(let sql):
      try send(OwnStatement(sql))
      pending.append(entry.content, depth: entry.depth)
    case .group(let group): try send(group, depth: entry.depth)
    case .write(let sql, _): throw .lost("the write can't be sent again", sql: sql)
    }
  }

  private func send(
    _ parameters: Parameters,
    by sending: BatchForm.Sending,
    _ form: BatchForm
  ) throws(PostgresError) {
    guard let handle else { throw .lost("the connection is closed", sql: form.sql) }
    guard sending(parameters, handle) == 1 else {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), form.sql)
    }
  }

  /// Writes the rows of a group that has failed one by one, to find the one that the server refuses.
  ///
  /// - Parameters:
  ///   - sent: The group, and what was sent behind it.
  ///   - error: The server's error.
  /// - Returns: What was sent behind it, if all its rows are written now.
  /// - Throws: The error of the row; `error` itself if no row is to blame, or if what is behind it can't be sent again.
  func writeRowByRow(
    _ sent: ArraySlice<PendingWrites.Entry>,
    after error: PostgresError
  ) throws(PostgresError) -> ArraySlice<PendingWrites.Entry> {
    let rest = sent.dropFirst()
    guard case .group(let group) = sent.first?.content, !group.isSingleRow, error.concernsRows
    else {
      throw noted(error)
    }
    try runToEnd("ROLLBACK TO SAVEPOINT nacre_rows; RELEASE SAVEPOINT nacre_rows", sql: nil)
    for batch in group.batches {
      try batch.forEachRow { (row, write) throws(PostgresError) in
        wasInTransaction = isInTransaction
        try send(row, by: batch.form.sendRow, batch.form)
        var count = 0
        let begun = ContinuousClock.now
        let failure = try results(batch.form.sql) { count = note(changesOf: $0) ?? 0 }
        traceEnd(of: batch.form.sql, begunAt: begun)
        if let failure { throw noted(failure.failing(write)) }
        switch write {
        case .rows(let ended): ended?(count)
        case .row(_, let failure): if count == 0 { throw .missing(failure) }
        }
      }
    }
    let canBeRepeated = rest.allSatisfy { if case .write = $0.content { false } else { true } }
    guard group.canSucceedRowByRow, canBeRepeated else { throw noted(error) }
    return rest
  }
}

extension PostgresError {
  /// Whether one of several rows can be the cause: the server refuses a value or a constraint (PostgreSQL's documentation,
  /// appendix A, classes 22, 23, 44 and P0).
  fileprivate var concernsRows: Bool {
    ["22", "23", "44", "P0"].contains(sqlState.map { String($0.prefix(2)) })
  }
}
#endif
