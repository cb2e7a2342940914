import Dispatch
import Synchronization

/// Lends up to `limit` sessions, in the order in which borrowers ask, and further ones up to `bound`.
///
/// A session that a borrower keeps for longer than a call, as a cursor does, does not count against `limit`, because
/// the borrower may need another one. A waiter also gets a further session after a moment in which no session changed
/// hands, because the holders of the others may be waiting for it. At most `limit` sessions stay open while nobody
/// needs them.
///
/// The class is not generic, so that callers in other modules pay no generic dispatch.
final class PoolLane: Sendable {
  struct State {
    let limit: Int
    let bound: Int
    var idle: [PoolLoan] = []
    /// The smallest number of idle sessions since `takeUnused()`: nobody has needed that many at the bottom of `idle`.
    var leastIdle = 0
    /// Every session, lent or idle; this array keeps them alive.
    var made: [PoolSession] = []
    var first: PoolLoan?
    /// The number of sessions that are lent, or being made or closed.
    var lentCount = 0
    /// The number of lent sessions that are kept for longer than a call.
    var keptCount = 0
    var queue = PoolQueue()
    var moves = PoolMoves()
    /// How many `close()` calls are in force, less the `reopen()` calls.
    var closerCount = 0
    /// How many pieces of long work are under way; waiters wait for these as long as they take.
    var longWorkCount = 0
    /// When the lane next looks at waiting tasks, and the number of the timer that does it.
    var timer: (due: ContinuousClock.Instant, number: Int)?
    var lastTimer = 0
    var drainWaiters: [DispatchSemaphore] = []

    var isClosed: Bool { closerCount > 0 }
    var use: PoolUse {
      PoolUse(lentCount: lentCount, keptCount: keptCount, idleCount: idle.count)
    }
  }

  let state: Mutex<State>
  /// Whether the lane may make sessions beyond `limit`.
  let canGrow: Bool
  private let timeout: @Sendable () -> Duration

  /// - Parameters:
  ///   - limit: How many sessions there are for calls.
  ///   - bound: How many sessions there are at most.
  ///   - timeout: How long a borrower waits; called on its thread or in its task.
  init(limit: Int, bound: Int, timeout: @escaping @Sendable () -> Duration) {
    var state = State(limit: limit, bound: max(bound, limit))
    state.idle.reserveCapacity(limit)
    canGrow = state.bound > state.limit
    self.state = Mutex(state)
    self.timeout = timeout
  }

  /// How many threads and tasks wait in the queue.
  var queueCount: Int { state.withLock { $0.queue.count } }

  /// How many sessions there are, lent or idle.
  var count: Int { state.withLock { $0.made.count } }

  /// How the sessions are used.
  var use: PoolUse { state.withLock { $0.use } }

  // MARK: - Borrowing

  /// Blocks the thread until it is this caller's turn or the time is up, and returns the grant.
  func acquire(keeps: Bool = false) -> PoolGrant {
    if let grant = state.withLock({ Self.claim(&$0, keeps) }) { return grant }
    return wait(PoolWaiter(blocking: true, keeps: keeps, timeout: timeout()))
  }

  /// Suspends the task until it is this caller's turn or the time is up, and returns the grant.
  ///
  /// - Throws: `CancellationError`.
  func acquire() async throws -> PoolGrant {
    try Task.checkCancellation()
    if let grant = state.withLock({ Self.claim(&$0, false) }) { return grant }
    let grant = try await wait(PoolWaiter(blocking: false, keeps: false, timeout: timeout()))
    switch grant {
    case .session, .make: state.withLock { $0.moves.arrive() }
    case .closed, .timedOut: break
    }
    return grant
  }

  /// Returns a grant, or nil if the caller would have to wait.
  func acquireIdle() -> PoolGrant? { state.withLock { Self.claim(&$0, false) } }

  /// Returns the right to make one more session although others may be idle, or nil if there are as many as allowed.
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

  /// Returns the right to make a session beyond the regular ones, or nil if there are as many as allowed.
  static func claimFurther(_ state: inout State, _ keeps: Bool) -> PoolGrant? {
    guard state.lentCount < state.bound else { return nil }
    state.lentCount += 1
    if keeps { state.keptCount += 1 }
    return .make
  }

  // MARK: - Giving back

  /// Takes a session back, or lends it to the next waiter at once.
  ///
  /// - Parameters:
  ///   - session: The session, or nil for the first one that was made.
  ///   - wasKept: Whether the borrower asked for it as a session to keep.
  /// - Returns: The session if there are enough without it, or nil. The caller closes it and then calls `abandon()`.
  func release(_ session: AnyObject?, wasKept: Bool = false) -> PoolSession? {
    let returned = session.map { PoolLoan($0) }
    let (next, surplus) = state.withLock { state -> ((PoolWaiter, PoolLoan)?, PoolSession?) in
      assert(state.lentCount > 0, "a session was returned that was not lent")
      guard state.lentCount > 0, let loan = returned ?? state.first else { return (nil, nil) }
      if wasKept { state.keptCount -= 1 }
      // The session goes to the first waiter in the queue and never becomes idle in between, so nobody who asks later
      // can take it first.
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

  /// Removes and returns the sessions that nobody has needed since the last call.
  ///
  /// The caller closes each of them and then calls `abandon()` once for each.
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

  /// Removes a lent session from the lane; the caller closes it and then calls `abandon()`.
  func takeOut(_ session: AnyObject) -> PoolSession? {
    nonisolated(unsafe) let session = Unmanaged.passUnretained(session)
    return state.withLock { Self.takeOut([session], &$0).first }
  }

  /// Removes sessions from the lane; they stay counted as lent until they are closed.
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

  /// Adds a session that was just made under a `make` grant.
  func register(_ session: AnyObject) {
    let loan = PoolLoan(session)
    let made = PoolSession(object: session)
    state.withLock { state in
      if state.first == nil { state.first = loan }
      state.made.append(made)
    }
  }

  /// Gives a `make` grant back unused; the next waiter in the queue gets it.
  func abandon(wasKept: Bool = false) {
    let next = state.withLock { state -> PoolWaiter? in
      if wasKept { state.keptCount -= 1 }
      if let waiter = Self.popFirst(&state) { return waiter }
      Self.giveBackSlot(&state)
      return nil
    }
    next?.resume(.make)
  }

  /// Takes the first waiter from the queue; it takes over a slot that is counted as lent.
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
