import Dispatch
import Synchronization

// Waiting for a session. A thread looks at the clock itself; for tasks, of which none blocks a thread, the lane has one
// timer, which runs only while some wait. It looks after them on one of the threads that tasks share: while those are all
// taken, a task that was handed a session can't go on either, and nobody has waited for it in vain. Who is granted
// something is no longer in the queue, and who gives up leaves it, both under the lock: so a grant is never lost between
// the two.

extension PoolLane {
  /// Where the timers of all lanes run, and nothing else that could keep them waiting.
  private static let timers = DispatchQueue(label: "nacre.pool")

  /// What becomes of a waiter for whom something was due.
  private enum Decision {
    case waits(until: ContinuousClock.Instant)
    /// It leaves the queue with this.
    case leaves(PoolGrant)
    /// Somebody else has granted it something just now.
    case isGranted
  }

  /// Blocks the thread.
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

  /// Suspends the task.
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

  /// Looks whether a waiter gets a further session, gives up, or goes on waiting.
  ///
  /// - Parameters:
  ///   - waiter: the waiter.
  ///   - state: the lane's state, under its lock.
  ///   - woken: takes those who were before it in the queue and get a further session; each is to be resumed.
  /// - Returns: what becomes of the waiter.
  private static func decide(
    _ waiter: PoolWaiter,
    _ state: inout State,
    _ woken: inout [PoolWaiter]
  ) -> Decision {
    guard waiter.phase == .queued else { return .isGranted }
    let now = ContinuousClock.now
    // In the order of the queue: those before have waited for longer.
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
    // Not at once again, where there is no time to wait.
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
      // What was lent a moment ago may be back.
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
      // Who has been granted a session keeps it; who has not enqueued yet finds the mark.
      guard waiter.phase == .queued || waiter.phase == .new else { return nil }
      state.queue.remove(waiter)
      waiter.phase = .cancelled
      defer { waiter.continuation = nil }
      return waiter.continuation
    }
    continuation?.resume(throwing: CancellationError())
  }

  // MARK: - Timer

  /// Looks after the waiting tasks at that time, where that is not done sooner.
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

  /// Lets those who wait go on waiting until `endLongWork()`.
  func beginLongWork() { state.withLock { $0.longWorkCount += 1 } }

  /// Ends what `beginLongWork()` began.
  func endLongWork() { state.withLock { $0.longWorkCount -= 1 } }
}
