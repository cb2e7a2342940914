import Dispatch
import NacreEngine
import NacreStore
import Synchronization

/// The observers of a store, and the state that each of them was told about.
///
/// Every observer is told the difference between the state that it was last told and the state that
/// is stored now. So no change is reported twice, and a change that a savepoint took back is not
/// reported at all. After its own commits, Nacre looks at the rows that SQLite's hook named. It
/// finds the commits of other connections by comparing the hashes of all rows, and where there is no
/// hook, its own as well. An engine that tells of commits says when to compare.
final class StoreObservers: Sendable {
  struct State {
    var watches: [WatchScope: Watch] = [:]
    var queries: [UInt64: LiveWatch] = [:]
    var lastNumber: UInt64 = 0
    /// Counts the observers that have joined; a transaction that began before the last one joined
    /// did not look for it.
    var version: UInt64 = 0
    /// The writer's data version up to which foreign commits are known.
    var seenVersion: Int64?
    var wantsScan = false
    var isPolling = false
    /// Whether a look is planned because somebody has told of a commit.
    var isLookPlanned = false
    /// The time before which the next planned look must not begin.
    var nextLook = ContinuousClock.now
    var isClosed = false
    /// The changes of own commits since the running scan began, by the entity's own table.
    var during: [String: [ObjectID: UInt64?]]?

    var isEmpty: Bool { watches.isEmpty && queries.isEmpty }

    /// Collects from now on what the store's own commits do, while somebody reads rows.
    mutating func beginReading() {
      during = [:]
      for scope in Array(watches.keys) { watches[scope]?.resealed = [:] }
    }
  }

  let state = Mutex(State())
  /// Held by the one thread that reads all rows, and by a thread that closes the store, so that
  /// closing waits for the scan.
  ///
  /// Reading waits only for SQLite's locks, for at most the busy timeout.
  let scanning = Mutex(())
  /// Whether anybody observes; a transaction of an unobserved store checks nothing else.
  private let isObserved = Atomic<Bool>(false)
  let interval: Double
  let usesHook: Bool
  let queue = DispatchQueue(label: "nacre.observation")
  /// Hears of others' commits while anybody observes, if the engine tells of them.
  ///
  /// It is opened and taken away under the lock, so nobody has two.
  let listener = Mutex<(any ChangeListening)?>(nil)
  private let home = Mutex<WeakStore>(WeakStore())

  private struct WeakStore: @unchecked Sendable {
    // This is Sendable, because a store is.
    weak var store: Store?
  }

  init(_ options: EntityOptions, usesHook: Bool) {
    interval = max(options.observationInterval, 0.001)
    self.usesHook = usesHook
  }

  var isActive: Bool { isObserved.load(ordering: .acquiring) }

  var store: Store? {
    get { home.withLock { $0.store } }
    set { home.withLock { $0.store = newValue } }
  }

  // MARK: - Observers

  /// Adds an observer; from now on the store's own transactions look for it, and others' commits are
  /// heard.
  private func join(
    _ scope: WatchScope?,
    _ body: (inout State, UInt64) -> Void
  ) throws -> UInt64 {
    let number = try state.withLock { state in
      if state.isClosed { throw NacreError(.storeClosed) }
      state.lastNumber += 1
      state.version += 1
      let number = state.lastNumber
      body(&state, number)
      return number
    }
    isObserved.store(true, ordering: .releasing)
    do {
      try listen()
    } catch {
      leave(number, scope)
      throw error
    }
    learnVersion()
    poll()
    return number
  }

  /// Begins to observe a scope.
  ///
  /// - Throws: ``NacreError`` if the rows can't be read; nothing is observed then.
  func watch(_ scope: WatchScope, _ schema: EntitySchema) throws -> Subscription<RowChanges> {
    let subscription: Subscription<RowChanges> = makeSubscription()
    let tables = ObservationSQL.tables(of: schema)
    try scanning.withLock { _ in
      let isKnown = state.withLock { state in
        state.beginReading()
        return state.watches[scope] != nil
      }
      defer { state.withLock { $0.during = nil } }
      let number = try join(scope) { state, number in
        state.watches[scope, default: Watch(tables: tables)].inboxes[number] = subscription.inbox
      }
      subscription.onEnd { [weak self] in self?.leave(number, scope) }
      if isKnown { return }
      let found = try read(scope, tables)
      state.withLock { state in
        state.watches[scope]?.begin(with: Self.merged(found, scope, state.during ?? [:]))
      }
    }
    return subscription
  }

  /// Adds a live query; it counts as running, because its first run comes next.
  func enter(_ subscription: Subscription<Bool>) throws -> UInt64 {
    let number = try join(nil) { state, number in
      state.queries[number] = LiveWatch(inbox: subscription.inbox)
    }
    subscription.onEnd { [weak self] in self?.leave(number, nil) }
    return number
  }

  /// Makes the subscription of an observer who joins.
  func makeSubscription<Content: Sendable>() -> Subscription<Content> {
    // A hook has told what was committed before the commit returns.
    if usesHook { return Subscription(settling: nil) }
    return Subscription { [weak self] in await self?.finishLooks() }
  }

  private func leave(_ number: UInt64, _ scope: WatchScope?) {
    state.withLock { state in
      state.queries[number] = nil
      if let scope {
        state.watches[scope]?.inboxes[number] = nil
        if state.watches[scope]?.inboxes.isEmpty == true { state.watches[scope] = nil }
      }
      guard state.isEmpty else { return }
      state.seenVersion = nil
      state.wantsScan = false
      isObserved.store(false, ordering: .releasing)
    }
    stopListening()
  }

  /// Ends every sequence, and waits for a running scan.
  func close() {
    let (watches, queries) = state.withLock { state in
      state.isClosed = true
      defer { (state.watches, state.queries) = ([:], [:]) }
      return (state.watches, state.queries)
    }
    isObserved.store(false, ordering: .releasing)
    for inbox in watches.values.flatMap(\.inboxes.values) { inbox.end() }
    for query in queries.values { query.inbox.end() }
    stopListening()
    scanning.withLock { _ in }
  }

  /// Lets observers join again if the store was not closed after all.
  func reopen() { state.withLock { $0.isClosed = false } }

  // MARK: - Live queries

  /// Records that a live query runs; until it ends it may read any table.
  func beginRun(_ number: UInt64) {
    state.withLock { $0.queries[number]?.tables = nil }
  }

  /// Records the tables that a live query has read; if they changed meanwhile, the query runs
  /// again.
  func endRun(_ number: UInt64, _ tables: Set<String>) {
    state.withLock { state -> Wakeup in
      guard var query = state.queries[number] else { return Wakeup() }
      query.tables = tables
      defer {
        (query.changed, query.isStale) = ([], false)
        state.queries[number] = query
      }
      return query.note(query.isStale ? nil : query.changed)
    }
    .resume()
  }
}
