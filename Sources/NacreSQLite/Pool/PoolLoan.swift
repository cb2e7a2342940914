/// A session on its way between the pool and a borrower.
///
/// @unchecked: a lane hands each session to one borrower at a time, under its lock.
struct PoolLoan: @unchecked Sendable {
  let session: AnyObject
}

/// What a lane gives to a borrower.
enum PoolGrant: Sendable {
  /// A session that was made before.
  case session(PoolLoan)
  /// The right to make one more session.
  case make
  /// Nothing any more.
  case closed
}
