import Dispatch
import NacreEngine
import NacreStore
import Synchronization

// Detects commits of other connections, in this process or another. SQLite tells only that another
// connection wrote, not what it wrote.

extension StoreObservers {
  /// Looks for foreign commits repeatedly, as long as anybody observes.
  func poll() {
    let isNew = state.withLock { state in
      defer { state.isPolling = true }
      return !state.isPolling
    }
    if isNew { pollLater(pollInterval) }
  }

  private func pollLater(_ seconds: Double) {
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let goesOn = state.withLock { state in
        state.isPolling = !state.isEmpty && !state.isClosed
        return state.isPolling
      }
      guard goesOn else { return }
      pollLater(max(pollInterval, lookAndRest()))
    }
  }

  /// Looks, and returns how long to wait before the next look, in seconds.
  func lookAndRest() -> Double {
    let start = ContinuousClock.now
    look()
    // This limits the load to a quarter of a processor if another connection changes a large
    // table all the time.
    return max(interval, 3 * (ContinuousClock.now - start).seconds)
  }

  /// Schedules a scan that compares all observed rows.
  func scanSoon() {
    state.withLock { $0.wantsScan = true }
    queue.async { [weak self] in self?.look() }
  }

  /// Waits for the looks after the store's own commits up to now.
  ///
  /// Without a hook a commit returns before the observers are told of it. Who reads changes after several commits would
  /// otherwise get those of the first ones alone.
  func finishLooks() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  private func look() {
    guard isActive, let store else { return }
    learnVersion()
    guard state.withLock({ $0.wantsScan }) else { return }
    state.withLock { $0.wantsScan = false }
    do {
      try scan(store)
    } catch {
      // The disk or the server failed, or somebody holds a lock: try again at the next look.
      lookAgain()
    }
  }

  /// Asks the writer's connection whether others have committed since the last look.
  ///
  /// Only the writer's connection can tell its own commits from those of others. While a thread
  /// holds the writer, nobody else can commit, and that thread may be waiting for us.
  func learnVersion() {
    guard let store else { return }
    if let bound = ThreadBinding.writer(of: store) {
      noteVersion(bound.connection)
      return
    }
    guard let pool = try? store.pool else { return }
    // A writer must not fail with `busy` because of our look, however short its busy timeout is.
    pool.takingLong {
      guard let writer = try? pool.acquireIdleWriter() else { return }
      defer { pool.releaseWriter() }
      noteVersion(writer.connection)
    }
  }

  /// Records the data number of the writer's connection; if it differs from the last one, others
  /// have committed.
  ///
  /// - Returns: Whether there are changes that were not reported yet.
  @discardableResult
  func noteVersion(_ writer: any EngineConnection) -> Bool {
    guard let version = try? writer.dataNumber() else { return true }
    return state.withLock { state in
      if let seen = state.seenVersion, seen != version { state.wantsScan = true }
      state.seenVersion = version
      return state.wantsScan || state.during != nil
    }
  }

  // MARK: - Scans

  /// Compares every observed entity with the state that its observers know, and makes every live
  /// query run again.
  private func scan(_ store: Store) throws {
    try scanning.withLock { _ in
      let watches = state.withLock { state in
        state.beginReading()
        return state.watches.mapValues(\.tables)
      }
      defer { state.withLock { $0.during = nil } }
      var found: [WatchScope: [ObjectID: UInt64]] = [:]
      try reading(store) { connection in
        for (scope, tables) in watches {
          found[scope] = try Self.hashes(scope, tables, on: connection)
        }
      }
      state.withLock { state -> Wakeup in
        var wakeup = Wakeup()
        for (scope, hashes) in found {
          let now = Self.merged(hashes, scope, state.during ?? [:])
          guard let changes = state.watches[scope]?.takeAll(now) else { continue }
          wakeup += state.watches[scope]?.deliver(changes) ?? Wakeup()
        }
        for number in state.queries.keys {
          wakeup += state.queries[number]?.note(nil) ?? Wakeup()
        }
        return wakeup
      }
      .resume()
    }
  }

  /// Reads the hashes of a scope's objects in their committed state.
  func read(
    _ scope: WatchScope,
    _ tables: [ObservationSQL.Table]
  ) throws -> [ObjectID: UInt64] {
    guard let store else { throw NacreError(.storeClosed) }
    return try reading(store) { try Self.hashes(scope, tables, on: $0) }
  }

  /// Returns the hashes found in a scope, updated with the changes that the store's own commits
  /// have made since.
  static func merged(
    _ found: [ObjectID: UInt64],
    _ scope: WatchScope,
    _ during: [String: [ObjectID: UInt64?]]
  ) -> [ObjectID: UInt64] {
    var found = found
    for (object, hash) in during[scope.table, default: [:]]
    where scope.object == nil || scope.object == object {
      found[object] = hash
    }
    return found
  }

  private static func hashes(
    _ scope: WatchScope,
    _ tables: [ObservationSQL.Table],
    on connection: any EngineConnection
  ) throws -> [ObjectID: UInt64] {
    guard let object = scope.object else { return try RowHash.all(tables, on: connection) }
    guard let own = tables.first, try connection.has(own.name) else { return [:] }
    return try RowHash.one(object, tables, on: connection).map { [object: $0] } ?? [:]
  }

  /// Runs `body` in one read transaction on a new connection.
  ///
  /// All of the pool's readers may be lent, one of them to the very thread that asks.
  private func reading<T>(_ store: Store, _ body: (any EngineConnection) throws -> T) throws -> T {
    try NacreError.wrapping {
      let connection = try store.engine.connect(.reader)
      defer { try? connection.close() }
      return try connection.transaction(.deferred) { try body(connection) }
    }
  }
}
