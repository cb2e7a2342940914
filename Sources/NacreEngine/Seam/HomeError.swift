/// A failure that a home finds itself, such as a missing file.
package struct HomeError: Error {
  /// The kind of failure.
  package let kind: EngineErrorKind
  /// The path and the reason, for people.
  package let detail: String
  /// The engine's own error, if any.
  package let cause: (any Error)?

  /// Makes the error.
  package init(_ kind: EngineErrorKind, _ detail: String, cause: (any Error)? = nil) {
    self.kind = kind
    self.detail = detail
    self.cause = cause
  }
}
