/// When the sessions of a lane went from hand to hand.
///
/// Who waits in a long queue should not give up while the queue goes on: its time counts anew with each move that is
/// progress. The queue is in order, so each such move brings everybody in it nearer, and nobody waits for ever. A holder that
/// kept a session for half of the waiter's time or longer is no progress: it may have waited in vain for a lock itself, and a
/// row of such holders would keep the others for as many times the timeout.
struct PoolMoves {
  /// When a session was last handed to somebody who waited.
  private(set) var lastHandOver: ContinuousClock.Instant?
  /// When that last happened after a short hold.
  private(set) var lastProgress: ContinuousClock.Instant?

  /// A session goes to `waiter`.
  mutating func handOver(to waiter: PoolWaiter) {
    let now = ContinuousClock.now
    // Whoever held it has done so for no shorter time than this.
    let held = now - max(waiter.begun, lastHandOver ?? waiter.begun)
    if held < waiter.patience.timeout / 2 { lastProgress = now }
    lastHandOver = now
  }

  /// A task to which a session was handed has a thread to go on with.
  ///
  /// The time in which it had none is not that of the session's holder.
  mutating func arrive() {
    lastHandOver = .now
    lastProgress = lastHandOver
  }
}
