/// The times at which the sessions of a lane changed hands.
///
/// A waiter in a long queue should not give up while the queue moves, so its time starts again with each move that is
/// progress. The queue is in order, so each such move brings every waiter nearer, and nobody waits for ever. It is no
/// progress if the holder kept the session for half of the waiter's time or longer. Such a holder may have waited in
/// vain for a lock itself, and a row of them would keep the others waiting for many times the timeout.
struct PoolMoves {
  /// When the lane last handed a session to a waiter.
  private(set) var lastHandOver: ContinuousClock.Instant?
  /// When the lane last did so after a short hold.
  private(set) var lastProgress: ContinuousClock.Instant?

  /// Records that a session goes to `waiter`.
  mutating func handOver(to waiter: PoolWaiter) {
    let now = ContinuousClock.now
    // The holder had the session for at least this long.
    let held = now - max(waiter.begun, lastHandOver ?? waiter.begun)
    if held < waiter.timeout / 2 { lastProgress = now }
    lastHandOver = now
  }

  /// Records that a task which was handed a session now has a thread to go on with.
  ///
  /// The time without a thread is not the holder's, so it does not count as a hold.
  mutating func arrive() {
    lastHandOver = .now
    lastProgress = lastHandOver
  }
}
