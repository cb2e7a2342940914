import Dispatch
import NacreEngine
import Synchronization

/// Closes connections that were opened ahead of time and that nobody needs.
final class StandbyReaders: Sendable {
  private struct State {
    /// For how many seconds a connection is idle before it is closed; nil while no check is
    /// planned.
    var interval: Double?
    /// The time of the next check.
    var deadline = DispatchTime.distantFuture
    /// The number of the latest planned check; earlier ones that are still planned do nothing.
    var number = 0
  }

  private let state = Mutex(State())

  /// Checks from now on at this interval; the latest call sets the interval.
  fileprivate func follow(_ store: Store, every seconds: Double) {
    let isFirst = state.withLock { state in
      defer { state.interval = seconds }
      return state.interval == nil
    }
    // This first call starts counting which connections are needed.
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
    // Outside the lock, because closing can take time.
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
  /// Opens one more connection for reads if the options allow it, and closes idle connections from
  /// now on.
  ///
  /// - Parameter seconds: How long a connection is idle at least before it is closed; it is closed
  ///   after at most twice as long.
  /// - Throws: ``NacreError``.
  package func prepareReader(autoclose seconds: Double) throws {
    try NacreError.wrapping {
      let pool = try pool
      if let database = try pool.acquireNewReader() {
        defer { pool.releaseReader(database) }
        try settings.apply(to: database)
        // SQLite opens the file and reads the schema with the first query.
        _ = try database.connection.layoutNumber()
      }
    }
    let day = 86_400.0
    standby.follow(self, every: min(max(seconds, 0.001), day))
  }

  /// How many connections for reads are open.
  package var readerCount: Int { (try? pool)?.readerCount ?? 0 }

  fileprivate func closeUnusedReaders() {
    // Ignore the error: the connection is gone even if it fails to close, and nobody could be told.
    try? (try? pool)?.closeUnusedReaders { try $0.close() }
  }
}
