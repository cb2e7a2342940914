import Dispatch
import NacreSQLite
import Synchronization

// What other connections commit, in this process or another: SQLite tells that there was something, not what.

extension Observation {
  /// Looks for foreign commits again and again, as long as anybody observes.
  func poll() {
    let isNew = state.withLock { state in
      defer { state.isPolling = true }
      return !state.isPolling
    }
    if isNew { pollLater(interval) }
  }

  private func pollLater(_ seconds: Double) {
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let goesOn = state.withLock { state in
        state.isPolling = !state.isEmpty && !state.isClosed
        return state.isPolling
      }
      guard goesOn else { return }
      let start = ContinuousClock.now
      look()
      // A large table that somebody else changes all the time takes a quarter of a processor at most.
      let (whole, part) = (ContinuousClock.now - start).components
      pollLater(max(interval, 3 * (Double(whole) + Double(part) / 1e18)))
    }
  }

  /// Compares everything, soon.
  func scanSoon() {
    state.withLock { $0.wantsScan = true }
    queue.async { [weak self] in self?.look() }
  }

  private func look() {
    guard isActive, let store else { return }
    learnVersion()
    guard state.withLock({ $0.wantsScan }) else { return }
    state.withLock { $0.wantsScan = false }
    do {
      try scan(store)
    } catch {
      // The disk, or a lock that somebody holds: at the next look.
      state.withLock { $0.wantsScan = true }
    }
  }

  /// Asks the writer whether others have committed since the last look.
  ///
  /// Only the writer's own connection knows its own commits from others'. While somebody has it, nobody else can
  /// commit; and whoever has it may be waiting for us.
  func learnVersion() {
    guard let store else { return }
    if let bound = ThreadBinding.writer(of: store) {
      noteVersion(bound.connection)
      return
    }
    guard let pool = try? store.pool else { return }
    // Nobody who writes is to be busy for a look of ours, however short their patience is.
    pool.takingLong {
      guard let writer = try? pool.acquireIdleWriter() else { return }
      defer { pool.releaseWriter() }
      noteVersion(writer.connection)
    }
  }

  /// Notes the data version of the writer's connection; another one than before means foreign commits.
  ///
  /// - Returns: whether there is anything of which nobody was told yet.
  @discardableResult
  func noteVersion(_ writer: Connection) -> Bool {
    guard case .integer(let version)? = try? writer.scalar(ObservationSQL.dataVersion) else {
      return true
    }
    return state.withLock { state in
      if let seen = state.seenVersion, seen != version { state.wantsScan = true }
      state.seenVersion = version
      return state.wantsScan || state.during != nil
    }
  }

  // MARK: - Scans

  /// Compares every observed entity with what its observers know, and runs every live query anew.
  private func scan(_ store: Store) throws {
    try scanning.withLock { _ in
      let watches = state.withLock { state in
        state.during = [:]
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

  /// Reads the objects of a scope as they are committed now.
  func read(
    _ scope: WatchScope,
    _ tables: [ObservationSQL.Table]
  ) throws -> [ObjectID: UInt64] {
    guard let store else { throw NacreError(.storeClosed) }
    return try reading(store) { try Self.hashes(scope, tables, on: $0) }
  }

  /// What was found in a scope, but newer where own commits have changed it since.
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
    on connection: Connection
  ) throws -> [ObjectID: UInt64] {
    guard let object = scope.object else { return try RowHash.all(tables, on: connection) }
    guard let own = tables.first, try connection.has(own.name) else { return [:] }
    return try RowHash.one(object, tables, on: connection).map { [object: $0] } ?? [:]
  }

  /// Runs `body` in one read transaction of a connection of its own: the pool's readers may all be lent, one of them to
  /// the very thread that asks.
  private func reading<T>(_ store: Store, _ body: (Connection) throws -> T) throws -> T {
    try NacreError.wrapping {
      try store.checkFile()
      let connection = try Connection(
        path: store.path,
        mode: .readOnly,
        configuration: store.settings.configuration
      )
      defer { try? connection.close() }
      try connection.define(DecimalFunctions.collation)
      return try connection.transaction(.deferred) { try body(connection) }
    }
  }
}
