import Dispatch

/// A thread or a task in a lane's queue.
final class PoolWaiter: @unchecked Sendable {
  // Sendable holds: `phase` and `continuation` are used under the lane's lock only; `grant` is
  // written before the semaphore is signalled and read after the wait.
  enum Phase { case new, queued, granted, cancelled }

  var phase = Phase.new
  var continuation: CheckedContinuation<PoolGrant, any Error>?
  private let semaphore: DispatchSemaphore?
  private var grant = PoolGrant.closed

  init(blocking: Bool) {
    semaphore = blocking ? DispatchSemaphore(value: 0) : nil
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

  /// Blocks the thread until `resume`.
  func wait() -> PoolGrant {
    semaphore?.wait()
    return grant
  }
}
