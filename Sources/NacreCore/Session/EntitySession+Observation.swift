import NacreEngine
import NacreStore
import Synchronization

// The writer's part: it looks at the rows that a transaction touched right before the commit, and
// reports them after it.

extension EntitySession {
  /// Whether a transaction has work to do for observers.
  @inline(__always)
  private var isObserved: Bool { entities.observers.isActive || touched != nil }

  /// Begins to note the rows that the transaction touches, if anybody observes.
  package func transactionBegan() {
    if isObserved { beginObserving() }
  }

  /// Sets the hook at the start of a transaction, or removes it if nobody observes any more.
  private func beginObserving() {
    let observers = entities.observers
    guard observers.isActive, observers.usesHook else {
      if touched != nil { connection.setChangeHook(nil) }
      touched = nil
      return
    }
    let rows = touched ?? TouchedRows()
    if touched == nil {
      connection.setChangeHook { table, key in rows.note(table, key) }
      touched = rows
    }
    observers.state.withLock { state in
      // Observers that have left since do not matter: nobody reads the changes that were noted for
      // them.
      if state.version == rows.version { return }
      let pairs = state.watches.values.flatMap { watch in
        watch.tables.map { (SQLName($0.name), watch.tables[0].name) }
      }
      rows.watch(Dictionary(pairs) { first, _ in first }, version: state.version)
    }
    rows.begin()
    rows.layout = try? connection.layoutNumber()
  }

  /// Looks at the rows that the open transaction touched, right before its commit.
  package func transactionWillCommit() {
    if let resealed { self.resealed = lookAgain(at: resealed) }
    guard let touched, connection.isInTransaction else { return }
    touched.commit = look(touched)
  }

  /// Reports the committed changes; they come in the order of commits, because nobody else has the
  /// writer yet.
  package func transactionCommitted() {
    if let resealed {
      self.resealed = nil
      return entities.observers.report(resealed)
    }
    if isObserved { report(touched?.commit) }
  }

  /// Reports a transaction that was no longer open when its body ended, because SQLite rolled it
  /// back or the caller's own SQL committed it.
  package func transactionEnded(isLost: Bool) {
    if let resealed { entities.observers.forget(resealed) }
    resealed = nil
    guard isLost, let touched else { return }
    report(look(touched))
  }

  private func report(_ commit: ObservedCommit?) {
    // If there was no look before the commit, the transaction began before anybody observed, or
    // there is no hook.
    entities.observers.report(commit ?? ObservedCommit())
    touched?.commit = nil
  }

  private func look(_ touched: TouchedRows) -> ObservedCommit {
    let observers = entities.observers
    let hasForeignChanges = observers.noteVersion(connection)
    let (version, watches) = observers.state.withLock {
      ($0.version, $0.watches.mapValues(\.tables))
    }
    if touched.version != version { return ObservedCommit() }
    var commit = ObservedCommit(version: version, tables: touched.tables)
    commit.keepsValues = database.keepsValues && !hasForeignChanges
    do {
      commit.isWhole = try connection.layoutNumber() == touched.layout
      for (scope, tables) in watches {
        try look(at: scope, tables, touched, &commit)
      }
    } catch {
      commit.isWhole = false
    }
    return commit
  }

  private func look(
    at scope: WatchScope,
    _ tables: [ObservationSQL.Table],
    _ touched: TouchedRows,
    _ commit: inout ObservedCommit
  ) throws {
    guard let all = touched.objects[scope.table] else { return }
    for object in scope.object.map({ all.intersection([$0]) }) ?? all {
      if commit.rows[scope.table]?[object] != nil { continue }
      let hash = try RowHash.one(object, tables, on: connection)
      commit.rows[scope.table, default: [:]].updateValue(hash, forKey: object)
    }
  }
}

/// The changes of a committed transaction, for the observers.
struct ObservedCommit {
  /// The version of the set of observers for whom the look was made; 0 means no look was made.
  var version: UInt64 = 0
  var tables: Set<String> = []
  /// The hashes that possibly changed objects have now, by the entity's own table; nil means the
  /// object is gone.
  var rows: [String: [ObjectID: UInt64?]] = [:]
  /// Whether the transaction only stored the same values in another form.
  var keepsValues = false
  /// Whether this covers everything that the transaction did.
  var isWhole = false
}

extension StoreObservers {
  /// Reports the changes that a transaction of this store has committed.
  func report(_ commit: ObservedCommit) {
    let (wakeup, isWhole) = state.withLock { state -> (Wakeup, Bool) in
      var wakeup = Wakeup()
      for (table, rows) in commit.rows {
        state.during?[table, default: [:]].merge(rows) { _, new in new }
        // Iterate over an array: the dictionary's own `keys` would retain all hashes, and setting
        // one would copy them.
        for scope in Array(state.watches.keys) where scope.table == table {
          let changes = state.watches[scope]?.take(rows, in: scope) ?? [:]
          if !commit.keepsValues { wakeup += state.watches[scope]?.deliver(changes) ?? Wakeup() }
        }
      }
      if !commit.tables.isEmpty && !commit.keepsValues {
        for number in state.queries.keys {
          wakeup += state.queries[number]?.note(commit.tables) ?? Wakeup()
        }
      }
      // An observer may have joined between the look and the commit.
      return (wakeup, commit.isWhole && commit.version == state.version)
    }
    wakeup.resume()
    if !isWhole { scanSoon() }
  }
}
