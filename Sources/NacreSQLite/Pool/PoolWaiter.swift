import Dispatch

/// A thread or a task in a lane's queue.
final class PoolWaiter: @unchecked Sendable {
  // Sendable holds: `phase`, `continuation` and `countsFrom` are used under the lane's lock only; `grant` is written before
  // the semaphore is signalled and read after the wait.
  enum Phase { case new, queued, granted, cancelled, expired }

  /// How long a borrower waits.
  struct Patience: Sendable {
    /// After which time it gives up.
    let timeout: Duration
    /// After which time it is given a session beyond the regular ones, where there may be more, and nobody else has been
    /// handed one meanwhile.
    var growth: Duration { min(.milliseconds(20), timeout / 2) }
  }

  var phase = Phase.new
  var continuation: CheckedContinuation<PoolGrant, any Error>?
  /// Whether it keeps what it gets for longer than a call, as a cursor does.
  let keeps: Bool
  let patience: Patience
  let begun = ContinuousClock.now
  /// From when on its time is counted.
  var countsFrom: ContinuousClock.Instant
  private let semaphore: DispatchSemaphore?
  private var grant = PoolGrant.closed

  init(blocking: Bool, keeps: Bool, timeout: Duration) {
    self.keeps = keeps
    patience = Patience(timeout: timeout)
    countsFrom = begun
    semaphore = blocking ? DispatchSemaphore(value: 0) : nil
  }

  /// When it gives up: its time counts anew from each moment in which the lane went on.
  func deadline(_ moves: PoolMoves) -> ContinuousClock.Instant {
    max(countsFrom, moves.lastProgress ?? countsFrom) + patience.timeout
  }

  /// When it may be given a session beyond the regular ones: a lane whose sessions go from hand to hand is busy, and one
  /// where nothing moves may be stuck.
  func growth(_ moves: PoolMoves) -> ContinuousClock.Instant {
    min(max(begun, moves.lastHandOver ?? begun) + patience.growth, deadline(moves))
  }

  /// Lets the waiter go on; called once, outside the lane's lock.
  func resume(_ grant: PoolGrant) {
    if let semaphore {
      self.grant = grant
      semaphore.signal()
    } else {
      continuation?.resume(returning: grant)
    }
  }

  /// Blocks the thread until `resume`; nil where that does not come in time.
  func wait(until due: ContinuousClock.Instant) -> PoolGrant? {
    guard let semaphore else { return grant }
    let time = DispatchTime.now() + due.dispatchInterval
    return semaphore.wait(timeout: time) == .success ? grant : nil
  }

  /// Blocks the thread until `resume`, which is on its way: whoever has granted calls it next.
  func waitForGrant() -> PoolGrant {
    semaphore?.wait()
    return grant
  }
}

extension ContinuousClock.Instant {
  /// The time from now until then, of which there is at least none.
  var dispatchInterval: DispatchTimeInterval {
    let left = max(self - .now, .zero).components
    // A microsecond more, lest it be looked at just before.
    return .microseconds(
      Int(left.seconds) * 1_000_000 + Int(left.attoseconds / 1_000_000_000_000) + 1
    )
  }
}
