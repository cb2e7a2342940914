extension EngineConnection {
  /// Runs the body in a transaction, or in a savepoint if the connection is inside a transaction.
  ///
  /// If the body throws, its changes are undone and its error is thrown on. If the commit fails, the
  /// changes are undone too, so the connection is outside the transaction either way.
  ///
  /// - Parameters:
  ///   - kind: How the transaction begins.
  ///   - explain: Returns the error to throw for that of a failed commit; the transaction is still
  ///     open during the call.
  ///   - body: The work to run in the transaction.
  /// - Returns: The body's result.
  /// - Throws: The body's error; the engine's error, of kind `rolledBack` if the engine rolled the
  ///   transaction back on its own and the body went on; what `explain` returns.
  package func transaction<Result>(
    _ kind: TransactionKind,
    explaining explain: (any Error) -> any Error = { $0 },
    _ body: () throws -> Result
  ) throws -> Result {
    guard isInTransaction else { return try outermostTransaction(kind, explain, body) }
    return try nestedTransaction(body)
  }

  private func outermostTransaction<Result>(
    _ kind: TransactionKind,
    _ explain: (any Error) -> any Error,
    _ body: () throws -> Result
  ) throws -> Result {
    // By our count a transaction is under way, but the engine has none. A new one here would be
    // committed although the outer one is lost.
    guard transactionDepth == 0 else { throw lostTransaction }
    try begin(kind)
    transactionDepth = 1
    defer { transactionDepth = 0 }
    do {
      let result = try body()
      guard isInTransaction else { throw lostTransaction }
      do { try commit() } catch { throw explain(error) }
      return result
    } catch {
      abandonTransaction()
      throw error
    }
  }

  private func nestedTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    let depth = transactionDepth
    try savepoint(depth)
    transactionDepth = depth + 1
    defer { transactionDepth = depth }
    do {
      let result = try body()
      guard isInTransaction else { throw lostTransaction }
      try releaseSavepoint(depth)
      return result
    } catch {
      abandonSavepoint(depth)
      throw error
    }
  }

  /// Undoes the transaction, if one is open.
  ///
  /// If the engine can't undo it, the transaction stays open, and nobody may use the connection any more.
  package func abandonTransaction() {
    guard isInTransaction else { return }
    if (try? rollback()) != nil { return }
    // A running statement can keep the engine from rolling back: in SQLite, an interrupt lasts until
    // every one has ended.
    resetStatements()
    try? rollback()
  }

  private func abandonSavepoint(_ depth: Int) {
    guard isInTransaction else { return }
    if (try? rollbackToSavepoint(depth)) == nil {
      resetStatements()
      try? rollbackToSavepoint(depth)
    }
    try? releaseSavepoint(depth)
  }
}
