import Dispatch
import NacreEngine
import NacreStore
import Synchronization

// Hears of the commits of others where the engine tells of them. It tells that somebody has committed, or may have, and
// not what; so all observed rows are compared, as after a change of SQLite's data version.

extension StoreObservers {
  /// How much more seldom an observer looks by itself where it hears of commits.
  ///
  /// It does so because only Nacre's commits are told: others change rows, too.
  private static let rareness = 50.0

  private var listens: Bool { listener.withLock { $0 != nil } }

  /// How often to look for commits of which nobody tells, in seconds.
  var pollInterval: Double { listens ? interval * Self.rareness : interval }

  /// Begins to listen, unless the store does so already or its engine does not tell of commits.
  func listen() throws {
    guard let store, store.engine.capabilities.contains(.tellsChanges) else { return }
    try NacreError.wrapping {
      try listener.withLock { listener in
        if state.withLock({ $0.isClosed }) { throw NacreError(.storeClosed) }
        guard listener == nil else { return }
        listener = try store.engine.listen { [weak self] in self?.lookSoon() }
      }
    }
  }

  /// Ends the listening if nobody observes any more.
  func stopListening() {
    let ended: (any ChangeListening)? = listener.withLock { listener in
      guard state.withLock({ $0.isEmpty }) else { return nil }
      defer { listener = nil }
      return listener
    }
    ended?.stop()
  }

  /// Plans a look that compares all observed rows: at once, or if the last one was just before, a while after that.
  private func lookSoon() {
    let rest = state.withLock { state -> Duration? in
      state.wantsScan = true
      if state.isLookPlanned { return nil }
      state.isLookPlanned = true
      return max(.zero, state.nextLook - ContinuousClock.now)
    }
    guard let rest else { return }
    queue.asyncAfter(deadline: .now() + rest.seconds) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isLookPlanned = false }
      let rest = lookAndRest()
      state.withLock { $0.nextLook = max($0.nextLook, ContinuousClock.now + .seconds(rest)) }
    }
  }

  /// Lets the next look compare all rows, after a look that has failed.
  func lookAgain() {
    state.withLock { state in
      state.wantsScan = true
      // Whoever does not answer is not asked all the time.
      state.nextLook = ContinuousClock.now + .seconds(1)
    }
    if listens { lookSoon() }
  }
}
