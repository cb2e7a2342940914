import NacreCore

/// What can change in a data center.
struct DataCenterState {
  var stores: [Store] = []
  /// The same by the places for which they were asked: to work out a path costs more than the rest of a call.
  var places: [DataCenter.Place: Store] = [:]
  /// Those of them that are being closed; one that two threads close at once is there twice.
  private var closing: [Store] = []
  /// The places of stores that are closed, as long as a call has one of them.
  private var former: [Former] = []
  var currentUser: String?
  /// By their numbers the stores inside of whose transactions the transaction's own thread has switched the user.
  private var switches: [UInt32: Switch] = [:]
  /// What seals and opens where nothing else is set.
  var sealing = DAOSealing()
  /// Whether anything was sealed, perhaps.
  var isUsed = false
  /// The files that are being opened by the thread that has the lock for that.
  var begun: Set<String> = []

  private struct Former {
    weak var store: Store?
    let place: DataCenter.Place
  }

  /// A switch of the user by a thread inside of its transaction on a user's store.
  private struct Switch {
    /// The store's transaction; a later one is not concerned.
    let transaction: UInt64?
    /// Whether a call inside of the transaction was refused since then.
    var hasRefused = false
  }

  /// What is found for a place.
  enum Found {
    case open(Store)
    /// One that is being closed; another one can be opened afterwards.
    case closing(Store)
  }

  // MARK: - Stores

  /// The open store of a place.
  func open(_ place: DataCenter.Place) -> Store? {
    guard let store = places[place], closing.isEmpty || !isClosing(store) else { return nil }
    return store
  }

  /// The store of a file, by whatever path: links and other spellings lead to it, too.
  func store(ofFile path: String) -> Store? {
    let file = FileIdentity(path)
    // By its path where the file was deleted or replaced under an open store.
    return stores.first { file != nil && $0.file == file } ?? stores.first { $0.path == path }
  }

  /// Finds the store of a file for a place, or else notes that the file is being opened.
  mutating func findOrBegin(_ path: String, for place: DataCenter.Place) throws -> Found? {
    if let open = store(ofFile: path) {
      if isClosing(open) {
        // What this thread has begun there goes on to its end, for which whoever closes the store waits.
        return open.isInUseOnThisThread ? .open(open) : .closing(open)
      }
      let file = FileIdentity(path)
      if file != nil, file != open.file || file != FileIdentity(open.path) {
        throw NacreError.dao(
          .cannotOpen,
          "\(path) was replaced or moved while its store was open; close that"
        )
      }
      places[place] = open
      return .open(open)
    }
    isUsed = true
    guard begun.insert(path).inserted else {
      throw NacreError.dao(
        .transactionState,
        "\(path) is being opened by the code that asks for it"
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

  /// Forgets a store that is closed, but not its place, for which a call that has the store asks again.
  mutating func forget(_ store: Store) {
    former.removeAll { $0.store == nil }
    if let place = place(of: store) { former.append(.init(store: store, place: place)) }
    stores.removeAll { $0 === store }
    places = places.filter { $0.value !== store }
    switches[store.number] = nil
  }

  /// The place of a store, or of one that is closed: of several that of a user, who may not be the current one any more.
  func place(of store: Store) -> DataCenter.Place? {
    let all = places.filter { $0.value === store }.keys
    return all.first(where: \.isUser) ?? all.first ?? former.last { $0.store === store }?.place
  }

  // MARK: - Users

  /// The one of a thread's stores whose transaction depends on the user: that of the current user, or else the innermost
  /// of those of other users.
  ///
  /// - Parameter written: the stores in which the thread is inside a transaction, the innermost last.
  /// - Returns: the store, or nil where none depends on the user.
  func userStore(among written: [Store]) -> Store? {
    if let own = storeOfCurrentUser, written.contains(where: { $0 === own }) { return own }
    return written.last { store in places.contains { $0.key.isUser && $0.value === store } }
  }

  /// The current user's store, where it was asked for before.
  private var storeOfCurrentUser: Store? { currentUser.flatMap { places[.user($0)] } }

  /// Notes that a thread which is inside of these stores' transactions switches the user.
  mutating func noteSwitch(inside written: [Store]) {
    for store in written { switches[store.number] = Switch(transaction: store.writingTransaction) }
  }

  /// Whether a call inside of this thread's transaction on a store is to be refused, for the thread itself has switched
  /// the user; that it was is noted.
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
  /// Whether it is a user's.
  var isUser: Bool { if case .user = self { true } else { false } }
}
