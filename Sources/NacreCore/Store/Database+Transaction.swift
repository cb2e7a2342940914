import NacreSQLite

extension Database {
  /// Runs `body` in a transaction, or in a savepoint of the one that is open.
  func transaction<T>(_ kind: TransactionKind, _ body: (Database) throws -> T) throws -> T {
    try refuseLostTransaction()
    let isOutermost = !connection.isInTransaction
    let mark = undo.mark
    if isOutermost {
      isInsideTransaction = true
      noteSeen()
    }
    let outerShouldRollback = shouldRollback
    shouldRollback = false
    defer {
      if isOutermost { isInsideTransaction = false }
      shouldRollback = outerShouldRollback
    }
    var kept: T?
    do {
      let result = try connection.transaction(kind, explaining: { explained($0) }) {
        func run() throws -> T {
          let result = try body(self)
          if shouldRollback {
            kept = result
            throw RollbackWanted()
          }
          return result
        }
        guard isOutermost else { return try run() }
        hasStrangers = nil
        return try observing {
          try beginSealing()
          let result = try run()
          try sealCatalog()
          return result
        }
      }
      if isOutermost {
        undo.commit()
        reportCommit()
      }
      return result
    } catch {
      undo.rollBack(to: mark)
      if isOutermost { reportLoss() }
      if error is RollbackWanted, let kept { return kept }
      throw NacreError.wrap(error)
    }
  }

  /// Ends a transaction whose closure wants nothing of it stored.
  private struct RollbackWanted: Error {}

  /// The way in which a save or delete that fails half-way is undone.
  enum Atomicity {
    /// Nothing: it is one statement, which undoes itself.
    case statement
    /// The rows that it inserted are deleted again.
    case inserts
    /// Everything is rolled back: only a failing disk can refuse to delete a row of ours half-way.
    case deletes
    /// A savepoint: SQLite then copies every page before its first change, which doubles the cost of a small graph.
    case savepoint
  }

  /// Runs a save or delete so that it changes nothing when it throws.
  func atomically(_ atomicity: Atomicity, _ body: () throws -> Void) throws {
    // The transaction was begun for this alone and is rolled back as a whole.
    if ownsTransaction { return try body() }
    switch atomicity {
    case .statement:
      try body()
    case .savepoint:
      try transaction(.immediate) { _ in try body() }
    case .inserts where try strangersTakePart(), .deletes where try strangersTakePart():
      try transaction(.immediate) { _ in try body() }
    case .deletes:
      do {
        try body()
      } catch {
        if connection.isInTransaction { loseTransaction() }
        throw error
      }
    case .inserts:
      let mark = undo.mark
      do {
        try body()
      } catch {
        if connection.isInTransaction { takeBackInserts(since: mark) }
        undo.rollBack(to: mark)
        throw error
      }
    }
  }

  /// Deletes the rows of the objects that were inserted since `mark`; what hangs on them goes by the foreign keys.
  private func takeBackInserts(since mark: UndoLog.Mark) {
    do {
      for object in undo.objects(since: mark).reversed() {
        let plan = try plan(for: type(of: object).entitySchema)
        let statement = try plan.statement(StatementKey(.delete), plan.sql.delete)
        try object.entityState.identity.bind(to: statement, at: 1)
        try statement.run()
      }
    } catch {
      loseTransaction()
    }
  }

  /// Rolls back everything, as SQLite does by itself when a disk fails: whoever goes on learns that the transaction is lost.
  func loseTransaction() {
    try? connection.rollback()
    undo.rollBack(to: UndoLog.Mark())
  }

  /// Whether the file has triggers or foreign keys of the application's own, by which one statement can do more, or fail
  /// for more reasons, than ours.
  private func strangersTakePart() throws -> Bool {
    if let hasStrangers { return hasStrangers }
    let found = try scalar(CatalogSQL.hasStrangers) != .integer(0)
    hasStrangers = found
    return found
  }

  /// Refuses to go on in a transaction that SQLite has rolled back, as on a full disk, or that the caller's own SQL has
  /// ended: the second half would be stored without the first.
  func refuseLostTransaction() throws {
    guard isOpenedByHand || isInsideTransaction, !connection.isInTransaction else { return }
    throw NacreError(.transactionState, detail: "the transaction was rolled back or ended")
  }

  func begin(_ kind: TransactionKind) throws {
    noteSeen()
    try connection.begin(kind)
    isOpenedByHand = true
    if isObserved { beginObserving() }
    do {
      try beginSealing()
    } catch {
      rollBack()
      throw error
    }
  }

  func commit() throws {
    do {
      try refuseLostTransaction()
      try sealCatalog()
      lookBeforeCommit()
      do { try connection.commit() } catch { throw explained(error) }
      isOpenedByHand = false
      undo.commit()
      reportCommit()
    } catch {
      rollBack()
      throw error
    }
  }

  func rollBack() {
    isOpenedByHand = false
    // SQLite may have rolled back on its own, as on a full disk; then there is nothing left to do in the file.
    touched?.isLost = !connection.isInTransaction
    if connection.isInTransaction { try? connection.rollback() }
    undo.rollBack(to: UndoLog.Mark())
    reportLoss()
  }
}
