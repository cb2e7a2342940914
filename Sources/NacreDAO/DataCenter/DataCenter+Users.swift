public import NacreCore
import Synchronization

// A transaction keeps the store on which it was begun:
//
// - the calls of its thread until its end go to that store, even if the current user is another one by then;
// - if the thread itself switches the user in between, its calls for the new user are refused, because they would go
//   into another user's file; a commit after a refused call rolls back, so that no part of the transaction is stored
//   alone;
// - commit and rollback end the transaction on that store in any case.

extension DataCenter {
  /// The current user, whom everything user dependent follows; nil or an empty text if there is none.
  ///
  /// You can set it at any time. The former user's store stays open, and a transaction on it goes on there to its end.
  public var currentUser: String? {
    get { state.withLock { $0.currentUser } }
    set {
      let written = Store.isInUseOnThisThread ? Store.writtenOnThisThread : []
      state.withLock { state in
        state.currentUser = newValue?.isEmpty == true ? nil : newValue
        state.noteSwitch(inside: written)
      }
    }
  }

  /// The store of the current user; inside of a transaction on a user's store, that store.
  ///
  /// - Throws: ``NacreError`` with code `noUser` if there is no current user, and `transactionState` inside of a
  ///   transaction on another user's store if this thread itself has switched the user since it began; any error of
  ///   opening the store.
  public var userStore: Store {
    get throws {
      if let store = userStoreOfTransaction {
        guard state.withLock({ $0.refusesCall(in: store) }) else { return store }
        throw NacreError.dao(
          .transactionState,
          "the user was switched inside of a transaction",
          advice: "End the transaction first, or go back to its user."
        )
      }
      guard let user = currentUser else { throw NacreError.dao(.noUser, "nobody is signed in") }
      return try store(at: .user(user))
    }
  }

  /// The user's store in which this thread is inside of a transaction, whoever is the current user; nil if it is in
  /// none.
  var userStoreOfTransaction: Store? {
    guard Store.isInUseOnThisThread else { return nil }
    let written = Store.writtenOnThisThread
    return written.isEmpty ? nil : state.withLock { $0.userStore(among: written) }
  }

  /// Whether a call inside of this thread's transaction on a store was refused because the thread had switched the
  /// user.
  func hasRefusedCall(in store: Store) -> Bool { state.withLock { $0.hasRefusedCall(in: store) } }
}
