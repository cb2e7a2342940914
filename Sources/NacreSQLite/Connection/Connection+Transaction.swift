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
  /// - Throws: SQLITE_CONSTRAINT for a violated deferred foreign key, SQLITE_BUSY; the transaction is then still open. An
  ///   error of kind `commitUnknown` if SQLite could not wait for the disk.
  package func commit() throws(SQLiteError) {
    do {
      try runKept(slot: 3, "COMMIT")
    } catch {
      // The journal may be gone already, or the log may have the frames: then the transaction counts.
      throw error.isNotSynced ? error.asCommitUnknown : error
    }
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
    if spillsChanges { try holdChanges() }
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

  /// Resets every statement, so that a rollback can't fail because one is running.
  package func resetStatements() {
    guard let handle else { return }
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      sqlite3_reset(current)
      statement = sqlite3_next_stmt(handle, current)
    }
  }

  /// SQLITE_ABORT_ROLLBACK, for a transaction that SQLite rolled back on its own.
  package var lostTransaction: any EngineError {
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
