import NacreCore

extension DAOBacked {
  /// Begins, commits or rolls back a transaction over several calls, including those of other DAOs and entities of the
  /// same file.
  ///
  /// Each thread has its own transactions, even on one DAO. A transaction that is open when its thread ends is rolled
  /// back. A transaction keeps the store on which it was begun, even if the current user is another one by then.
  ///
  /// - Parameter transaction: what to do; call commit and rollback on the thread that began.
  /// - Returns: whether it was done. The error's code is `transactionState` on a thread that has not begun. A commit
  ///   also fails with `transactionState`, and rolls the transaction back, if this thread has switched the user and a
  ///   call was refused for that.
  @available(*, noasync, message: "a task can go on on another thread; use store.write { }")
  @discardableResult
  public func daoTransaction(_ transaction: DAOTransaction) -> DAOResult {
    do {
      switch transaction {
      case .begin: try dao.source.withStore { try $0.begin() }
      case .commit:
        let store = try dao.source.storeOfTransaction
        if dao.source.hasRefusedCall(in: store) {
          try store.rollback()
          throw NacreError.dao(
            .transactionState,
            "the user was switched inside of a transaction, so a call was refused",
            advice: "The transaction was rolled back; end it before you switch the user."
          )
        }
        try store.commit()
      case .rollback: try dao.source.storeOfTransaction.rollback()
      }
      return DAOResult()
    } catch {
      return DAOResult(error: dao.face(error, "daoTransaction"))
    }
  }
}
