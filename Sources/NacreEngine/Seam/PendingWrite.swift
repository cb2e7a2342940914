/// A write that a connection may send without waiting for its end, which its next call then finds.
package struct PendingWrite {
  /// The rows that a write changes.
  package enum Reach: Sendable {
    /// One new row.
    case insert
    /// One row that has to be there.
    case update
    /// Any number of rows.
    case any
  }

  package let reach: Reach
  /// Returns the error to throw for the engine's own, or for no row where there has to be one (nil).
  package let failure: ((any EngineError)?) -> any Error
  /// Gets the number of rows that it has changed, unless it or a write before it has failed.
  package let ended: (Int) -> Void

  package init(
    _ reach: Reach,
    ended: @escaping (Int) -> Void = { _ in },
    failure: @escaping ((any EngineError)?) -> any Error
  ) {
    self.reach = reach
    self.ended = ended
    self.failure = failure
  }

  /// A write whose failure is the engine's own error.
  package init(_ reach: Reach, missing: @escaping () -> any Error) {
    self.init(reach) { error in
      if let error { return error }
      return missing()
    }
  }
}
