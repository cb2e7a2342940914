public import NacreCore
import Synchronization

// A transaction keeps the store on which it was begun:
//
// - what its thread calls until its end goes to that store, whoever is the current user by then;
// - where the thread itself switches the user in between, its calls for the new user are refused: they would go into
//   another user's file; a commit behind a refused call rolls back, so that no part of the transaction is stored alone;
// - commit and rollback end the transaction on that store in any case.

extension DataCenter {
  /// The user on whom all depends that is user dependent; nil and an empty text are none.
  ///
  /// It can be set at any time; the former user's store stays open, and a transaction on it goes on there to its end.
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

  /// The store of the current user; inside of a transaction on a user's store, that one.
  ///
  /// - Throws: ``NacreError`` with code `noUser` where there is none, and `transactionState` inside of a transaction on
  ///   another user's store where this thread itself has switched the user since it began; when the store can't be opened.
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

  /// The user's store in which this thread is inside of a transaction, whoever is the current user; nil where it is in
  /// none.
  var userStoreOfTransaction: Store? {
    guard Store.isInUseOnThisThread else { return nil }
    let written = Store.writtenOnThisThread
    return written.isEmpty ? nil : state.withLock { $0.userStore(among: written) }
  }

  /// Whether a call inside of this thread's transaction on a store was refused, for the thread had switched the user.
  func hasRefusedCall(in store: Store) -> Bool { state.withLock { $0.hasRefusedCall(in: store) } }
}
