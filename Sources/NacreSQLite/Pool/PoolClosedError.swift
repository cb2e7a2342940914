/// The error of asking a pool for a session after it was closed.
package struct PoolClosedError: Error, Sendable, Equatable {
  /// Makes the error.
  package init() {}
}
