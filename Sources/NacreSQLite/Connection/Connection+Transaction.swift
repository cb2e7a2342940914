import CSQLite
package import NacreEngine

extension Connection {
  /// Starts a transaction.
  ///
  /// - Throws: SQLITE_BUSY if the connection does not get the lock within the busy timeout; SQLITE_ERROR inside another
  ///   transaction.
  package func begin(_ kind: TransactionKind) throws(SQLiteError) {
    let words =
      switch kind {
      case .deferred: "BEGIN DEFERRED"
      case .immediate: "BEGIN IMMEDIATE"
      case .exclusive: "BEGIN EXCLUSIVE"
      }
    try runKept(slot: kind.rawValue, words)
    begunCount += 1
  }

  /// Makes the transaction durable and ends it.
  ///
  /// - Throws: SQLITE_CONSTRAINT for a violated deferred foreign key, SQLITE_BUSY; the transaction is then still open.
  package func commit() throws(SQLiteError) {
    try runKept(slot: 3, "COMMIT")
  }

  /// Undoes the transaction and ends it.
  ///
  /// - Throws: SQLITE_ERROR if no transaction is open.
  package func rollback() throws(SQLiteError) {
    try runKept(slot: 4, "ROLLBACK")
  }

  /// Sets a savepoint, named by its depth from 0 on.
  ///
  /// - Throws: SQLite's error.
  package func savepoint(_ depth: Int) throws(SQLiteError) {
    try runKept(slot: 5 + 3 * depth, "SAVEPOINT nacre_\(depth)")
  }

  /// Removes a savepoint and those after it, and keeps the changes made since.
  ///
  /// - Throws: SQLITE_ERROR if there is no savepoint of this depth.
  package func releaseSavepoint(_ depth: Int) throws(SQLiteError) {
    try runKept(slot: 6 + 3 * depth, "RELEASE nacre_\(depth)")
  }

  /// Undoes the changes made since a savepoint, and leaves it set.
  ///
  /// - Throws: SQLITE_ERROR if there is no savepoint of this depth.
  package func rollbackToSavepoint(_ depth: Int) throws(SQLiteError) {
    try runKept(slot: 7 + 3 * depth, "ROLLBACK TO nacre_\(depth)")
  }

  /// Runs the body in a transaction, or in a savepoint if the connection is inside a transaction.
  ///
  /// If the body throws, its changes are undone and its error is thrown on. If COMMIT fails, the changes are undone
  /// too, so the connection is outside the transaction either way.
  ///
  /// - Throws: The body's error; SQLite's error; SQLITE_ABORT_ROLLBACK if SQLite rolled the transaction back on its own
  ///   (disk full, I/O error) and the body went on.
  package func transaction<Result>(
    _ kind: TransactionKind,
    _ body: () throws -> Result
  ) throws -> Result {
    try transaction(kind, explaining: { $0 }, body)
  }

  /// Does the same, and lets the caller replace the error of a failed COMMIT.
  ///
  /// - Parameters:
  ///   - kind: How the transaction begins.
  ///   - explain: Returns the error to throw for the given one; the transaction is still open during the call.
  ///   - body: The work to run in the transaction.
  /// - Returns: The body's result.
  /// - Throws: The body's error; SQLite's error, or the one that `explain` returns for it.
  package func transaction<Result>(
    _ kind: TransactionKind,
    explaining explain: (any Error) -> any Error,
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
    // By our count a transaction is under way, but SQLite has none. A new one here would be committed although the
    // outer one is lost.
    guard transactionDepth == 0 else { throw Self.rolledBack }
    try begin(kind)
    transactionDepth = 1
    defer { transactionDepth = 0 }
    do {
      let result = try body()
      guard isInTransaction else { throw Self.rolledBack }
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
      guard isInTransaction else { throw Self.rolledBack }
      try releaseSavepoint(depth)
      return result
    } catch {
      abandonSavepoint(depth)
      throw error
    }
  }

  private func abandonTransaction() {
    guard isInTransaction else { return }
    if (try? rollback()) != nil { return }
    // An interrupt lasts until every running statement has ended.
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

  private func resetStatements() {
    guard let handle else { return }
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      sqlite3_reset(current)
      statement = sqlite3_next_stmt(handle, current)
    }
  }

  private static var rolledBack: SQLiteError {
    SQLiteError(
      extendedCode: SQLiteError.abortedByRollback,
      message: "SQLite rolled the transaction back"
    )
  }

  private func runKept(slot: Int, _ sql: @autoclosure () -> String) throws(SQLiteError) {
    if slot < transactionStatements.count, let kept = transactionStatements[slot] {
      return try kept.run()
    }
    let refused = refusesTransactionSQL
    refusesTransactionSQL = false
    defer { refusesTransactionSQL = refused }
    let statement = try prepare(sql())
    // Statements for depths that nobody reaches are not kept.
    if (0..<1024).contains(slot) {
      while transactionStatements.count <= slot { transactionStatements.append(nil) }
      transactionStatements[slot] = statement
    }
    try statement.run()
  }
}
