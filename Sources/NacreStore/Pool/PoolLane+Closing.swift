import Dispatch
import Synchronization

extension PoolLane {
  /// Refuses the borrowers that wait and all later ones.
  func close() {
    let refused = state.withLock { state -> [PoolWaiter] in
      state.closerCount += 1
      var refused: [PoolWaiter] = []
      while let waiter = state.queue.popFirst() { refused.append(waiter) }
      return refused
    }
    for waiter in refused { waiter.resume(.closed) }
  }

  /// Takes one `close()` back; the `close()` of another caller stays in force.
  func reopen() { state.withLock { $0.closerCount -= 1 } }

  /// Blocks the thread until every session of the closed lane is back.
  ///
  /// - Parameters:
  ///   - due: The time until which the thread waits.
  ///   - timeout: How much longer it waits each time long work is still under way.
  /// - Returns: Whether every session is back.
  func waitForAll(until due: ContinuousClock.Instant, timeout: Duration) -> Bool {
    var due = due
    while true {
      let waiter = state.withLock { state -> DispatchSemaphore? in
        guard state.lentCount > 0 else { return nil }
        let semaphore = DispatchSemaphore(value: 0)
        state.drainWaiters.append(semaphore)
        return semaphore
      }
      guard let waiter else { return true }
      if waiter.wait(timeout: .now() + due.dispatchInterval) == .success { return true }
      let isLongWork = state.withLock { state in
        state.drainWaiters.removeAll { $0 === waiter }
        return state.longWorkCount > 0
      }
      guard isLongWork else { return state.withLock { $0.lentCount == 0 } }
      due = .now + max(timeout, .milliseconds(20))
    }
  }

  /// Removes all sessions from the lane and returns them; none of them is lent.
  func takeAll() -> [PoolSession] {
    state.withLock { state in
      defer {
        state.made = []
        state.idle = []
        state.first = nil
      }
      return state.made
    }
  }
}
