import NacreCore

/// The parts of a data center that can change.
struct DataCenterState {
  var stores: [Store] = []
  /// The open stores by the places for which they were asked, because working out a path costs more than the rest of a
  /// call.
  var places: [DataCenter.Place: Store] = [:]
  /// The stores that are being closed; a store that two threads close at once is listed twice.
  private var closing: [Store] = []
  /// The places of closed stores, for as long as a call still holds the store.
  private var former: [Former] = []
  var currentUser: String?
  /// The last switch of the user by a thread inside of its own transaction, by the number of the transaction's store.
  private var switches: [UInt32: Switch] = [:]
  /// The default crypt methods.
  var sealing = DAOSealing()
  /// Whether something may have been sealed already.
  var isUsed = false
  /// The files that the thread with the opening lock is opening.
  var begun: Set<String> = []

  private struct Former {
    weak var store: Store?
    let place: DataCenter.Place
  }

  /// A switch of the user by a thread inside of its transaction on a user's store.
  private struct Switch {
    /// The store's transaction; later ones are not affected.
    let transaction: UInt64?
    /// Whether a call inside of the transaction was refused since then.
    var hasRefused = false
  }

  /// The store that was found for a place.
  enum Found {
    case open(Store)
    /// A store that is being closed; another one can be opened afterwards.
    case closing(Store)
  }

  // MARK: - Stores

  /// The open store of a place; nil if there is none, or it is being closed.
  func open(_ place: DataCenter.Place) -> Store? {
    guard let store = places[place], closing.isEmpty || !isClosing(store) else { return nil }
    return store
  }

  /// The open store of a file, by any path: links and other spellings lead to it, too.
  func store(ofFile path: String) -> Store? {
    let file = FileIdentity(path)
    // The path finds it if the file was deleted or replaced under an open store.
    return stores.first { file != nil && $0.engine.file == file }
      ?? stores.first { $0.path == path }
  }

  /// Finds the store of a file for a place, or else notes that the file is being opened and returns nil.
  mutating func findOrBegin(_ path: String, for place: DataCenter.Place) throws -> Found? {
    if let open = store(ofFile: path) {
      if isClosing(open) {
        // This thread is using the store and goes on with it to the end; closing the store waits for that.
        return open.isInUseOnThisThread ? .open(open) : .closing(open)
      }
      let file = FileIdentity(path)
      if file != nil, file != open.engine.file || file != FileIdentity(open.path) {
        throw NacreError.dao(
          .cannotOpen,
          "\(path) was replaced or moved while its store was open; close that store"
        )
      }
      places[place] = open
      return .open(open)
    }
    isUsed = true
    guard begun.insert(path).inserted else {
      throw NacreError.dao(
        .transactionState,
        "the code that asks for \(path) is itself called while that store is being opened"
      )
    }
    return nil
  }

  // MARK: - Closing

  func isClosing(_ store: Store) -> Bool { closing.contains { $0 === store } }

  mutating func beginClosing(_ store: Store) { closing.append(store) }

  mutating func endClosing(_ store: Store) {
    if let index = closing.firstIndex(where: { $0 === store }) { closing.remove(at: index) }
  }

  /// Forgets a closed store, but keeps its place, because a call that holds the store asks for it again.
  mutating func forget(_ store: Store) {
    former.removeAll { $0.store == nil }
    if let place = place(of: store) { former.append(.init(store: store, place: place)) }
    stores.removeAll { $0 === store }
    places = places.filter { $0.value !== store }
    switches[store.number] = nil
  }

  /// The place of a store, also of a closed one; if it has several, that of a user, who need not be the current one any
  /// more.
  func place(of store: Store) -> DataCenter.Place? {
    let all = places.filter { $0.value === store }.keys
    return all.first(where: \.isUser) ?? all.first ?? former.last { $0.store === store }?.place
  }

  // MARK: - Users

  /// The thread's store whose transaction depends on the user: the current user's, or else the innermost of those of
  /// other users.
  ///
  /// - Parameter written: the stores in which the thread is inside a transaction, the innermost last.
  /// - Returns: the store; nil if none depends on the user.
  func userStore(among written: [Store]) -> Store? {
    if let own = storeOfCurrentUser, written.contains(where: { $0 === own }) { return own }
    return written.last { store in places.contains { $0.key.isUser && $0.value === store } }
  }

  /// The current user's store; nil if nobody has asked for it yet.
  private var storeOfCurrentUser: Store? { currentUser.flatMap { places[.user($0)] } }

  /// Notes that a thread has switched the user inside of these stores' transactions.
  mutating func noteSwitch(inside written: [Store]) {
    for store in written { switches[store.number] = Switch(transaction: store.writingTransaction) }
  }

  /// Whether to refuse a call inside of this thread's transaction on a store because the thread itself has switched the
  /// user; notes that it was refused.
  mutating func refusesCall(in store: Store) -> Bool {
    guard isSwitched(in: store) else { return false }
    switches[store.number]?.hasRefused = true
    return true
  }

  /// Whether a call was refused inside of this thread's transaction on a store.
  func hasRefusedCall(in store: Store) -> Bool {
    isSwitched(in: store) && switches[store.number]?.hasRefused == true
  }

  private func isSwitched(in store: Store) -> Bool {
    guard storeOfCurrentUser !== store, let last = switches[store.number] else { return false }
    return last.transaction == store.writingTransaction
  }
}

extension DataCenter.Place {
  /// Whether the place is a user's.
  var isUser: Bool { if case .user = self { true } else { false } }
}
