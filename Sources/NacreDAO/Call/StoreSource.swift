import NacreCore

/// Where a DAO finds its store at each call.
enum StoreSource: Sendable {
  /// Always the same store.
  // Not by a closure as well: what a closure gives is retained once more.
  case fixed(Store)
  /// The store of a data center's current user.
  case user(DataCenter)
  /// The store of one place of a data center.
  case place(DataCenter, DataCenter.Place)

  /// How often a call begins anew, when its store is closed again and again before the call comes to it.
  static let attemptLimit = 100

  var store: Store {
    get throws {
      switch self {
      case .fixed(let store): store
      case .user(let center): try center.userStore
      case .place(let center, let place): try center.store(at: place)
      }
    }
  }

  /// The store whose transaction `commit` and `rollback` end: the one on which this thread has begun it, whoever is the
  /// user by now.
  ///
  /// - Throws: ``NacreError`` as `store` does, where no transaction is open on this thread.
  var storeOfTransaction: Store {
    get throws {
      if case .user(let center) = self, let store = center.userStoreOfTransaction { return store }
      return try store
    }
  }

  /// Whether a call inside of this thread's transaction on the store was refused, for the thread had switched the user.
  func hasRefusedCall(in store: Store) -> Bool {
    if case .user(let center) = self { center.hasRefusedCall(in: store) } else { false }
  }

  /// The store that has followed one that was closed under a call.
  ///
  /// What failed with `storeClosed` has changed nothing, so that the call begins anew on the one that follows: of the same
  /// user and file, whoever is the user by now.
  ///
  /// - Returns: nil where the error is about something else, and where no store follows.
  /// - Throws: ``NacreError`` when the file can't be opened again.
  func successor(of store: Store, after error: any Error) throws -> Store? {
    guard (error as? NacreError)?.code == .storeClosed, !store.isInUseOnThisThread else {
      return nil
    }
    switch self {
    case .fixed: return nil
    case .user(let center), .place(let center, _):
      let next = try center.successor(of: store)
      return next === store ? nil : next
    }
  }

  /// Runs `body` on the store, and on the one that follows where the store was closed before `body` came to it.
  ///
  /// - Throws: what `body` throws; ``NacreError`` where there is no store.
  func withStore<T>(_ body: (Store) throws -> T) throws -> T {
    var store = try store
    for _ in 1..<Self.attemptLimit {
      do { return try body(store) } catch {
        guard let next = try successor(of: store, after: error) else { throw error }
        store = next
      }
    }
    return try body(store)
  }
}
