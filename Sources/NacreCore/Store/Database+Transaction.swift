import NacreSQLite

extension Database {
  /// Runs `body` in a transaction, or in a savepoint of the one that is open.
  func transaction<T>(_ kind: TransactionKind, _ body: (Database) throws -> T) throws -> T {
    try refuseLostTransaction()
    let isOutermost = !connection.isInTransaction
    let mark = undo.mark
    do {
      let result = try connection.transaction(kind) {
        if isOutermost { try beginSealing() }
        return try body(self)
      }
      if isOutermost { undo.commit() }
      return result
    } catch {
      undo.rollBack(to: mark)
      throw NacreError.wrap(error)
    }
  }

  /// Runs `body` in a savepoint when it makes several statements; one alone undoes itself.
  func atomically<T>(several: Bool, _ body: () throws -> T) throws -> T {
    if several { return try transaction(.immediate) { _ in try body() } }
    let mark = undo.mark
    do {
      return try body()
    } catch {
      undo.rollBack(to: mark)
      throw error
    }
  }

  /// Refuses to go on after SQLite has rolled back, as on a full disk, what was begun by hand: a transaction of its own
  /// would store the second half without the first.
  func refuseLostTransaction() throws {
    guard isOpenedByHand, !connection.isInTransaction else { return }
    throw NacreError(.transactionState, detail: "the database has rolled the transaction back")
  }

  func begin(_ kind: TransactionKind) throws {
    try connection.begin(kind)
    isOpenedByHand = true
    do {
      try beginSealing()
    } catch {
      rollBack()
      throw error
    }
  }

  func commit() throws {
    do {
      try connection.commit()
      isOpenedByHand = false
      undo.commit()
    } catch {
      rollBack()
      throw error
    }
  }

  func rollBack() {
    isOpenedByHand = false
    // SQLite may have rolled back on its own, as on a full disk; then there is nothing left to do in the file.
    if connection.isInTransaction { try? connection.rollback() }
    undo.rollBack(to: (0, 0))
  }
}
