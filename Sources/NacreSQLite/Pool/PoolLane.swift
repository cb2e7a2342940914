import Dispatch
import Synchronization

/// Up to `limit` sessions, lent in the order in which they are asked for, and further ones up to `bound`.
///
/// A session that is kept for longer than a call, as a cursor does, does not count against `limit`: whoever keeps one may need
/// another. Who has waited for a moment in which none was handed on gets a further one, too: those who have the others may be
/// waiting for it. No more than `limit` stay open while nobody needs them.
///
/// It is not generic, so that callers in other modules pay no generic dispatch.
final class PoolLane: Sendable {
  struct State {
    let limit: Int
    let bound: Int
    var idle: [PoolLoan] = []
    /// The fewest that were idle at a time since `takeUnused()`: those at the bottom nobody has needed.
    var leastIdle = 0
    /// Every session, lent or idle; what keeps them alive.
    var made: [PoolSession] = []
    var first: PoolLoan?
    /// Sessions lent, or being made or closed.
    var lentCount = 0
    /// Those of them that are kept for longer than a call.
    var keptCount = 0
    var queue = PoolQueue()
    var moves = PoolMoves()
    /// How many have closed the lane and not opened it again.
    var closerCount = 0
    /// How much work is under way for which others wait as long as it takes.
    var longWorkCount = 0
    /// When the lane looks after waiting tasks next, and which of its timers does that.
    var timer: (due: ContinuousClock.Instant, number: Int)?
    var lastTimer = 0
    var drainWaiters: [DispatchSemaphore] = []

    var isClosed: Bool { closerCount > 0 }
    var use: PoolUse {
      PoolUse(lentCount: lentCount, keptCount: keptCount, idleCount: idle.count)
    }
  }

  let state: Mutex<State>
  /// Whether there may be further sessions than the regular ones.
  let canGrow: Bool
  private let timeout: @Sendable () -> Duration

  /// - Parameters:
  ///   - limit: how many sessions there are for calls.
  ///   - bound: how many sessions there are at most.
  ///   - timeout: for how long a borrower waits; asked on its thread or in its task.
  init(limit: Int, bound: Int, timeout: @escaping @Sendable () -> Duration) {
    var state = State(limit: limit, bound: max(bound, limit))
    state.idle.reserveCapacity(limit)
    canGrow = state.bound > state.limit
    self.state = Mutex(state)
    self.timeout = timeout
  }

  /// How many threads and tasks wait.
  var queueCount: Int { state.withLock { $0.queue.count } }

  /// How many sessions there are, lent or idle.
  var count: Int { state.withLock { $0.made.count } }

  /// How the sessions are used.
  var use: PoolUse { state.withLock { $0.use } }

  // MARK: - Borrowing

  /// A grant, after blocking the thread until it is this caller's turn, or the time is up.
  func acquire(keeps: Bool = false) -> PoolGrant {
    if let grant = state.withLock({ Self.claim(&$0, keeps) }) { return grant }
    return wait(PoolWaiter(blocking: true, keeps: keeps, timeout: timeout()))
  }

  /// A grant, after suspending the task until it is this caller's turn, or the time is up.
  ///
  /// - Throws: `CancellationError`.
  func acquire() async throws -> PoolGrant {
    try Task.checkCancellation()
    if let grant = state.withLock({ Self.claim(&$0, false) }) { return grant }
    let grant = try await wait(PoolWaiter(blocking: false, keeps: false, timeout: timeout()))
    if grant.isLent { state.withLock { $0.moves.arrive() } }
    return grant
  }

  /// A grant, or nil where it would be waited for.
  func acquireIdle() -> PoolGrant? { state.withLock { Self.claim(&$0, false) } }

  /// The right to make one more session although others may be idle; nil where there are as many as may be.
  func acquireMore() -> PoolGrant? {
    state.withLock { state in
      guard !state.isClosed else { return .closed }
      let count = state.idle.count + state.lentCount
      guard count - state.keptCount < state.limit, count < state.bound else { return nil }
      state.lentCount += 1
      return .make
    }
  }

  static func claim(_ state: inout State, _ keeps: Bool) -> PoolGrant? {
    guard !state.isClosed else { return .closed }
    if let loan = state.idle.popLast() {
      if state.idle.count < state.leastIdle { state.leastIdle = state.idle.count }
      state.lentCount += 1
      if keeps { state.keptCount += 1 }
      return .session(loan)
    }
    guard keeps || state.lentCount - state.keptCount < state.limit else { return nil }
    return claimFurther(&state, keeps)
  }

  /// The right to make a session beyond the regular ones; nil where there are as many as may be.
  static func claimFurther(_ state: inout State, _ keeps: Bool) -> PoolGrant? {
    guard state.lentCount < state.bound else { return nil }
    state.lentCount += 1
    if keeps { state.keptCount += 1 }
    return .make
  }

  // MARK: - Giving back

  /// Takes a session back, or lends it straight on; nil stands for the first session made.
  ///
  /// - Parameters:
  ///   - session: the session, or nil for the first one.
  ///   - wasKept: whether it was asked for as one that is kept.
  /// - Returns: the session where there are enough without it; the lane is told of its end by `abandon()`.
  func release(_ session: AnyObject?, wasKept: Bool = false) -> PoolSession? {
    let returned = session.map { PoolLoan($0) }
    let (next, surplus) = state.withLock { state -> ((PoolWaiter, PoolLoan)?, PoolSession?) in
      assert(state.lentCount > 0, "a session was returned that was not lent")
      guard state.lentCount > 0, let loan = returned ?? state.first else { return (nil, nil) }
      if wasKept { state.keptCount -= 1 }
      // The session goes to the first in the queue and never becomes idle in between: nobody
      // who asks later can take it first.
      if let waiter = Self.popFirst(&state) { return ((waiter, loan), nil) }
      if state.idle.count >= state.limit, !state.isClosed {
        return (nil, Self.takeOut([loan.session], &state).first)
      }
      state.idle.append(loan)
      Self.giveBackSlot(&state)
      return (nil, nil)
    }
    if let (waiter, loan) = next { waiter.resume(.session(loan)) }
    return surplus
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
      return Self.takeOut(unused, &state)
    }
  }

  /// Forgets sessions, which stay counted as lent until they are closed.
  private static func takeOut(
    _ sessions: [Unmanaged<AnyObject>],
    _ state: inout State
  ) -> [PoolSession] {
    let isMeant = { (session: PoolSession) in
      sessions.contains { $0.toOpaque() == Unmanaged.passUnretained(session.object).toOpaque() }
    }
    let taken = state.made.filter(isMeant)
    state.made.removeAll(where: isMeant)
    state.first = state.made.first.map { PoolLoan($0.object) }
    return taken
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
  func abandon(wasKept: Bool = false) {
    let next = state.withLock { state -> PoolWaiter? in
      if wasKept { state.keptCount -= 1 }
      if let waiter = Self.popFirst(&state) { return waiter }
      Self.giveBackSlot(&state)
      return nil
    }
    next?.resume(.make)
  }

  /// The first waiter, which takes over a slot that is counted as lent.
  private static func popFirst(_ state: inout State) -> PoolWaiter? {
    guard let waiter = state.queue.popFirst() else { return nil }
    state.moves.handOver(to: waiter)
    if waiter.keeps { state.keptCount += 1 }
    return waiter
  }

  private static func giveBackSlot(_ state: inout State) {
    state.lentCount -= 1
    guard state.lentCount == 0, state.isClosed else { return }
    for waiter in state.drainWaiters { waiter.signal() }
    state.drainWaiters = []
  }
}
