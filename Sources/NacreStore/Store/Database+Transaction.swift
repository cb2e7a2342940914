import NacreEngine

extension Database {
  /// Runs `body` in a transaction, or in a savepoint of the open transaction.
  package func transaction<T>(_ kind: TransactionKind, _ body: (Database) throws -> T) throws -> T {
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
    var isLost = false
    do {
      let result = try connection.transaction(kind, explaining: { delegate?.explained($0) ?? $0 }) {
        func run() throws -> T {
          let result = try body(self)
          if shouldRollback {
            kept = result
            throw RollbackWanted()
          }
          return result
        }
        guard isOutermost else { return try run() }
        noteBeginning()
        defer { isLost = !connection.isInTransaction }
        try beginSealing()
        let result = try run()
        try followFullText()
        try sealCatalog()
        delegate?.transactionWillCommit()
        return result
      }
      if isOutermost {
        undo.commit()
        delegate?.transactionCommitted()
      }
      return result
    } catch {
      rollBackMemory(to: mark)
      // The next layout can have the same number as one that was rolled back.
      fullText = FullTextWork()
      if isOutermost { delegate?.transactionEnded(isLost: isLost) }
      if error is RollbackWanted, let kept { return kept }
      throw NacreError.wrap(error)
    }
  }

  /// Ends a transaction whose closure asked for a rollback.
  private struct RollbackWanted: Error {}

  /// Notes an object's state before a save or delete changes it.
  // A function, because another module's access to `undo` is checked for exclusivity.
  @inlinable
  package func note(_ object: AnyObject, _ state: ObjectState) { undo.note(object, state) }

  /// The place at which the log of changes in memory is.
  package var undoMark: UndoLog.Mark { undo.mark }

  /// Undoes the changes in memory that were noted after `mark`.
  package func rollBackMemory(to mark: UndoLog.Mark) {
    undo.rollBack(to: mark) { delegate?.putBack($0, $1) }
  }

  /// Rolls back everything, as SQLite does by itself when a disk fails; the caller's next statement
  /// finds the transaction lost.
  package func loseTransaction() {
    connection.abandonTransaction()
    rollBackMemory(to: UndoLog.Mark())
  }

  /// Returns whether the file has triggers or foreign keys of the application's own.
  ///
  /// Because of them a statement can do more than the store's own, or fail for more reasons.
  package func findsTriggersOrReferences() throws -> Bool {
    if let hasTriggersOrReferences { return hasTriggersOrReferences }
    let found = try scalar(triggersOrReferencesSQL) != .integer(0)
    hasTriggersOrReferences = found
    return found
  }

  /// Throws if SQLite rolled the transaction back, as on a full disk, or the caller's own SQL ended
  /// it.
  ///
  /// Otherwise the second half of the transaction would be stored without the first.
  func refuseLostTransaction() throws {
    guard isOpenedByHand || isInsideTransaction, !connection.isInTransaction else { return }
    throw NacreError(.transactionState, detail: "the transaction was rolled back or ended")
  }

  /// Forgets what was known of the last transaction, and tells the delegate that another has begun.
  private func noteBeginning() {
    hasTriggersOrReferences = nil
    keepsValues = false
    if delegate == nil { delegate = home.delegate(of: self) }
    delegate?.transactionBegan()
  }

  func begin(_ kind: TransactionKind) throws {
    noteSeen()
    try connection.begin(kind)
    isOpenedByHand = true
    noteBeginning()
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
      try followFullText()
      try sealCatalog()
      delegate?.transactionWillCommit()
      do { try connection.commit() } catch { throw delegate?.explained(error) ?? error }
      isOpenedByHand = false
      undo.commit()
      delegate?.transactionCommitted()
    } catch {
      rollBack()
      throw error
    }
  }

  func rollBack() {
    isOpenedByHand = false
    // SQLite may have rolled back by itself, as on a full disk; then nothing is left to undo in the
    // file.
    let isLost = !connection.isInTransaction
    connection.abandonTransaction()
    // Now the user knows of the loss, and a connection to a server may open another session.
    if isLost { connection.transactionDepth = 0 }
    rollBackMemory(to: UndoLog.Mark())
    fullText = FullTextWork()
    delegate?.transactionEnded(isLost: isLost)
  }
}
