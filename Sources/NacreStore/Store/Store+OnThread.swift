extension Store {
  /// Runs blocking work on a thread that Swift's tasks do not share.
  ///
  /// - Throws: The error of `body`.
  package static func onThread<T>(_ body: @escaping @Sendable () throws -> sending T) async throws
    -> sending T
  { try await BlockingWork.run(body) }
}
