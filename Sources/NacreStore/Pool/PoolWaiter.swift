import Dispatch
import NacreEngine

/// A thread or a task in a lane's queue.
final class PoolWaiter: @unchecked Sendable {
  // Sendable holds: `phase`, `continuation` and `countsFrom` are used under the lane's lock only. `grant` is written
  // before the semaphore is signalled and read after the wait.
  enum Phase { case new, queued, granted, cancelled, expired }

  var phase = Phase.new
  var continuation: CheckedContinuation<PoolGrant, any Error>?
  /// Whether the waiter keeps its session for longer than a call, as a cursor does.
  let keeps: Bool
  /// The time after which the waiter gives up.
  let timeout: Duration
  let begun = ContinuousClock.now
  /// The moment from which the waiter's time counts.
  var countsFrom: ContinuousClock.Instant
  private let semaphore: DispatchSemaphore?
  private var grant = PoolGrant.closed

  init(blocking: Bool, keeps: Bool, timeout: Duration) {
    self.keeps = keeps
    self.timeout = timeout
    countsFrom = begun
    semaphore = blocking ? DispatchSemaphore(value: 0) : nil
  }

  /// When the waiter gives up; its time starts again each time the lane makes progress.
  func deadline(_ moves: PoolMoves) -> ContinuousClock.Instant {
    max(countsFrom, moves.lastProgress ?? countsFrom) + timeout
  }

  /// When the waiter may get a session beyond the regular ones.
  ///
  /// A lane whose sessions change hands is just busy; one in which nothing moves may be stuck.
  func growth(_ moves: PoolMoves) -> ContinuousClock.Instant {
    // Nobody was handed a session for this long.
    let standstill: Duration = min(.milliseconds(20), timeout / 2)
    return min(max(begun, moves.lastHandOver ?? begun) + standstill, deadline(moves))
  }

  /// Lets the waiter go on; the lane calls it once, outside its lock.
  func resume(_ grant: PoolGrant) {
    if let semaphore {
      self.grant = grant
      semaphore.signal()
    } else {
      continuation?.resume(returning: grant)
    }
  }

  /// Blocks the thread until `resume`, and returns the grant, or nil if `resume` does not come in time.
  func wait(until due: ContinuousClock.Instant) -> PoolGrant? {
    guard let semaphore else { return grant }
    let time = DispatchTime.now() + due.dispatchInterval
    return semaphore.wait(timeout: time) == .success ? grant : nil
  }

  /// Blocks the thread until `resume`; the thread that granted the waiter something is about to call it.
  func waitForGrant() -> PoolGrant {
    semaphore?.wait()
    return grant
  }
}

extension ContinuousClock.Instant {
  /// The time from now until then, at least zero.
  var dispatchInterval: DispatchTimeInterval {
    // One microsecond more, so that the waiter does not look just before its time.
    let left = min(max(self - .now, .zero).microseconds, .max - 1) + 1
    return .microseconds(Int(left))
  }
}
