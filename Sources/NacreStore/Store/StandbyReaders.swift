import Dispatch
import NacreSQLite
import Synchronization

/// Closes connections that were opened ahead of time and that nobody needs.
final class StandbyReaders: Sendable {
  private struct State {
    /// For how many seconds a connection is idle before it is closed; nil while nobody looks.
    var interval: Double?
    /// When somebody looks next.
    var deadline = DispatchTime.distantFuture
    /// Tells whoever looks from those before, whom nobody waits for any more.
    var number = 0
  }

  private let state = Mutex(State())

  /// Looks from now on every so many seconds; who asked last says how often.
  fileprivate func follow(_ store: Store, every seconds: Double) {
    let isFirst = state.withLock { state in
      defer { state.interval = seconds }
      return state.interval == nil
    }
    // From now on it is counted who is needed: nobody is closed yet.
    if isFirst { store.closeUnusedReaders() }
    state.withLock { state in
      if isFirst || .now() + seconds < state.deadline { wait(for: store, seconds, &state) }
    }
  }

  private func wait(for store: Store, _ seconds: Double, _ state: inout State) {
    state.number += 1
    state.deadline = .now() + seconds
    let queue = DispatchQueue.global(qos: .utility)
    queue.asyncAfter(deadline: state.deadline) { [weak store, number = state.number] in
      guard let store else { return }
      store.standby.look(at: store, number)
    }
  }

  private func look(at store: Store, _ number: Int) {
    guard state.withLock({ $0.number == number && $0.interval != nil }) else { return }
    // Outside of the lock, for it can take its time.
    store.closeUnusedReaders()
    state.withLock { state in
      guard state.number == number, let seconds = state.interval else { return }
      if store.readerCount == 0 {
        state.interval = nil
      } else {
        wait(for: store, seconds, &state)
      }
    }
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
    try? (try? pool)?.closeUnusedReaders { try $0.close() }
  }
}
