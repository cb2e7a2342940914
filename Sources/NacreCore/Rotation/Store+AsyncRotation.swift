import Synchronization

extension Store {
  /// The twin of ``rotate(_:progress:)-(_,(RotationProgress)->RotationDirective)``, on a thread that no task waits for.
  ///
  /// When its task is cancelled it ends at a batch's edge, as if `progress` had said so.
  ///
  /// - Parameters:
  ///   - options: what, how fast, and what becomes of the file.
  ///   - progress: told after every batch; says whether to go on.
  /// - Returns: what was done.
  /// - Throws: ``NacreError`` as its twin does.
  public func rotate(
    _ options: RotationOptions = RotationOptions(),
    progress: @escaping @Sendable (RotationProgress) -> RotationDirective = { _ in .goOn }
  ) async throws -> RotationReport {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await Self.onThread {
        try self.rotate(options) { cancellation.isCancelled ? .stop : progress($0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Says what a rotation with the same options would do, and changes nothing.
  ///
  /// - Parameter options: as for the rotation.
  /// - Returns: the plan.
  /// - Throws: ``NacreError`` as its twin does.
  public func rotationPlan(
    _ options: RotationOptions = RotationOptions()
  ) async throws -> RotationPlan {
    try await Self.onThread { try self.rotationPlan(options) }
  }

  /// Clears the journal of rows that nobody with the store's key has written.
  ///
  /// - Returns: what was cleared.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func clearJournal() async throws -> [RotationState] {
    try await Self.onThread { try self.clearJournal() }
  }
}

/// Tells the thread of a rotation that its task was cancelled.
private final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }
}
