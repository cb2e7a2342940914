/// The error of waiting in a pool for longer than the busy timeout.
package struct PoolTimeoutError: Error, Sendable, Equatable {
  /// The thing that the borrower waited for.
  package enum Goal: Sendable {
    /// The one writer.
    case writer
    /// A reader, while there are as many as allowed.
    case reader
    /// The return of every session, to close them.
    case end
  }

  /// The thing that the borrower waited for.
  package let goal: Goal
  /// How long the borrower waited, in seconds.
  package let seconds: Double
  /// How the writer was used at that time.
  package let writer: PoolUse
  /// How the readers were used at that time.
  package let readers: PoolUse
}
