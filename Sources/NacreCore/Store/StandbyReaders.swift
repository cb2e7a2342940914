import Dispatch
import NacreSQLite
import Synchronization

/// Closes connections that were opened ahead of time and that nobody needs.
final class StandbyReaders: Sendable {
  /// For how many seconds a connection is idle before it is closed; nil while nobody looks.
  private let interval = Mutex<Double?>(nil)

  /// Looks from now on every so many seconds; who asked last says how often.
  fileprivate func follow(_ store: Store, every seconds: Double) {
    let isFirst = interval.withLock { interval in
      defer { interval = seconds }
      return interval == nil
    }
    guard isFirst else { return }
    // From now on it is counted who is needed: nobody is closed yet.
    store.closeUnusedReaders()
    wait(for: store, seconds)
  }

  private func wait(for store: Store, _ seconds: Double) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { [weak store] in
      guard let store else { return }
      store.standby.look(at: store)
    }
  }

  private func look(at store: Store) {
    let next = interval.withLock { interval in
      store.closeUnusedReaders()
      if store.readerCount == 0 { interval = nil }
      return interval
    }
    if let next { wait(for: store, next) }
  }
}

extension Store {
  /// Opens one more connection for reads, where there are fewer than the options allow, and closes from now on
  /// connections that are idle.
  ///
  /// - Parameter seconds: for how long at least a connection is idle before it is closed, and twice as long at most.
  /// - Throws: ``NacreError``.
  package func prepareReader(autoclose seconds: Double) throws {
    try NacreError.wrapping {
      let pool = try pool
      if let database = try pool.acquireNewReader() {
        defer { pool.releaseReader(database) }
        try settings.apply(to: database)
        // SQLite opens the file and reads its tables with the first question.
        _ = try database.scalar(CatalogSQL.schemaVersion)
      }
    }
    let day = 86_400.0
    standby.follow(self, every: min(max(seconds, 0.001), day))
  }

  /// How many connections for reads are open.
  package var readerCount: Int { (try? pool)?.readerCount ?? 0 }

  fileprivate func closeUnusedReaders() {
    // A connection that fails to close is gone all the same, and nobody is there to be told.
    try? (try? pool)?.closeUnusedReaders { database in
      database.forgetPlans()
      try database.connection.close()
    }
  }
}
