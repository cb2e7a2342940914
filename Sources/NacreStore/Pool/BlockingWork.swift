import Dispatch

/// Work that keeps its thread waiting, as a call of the system does.
enum BlockingWork {
  /// Runs work on a thread that Swift's tasks do not share.
  ///
  /// - Throws: The error of `body`.
  static func run<T>(_ body: @escaping @Sendable () throws -> sending T) async throws -> sending T {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        do {
          continuation.resume(returning: try body())
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }
}
