import NacreCore

/// Where a DAO finds its store at each call.
enum StoreSource: Sendable {
  /// Always the same store.
  // This case is no closure, because the result of a closure is retained once more.
  case fixed(Store)
  /// The store of a data center's current user.
  case user(DataCenter)
  /// The store of one place of a data center.
  case place(DataCenter, DataCenter.Place)

  /// How often a call is tried when its store is closed again and again before the call comes to it.
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

  /// The store whose transaction `commit` and `rollback` end: the one on which this thread began it, even if the user
  /// was switched since.
  ///
  /// - Throws: the same ``NacreError`` as `store` if no transaction is open on this thread.
  var storeOfTransaction: Store {
    get throws {
      if case .user(let center) = self, let store = center.userStoreOfTransaction { return store }
      return try store
    }
  }

  /// Whether a call inside of this thread's transaction on the store was refused because the thread had switched the
  /// user.
  func hasRefusedCall(in store: Store) -> Bool {
    if case .user(let center) = self { center.hasRefusedCall(in: store) } else { false }
  }

  /// The store that replaces one that was closed under a call.
  ///
  /// A call that failed with `storeClosed` has changed nothing, so it begins again on the store that replaces it: the
  /// one for the same user and file, even if the current user is another one by now.
  ///
  /// - Returns: the store; nil if the error has another cause, and if no store replaces it.
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

  /// Runs `body` on the store, and again on its replacement if the store was closed before `body` came to it.
  ///
  /// - Throws: what `body` throws; ``NacreError`` if there is no store.
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
