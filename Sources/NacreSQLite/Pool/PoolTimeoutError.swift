/// The error of waiting in a pool for longer than the busy timeout.
package struct PoolTimeoutError: Error, Sendable, Equatable {
  /// What was waited for.
  package enum Goal: Sendable {
    /// The one writer.
    case writer
    /// A reader, of which there are as many as may be.
    case reader
    /// The return of every session, to close them.
    case end
  }

  /// What was waited for.
  package let goal: Goal
  /// For how long, in seconds.
  package let seconds: Double
  /// How the writer was used then.
  package let writer: PoolUse
  /// How the readers were used then.
  package let readers: PoolUse
}
