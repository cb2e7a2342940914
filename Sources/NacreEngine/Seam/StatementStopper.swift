/// Stops the statements of one connection; any thread may use it.
package protocol StatementStopper: Sendable {
  /// Asks the engine to end the statement that runs, and refuses those that would begin, until the next call of `release`.
  ///
  /// They fail with the kind `interrupted`. A request can come too early or too late for a statement, so it is repeated
  /// until the work has ended.
  func stop()
  /// Lets statements run again.
  func release()
}
