import NacreCore
import Synchronization

extension DAOBacked {
  /// Begins, commits or rolls back a transaction over several calls, also of other DAOs and entities of the same file.
  ///
  /// - Parameter transaction: what to do; commit and rollback come on the thread that began.
  /// - Returns: whether it was done.
  @available(*, noasync, message: "a task can go on on another thread; use store.write { }")
  @discardableResult
  public func daoTransaction(_ transaction: DAOTransaction) -> DAOResult {
    do {
      switch transaction {
      case .begin:
        let store = try self.store
        try store.begin()
        dao.state.withLock { $0.begun = store }
      case .commit:
        let switched = dao.switchedStore
        if let switched {
          try dao.end(switched) { try $0.rollback() }
          throw NacreError.dao(.transactionState, "the user was switched inside of a transaction")
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
    guard let begun = state.withLock({ $0.begun }), begun.isWritingOnThisThread else { return nil }
    return (try? store) === begun ? nil : begun
  }

  @available(*, noasync)
  fileprivate func end(_ store: Store, _ body: (Store) throws -> Void) throws {
    defer { state.withLock { if $0.begun === store { $0.begun = nil } } }
    try body(store)
  }
}
