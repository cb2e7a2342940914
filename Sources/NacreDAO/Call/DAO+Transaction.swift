import NacreCore
import Synchronization

extension DAOBacked {
  /// Begins, commits or rolls back a transaction over several calls, also of other DAOs and entities of the same file.
  ///
  /// Each thread has transactions of its own, also of one DAO; one that is open when its thread ends is rolled back.
  ///
  /// - Parameter transaction: what to do; commit and rollback come on the thread that began.
  /// - Returns: whether it was done; the error's code is `transactionState` on a thread that has not begun.
  @available(*, noasync, message: "a task can go on on another thread; use store.write { }")
  @discardableResult
  public func daoTransaction(_ transaction: DAOTransaction) -> DAOResult {
    do {
      switch transaction {
      case .begin:
        let store = try self.store
        try store.begin()
        dao.state.withLock { state in
          // What a thread had begun before it ended is over, or the store would not have begun another.
          state.begun.removeAll { $0.store == nil || $0.store === store }
          state.begun.append(.init(store: store, transaction: store.writingTransaction))
        }
      case .commit:
        let switched = dao.switchedStore
        if let switched {
          try dao.end(switched) { try $0.rollback() }
          throw NacreError.dao(
            .transactionState,
            "the user was switched inside of a transaction",
            advice: "It was rolled back; end it before the user is switched."
          )
        }
        try dao.end(try store) { try $0.commit() }
      case .rollback: try dao.end(try dao.switchedStore ?? store) { try $0.rollback() }
      }
      return DAOResult()
    } catch {
      return DAOResult(error: dao.face(error, "daoTransaction"))
    }
  }
}

extension DAO {
  /// The store of this thread's transaction, where it is no longer the current user's.
  fileprivate var switchedStore: Store? {
    guard let begun = state.withLock({ $0.begun }).last(where: \.isOpenHere)?.store else {
      return nil
    }
    return (try? store) === begun ? nil : begun
  }

  @available(*, noasync)
  fileprivate func end(_ store: Store, _ body: (Store) throws -> Void) throws {
    // Before the writer is given back: whoever gets it next may be this DAO on another thread.
    if store.isWritingOnThisThread { state.withLock { $0.begun.removeAll { $0.store === store } } }
    try body(store)
  }
}
