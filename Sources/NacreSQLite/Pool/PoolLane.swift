import Dispatch
import Synchronization

/// Up to `limit` sessions, lent in the order in which they are asked for.
///
/// It is not generic, so that callers in other modules pay no generic dispatch.
final class PoolLane: Sendable {
  private struct State {
    let limit: Int
    var idle: [PoolLoan] = []
    /// The fewest that were idle at a time since `takeUnused()`: those at the bottom nobody has needed.
    var leastIdle = 0
    /// Every session, lent or idle; what keeps them alive.
    var made: [PoolSession] = []
    var first: PoolLoan?
    /// Sessions lent or being made.
    var lentCount = 0
    var queue = PoolQueue()
    var isClosed = false
    var drainWaiters: [DispatchSemaphore] = []
  }

  private let state: Mutex<State>

  init(limit: Int) {
    var state = State(limit: limit)
    state.idle.reserveCapacity(limit)
    self.state = Mutex(state)
  }

  /// How many threads and tasks wait.
  var queueCount: Int { state.withLock { $0.queue.count } }

  /// A grant, after blocking the thread until it is this caller's turn.
  func acquire() -> PoolGrant {
    if let grant = state.withLock({ Self.claim(&$0) }) { return grant }
    let waiter = PoolWaiter(blocking: true)
    return enqueue(waiter) ?? waiter.wait()
  }

  /// A grant, or nil where it would be waited for.
  func acquireIdle() -> PoolGrant? { state.withLock { Self.claim(&$0) } }

  /// The right to make one more session although others may be idle; nil where there are as many as may be.
  func acquireMore() -> PoolGrant? {
    state.withLock { state in
      guard !state.isClosed else { return .closed }
      guard state.idle.count + state.lentCount < state.limit else { return nil }
      state.lentCount += 1
      return .make
    }
  }

  /// Takes the sessions for good that nobody has needed since the last call; after the end of each the lane is told
  /// by `abandon()`.
  func takeUnused() -> [PoolSession] {
    state.withLock { state in
      guard !state.isClosed else { return [] }
      let unused = state.idle.prefix(state.leastIdle).map(\.session)
      state.idle.removeFirst(unused.count)
      state.leastIdle = state.idle.count
      state.lentCount += unused.count
      let isUnused = { (session: PoolSession) in
        unused.contains { $0.toOpaque() == Unmanaged.passUnretained(session.object).toOpaque() }
      }
      let taken = state.made.filter(isUnused)
      state.made.removeAll(where: isUnused)
      state.first = state.made.first.map { PoolLoan($0.object) }
      return taken
    }
  }

  /// How many sessions there are, lent or idle.
  var count: Int { state.withLock { $0.made.count } }

  /// A grant, after suspending the task until it is this caller's turn.
  ///
  /// - Throws: `CancellationError`.
  func acquire() async throws -> PoolGrant {
    try Task.checkCancellation()
    if let grant = state.withLock({ Self.claim(&$0) }) { return grant }
    let waiter = PoolWaiter(blocking: false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enqueue(waiter, continuation)
      }
    } onCancel: {
      cancel(waiter)
    }
  }

  /// Takes a session back, or lends it straight on; nil stands for the first session made.
  func release(_ session: AnyObject?) {
    let returned = session.map { PoolLoan($0) }
    let next = state.withLock { state -> (PoolWaiter, PoolLoan)? in
      assert(state.lentCount > 0, "a session was returned that was not lent")
      guard state.lentCount > 0, let loan = returned ?? state.first else { return nil }
      // The session goes to the first in the queue and never becomes idle in between: nobody
      // who asks later can take it first.
      if let waiter = state.queue.popFirst() { return (waiter, loan) }
      state.idle.append(loan)
      Self.giveBackSlot(&state)
      return nil
    }
    if let (waiter, loan) = next { waiter.resume(.session(loan)) }
  }

  /// Remembers a session that was just made under a `make` grant.
  func register(_ session: AnyObject) {
    let loan = PoolLoan(session)
    let made = PoolSession(object: session)
    state.withLock { state in
      if state.first == nil { state.first = loan }
      state.made.append(made)
    }
  }

  /// Gives a `make` grant back unused; the next in the queue gets it.
  func abandon() {
    let next = state.withLock { state -> PoolWaiter? in
      if let waiter = state.queue.popFirst() { return waiter }
      Self.giveBackSlot(&state)
      return nil
    }
    next?.resume(.make)
  }

  /// Refuses those who wait and all who come later.
  func close() {
    let refused = state.withLock { state -> [PoolWaiter] in
      state.isClosed = true
      var refused: [PoolWaiter] = []
      while let waiter = state.queue.popFirst() { refused.append(waiter) }
      return refused
    }
    for waiter in refused { waiter.resume(.closed) }
  }

  /// Blocks the thread until every session is back, and gives them away, once.
  func drain() -> [PoolSession] {
    let drained = state.withLock { state -> DispatchSemaphore? in
      guard state.lentCount > 0 else { return nil }
      let semaphore = DispatchSemaphore(value: 0)
      state.drainWaiters.append(semaphore)
      return semaphore
    }
    drained?.wait()
    return state.withLock { state in
      defer {
        state.made = []
        state.idle = []
        state.first = nil
      }
      return state.made
    }
  }

  private static func claim(_ state: inout State) -> PoolGrant? {
    guard !state.isClosed else { return .closed }
    if let loan = state.idle.popLast() {
      if state.idle.count < state.leastIdle { state.leastIdle = state.idle.count }
      state.lentCount += 1
      return .session(loan)
    }
    guard state.lentCount < state.limit else { return nil }
    state.lentCount += 1
    return .make
  }

  private static func giveBackSlot(_ state: inout State) {
    state.lentCount -= 1
    guard state.lentCount == 0, state.isClosed else { return }
    for waiter in state.drainWaiters { waiter.signal() }
    state.drainWaiters = []
  }

  private func enqueue(_ waiter: PoolWaiter) -> PoolGrant? {
    state.withLock { state in
      // What was lent a moment ago may be back.
      if let grant = Self.claim(&state) { return grant }
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
      if let grant = Self.claim(&state) {
        waiter.phase = .granted
        return .success(grant)
      }
      waiter.continuation = continuation
      state.queue.append(waiter)
      return nil
    }
    if let decision { continuation.resume(with: decision.mapError { $0 }) }
  }

  private func cancel(_ waiter: PoolWaiter) {
    let continuation = state.withLock { _ -> CheckedContinuation<PoolGrant, any Error>? in
      // Who has been granted a session keeps it; who has not enqueued yet finds the mark.
      guard waiter.phase == .queued || waiter.phase == .new else { return nil }
      waiter.phase = .cancelled
      defer { waiter.continuation = nil }
      return waiter.continuation
    }
    continuation?.resume(throwing: CancellationError())
  }
}
