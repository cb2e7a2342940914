import Dispatch
import Synchronization

// How borrowers wait for a session. A thread looks at the clock itself. A waiting task blocks no thread, so the lane
// has one timer for all tasks, which runs only while some wait. The timer's work runs on one of the threads that tasks
// share. While all of those are taken, a task that got a session can't go on either, so the delay makes nobody give up
// wrongly. The lane removes a waiter from the queue when it grants it something, and a waiter that gives up leaves the
// queue; both happen under the lock, so no grant is lost between the two.

extension PoolLane {
  /// The queue for the timers of all lanes; nothing else runs there that could delay them.
  private static let timers = DispatchQueue(label: "nacre.pool")

  /// The decision about a waiter whose time has come.
  private enum Decision {
    case waits(until: ContinuousClock.Instant)
    /// The waiter leaves the queue with this grant.
    case leaves(PoolGrant)
    /// Another thread has just granted the waiter something.
    case isGranted
  }

  /// Blocks the thread until the waiter gets a grant.
  func wait(_ waiter: PoolWaiter) -> PoolGrant {
    var due = firstDue(of: waiter)
    if let grant = enqueue(waiter) { return grant }
    while true {
      if let grant = waiter.wait(until: due) { return grant }
      var woken: [PoolWaiter] = []
      let decision = state.withLock { Self.decide(waiter, &$0, &woken) }
      for waiter in woken { waiter.resume(.make) }
      switch decision {
      case .waits(let next): due = next
      case .leaves(let grant): return grant
      case .isGranted: return waiter.waitForGrant()
      }
    }
  }

  /// Suspends the task until the waiter gets a grant.
  ///
  /// - Throws: `CancellationError`.
  func wait(_ waiter: PoolWaiter) async throws -> PoolGrant {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enqueue(waiter, continuation)
      }
    } onCancel: {
      cancel(waiter)
    }
  }

  /// Decides whether a waiter gets a further session, gives up, or goes on waiting.
  ///
  /// - Parameters:
  ///   - waiter: The waiter.
  ///   - state: The lane's state, under its lock.
  ///   - woken: Collects the waiters before this one in the queue that get a further session; the caller must resume
  ///     each.
  /// - Returns: The decision.
  private static func decide(
    _ waiter: PoolWaiter,
    _ state: inout State,
    _ woken: inout [PoolWaiter]
  ) -> Decision {
    guard waiter.phase == .queued else { return .isGranted }
    let now = ContinuousClock.now
    // Go in the order of the queue, because earlier waiters have waited longer.
    while now >= waiter.growth(state.moves), let first = state.queue.waiting.first,
      claimFurther(&state, first.keeps) != nil
    {
      _ = state.queue.popFirst()
      if first === waiter { return .leaves(.make) }
      woken.append(first)
    }
    if now >= waiter.deadline(state.moves) {
      guard state.longWorkCount > 0 else {
        state.queue.remove(waiter)
        waiter.phase = .expired
        return .leaves(.timedOut(after: now - waiter.begun))
      }
      waiter.countsFrom = now
    }
    // During long work, wait at least 20 ms: a timeout of 0 would make this loop at once.
    let soonest = now + .milliseconds(state.longWorkCount > 0 ? 20 : 0)
    let growth = waiter.growth(state.moves)
    let isToGrow = state.bound > state.limit && growth > now
    return .waits(until: max(soonest, isToGrow ? growth : waiter.deadline(state.moves)))
  }

  private func firstDue(of waiter: PoolWaiter) -> ContinuousClock.Instant {
    canGrow ? waiter.growth(PoolMoves()) : waiter.deadline(PoolMoves())
  }

  private func enqueue(_ waiter: PoolWaiter) -> PoolGrant? {
    state.withLock { state in
      // A session that was lent a moment ago may be back by now.
      if let grant = Self.claim(&state, waiter.keeps) { return grant }
      state.queue.append(waiter)
      return nil
    }
  }

  private func enqueue(
    _ waiter: PoolWaiter,
    _ continuation: CheckedContinuation<PoolGrant, any Error>
  ) {
    let decision = state.withLock { state -> Result<PoolGrant, CancellationError>? in
      if waiter.phase == .cancelled { return .failure(CancellationError()) }
      if let grant = Self.claim(&state, waiter.keeps) {
        waiter.phase = .granted
        return .success(grant)
      }
      waiter.continuation = continuation
      state.queue.append(waiter)
      look(at: firstDue(of: waiter), &state)
      return nil
    }
    if let decision { continuation.resume(with: decision.mapError { $0 }) }
  }

  private func cancel(_ waiter: PoolWaiter) {
    let continuation = state.withLock { state -> CheckedContinuation<PoolGrant, any Error>? in
      // A waiter that was granted a session keeps it; one that has not enqueued yet finds the phase `cancelled`.
      guard waiter.phase == .queued || waiter.phase == .new else { return nil }
      state.queue.remove(waiter)
      waiter.phase = .cancelled
      defer { waiter.continuation = nil }
      return waiter.continuation
    }
    continuation?.resume(throwing: CancellationError())
  }

  // MARK: - Timer

  /// Makes the timer look at the waiting tasks at that time, unless it does so sooner anyway.
  private func look(at due: ContinuousClock.Instant, _ state: inout State) {
    if let timer = state.timer, timer.due <= due { return }
    state.lastTimer += 1
    let number = state.lastTimer
    state.timer = (due, number)
    Self.timers.asyncAfter(deadline: .now() + due.dispatchInterval) { [weak self] in
      Task { self?.lookAfterTasks(number) }
    }
  }

  private func lookAfterTasks(_ number: Int) {
    let resumed = state.withLock { state -> [(PoolWaiter, PoolGrant)] in
      guard state.timer?.number == number else { return [] }
      state.timer = nil
      var woken: [PoolWaiter] = []
      var resumed: [(PoolWaiter, PoolGrant)] = []
      var next: ContinuousClock.Instant?
      // Threads that wait look at the clock themselves.
      for waiter in Array(state.queue.waiting) where waiter.continuation != nil {
        switch Self.decide(waiter, &state, &woken) {
        case .waits(let due): next = min(next ?? due, due)
        case .leaves(let grant): resumed.append((waiter, grant))
        case .isGranted: break
        }
      }
      if let next { look(at: next, &state) }
      return woken.map { ($0, .make) } + resumed
    }
    for (waiter, grant) in resumed { waiter.resume(grant) }
  }

  // MARK: - Long work

  /// Makes waiters go on waiting until `endLongWork()`.
  func beginLongWork() { state.withLock { $0.longWorkCount += 1 } }

  /// Ends the long work that `beginLongWork()` began.
  func endLongWork() { state.withLock { $0.longWorkCount -= 1 } }
}
