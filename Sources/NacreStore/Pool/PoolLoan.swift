/// A session on its way between the pool and a borrower.
struct PoolLoan: @unchecked Sendable {
  // Sendable holds: a lane hands each session to one borrower at a time, under its lock.

  // Unmanaged, because the lane keeps every session that it made alive until it is drained, and reference counting
  // would cost more than the lending.
  let session: Unmanaged<AnyObject>

  init(_ session: AnyObject) {
    self.session = .passUnretained(session)
  }
}

/// A session that a lane keeps alive.
struct PoolSession: @unchecked Sendable {
  // Sendable holds: the lane itself never uses it, and gives it away only when nobody else has it.
  let object: AnyObject
}

/// The answer of a lane to a borrower.
enum PoolGrant: Sendable {
  /// A session that was made before.
  case session(PoolLoan)
  /// The right to make one more session.
  case make
  /// The lane is closed.
  case closed
  /// The lane had no session in that time.
  case timedOut(after: Duration)
}

/// How a lane's sessions are used.
package struct PoolUse: Sendable, Equatable {
  /// The number of sessions that are lent, or being made or closed.
  package var lentCount: Int
  /// The number of lent sessions that are kept for longer than a call, as a cursor does.
  package var keptCount: Int
  /// The number of idle sessions.
  package var idleCount: Int

  /// Makes the counts.
  package init(lentCount: Int = 0, keptCount: Int = 0, idleCount: Int = 0) {
    (self.lentCount, self.keptCount, self.idleCount) = (lentCount, keptCount, idleCount)
  }
}
