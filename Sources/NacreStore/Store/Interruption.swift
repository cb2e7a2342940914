import Dispatch
import NacreEngine
import Synchronization

/// Stops the statements of a connection, on engines that can do so, when the task is cancelled that waits for them.
final class Interruption: Sendable {
  private struct State {
    var isCancelled = false
    /// Whether the work uses the connection now; before and after that, somebody else may.
    var isRunning = false
  }

  private let stopper: (any StatementStopper)?
  private let state = Mutex(State())

  init(of database: Database) { stopper = database.connection.stopper }

  /// Waits for work of which ``during(_:)`` is a part.
  func whileAwaited<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ work: () async throws -> T
  ) async throws -> T {
    guard stopper != nil else { return try await work() }
    return try await withTaskCancellationHandler(
      operation: work,
      onCancel: {
        state.withLock { $0.isCancelled = true }
        stop(after: 0)
      },
      isolation: isolation
    )
  }

  /// Waits for work that runs on the caller's own actor, and uses the connection from its beginning to its end.
  ///
  /// - Throws: As ``during(_:)``.
  func onActor<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () throws -> T
  ) async throws -> T {
    try await whileAwaited {
      // Only a closure that holds the caller's actor runs there.
      _ = isolation
      return try during(body)
    }
  }

  /// Runs the part of the work that uses the connection, whose statements nobody stops before or afterwards.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before, or if a statement was stopped; the error of `body`.
  func during<T>(_ body: () throws -> T) throws -> T {
    guard let stopper else { return try body() }
    let isCancelled = state.withLock { state in
      state.isRunning = true
      return state.isCancelled
    }
    defer {
      state.withLock { $0.isRunning = false }
      stopper.release()
    }
    if isCancelled { throw CancellationError() }
    do { return try body() } catch let error as NacreError
      where error.code == .interrupted && state.withLock({ $0.isCancelled })
    { throw CancellationError() }
  }

  /// Stops the statement that runs, and again until the work has ended: a request is lost that comes just before its
  /// statement.
  private func stop(after pause: Double) {
    // Not on the thread that cancels the task, because the server is asked by a connection of its own.
    DispatchQueue.global().asyncAfter(deadline: .now() + pause) { [self] in
      let goesOn = state.withLock { state in
        // Under the lock, so that it stops no statement of the connection's other users.
        if state.isRunning { stopper?.stop() }
        return state.isRunning
      }
      if goesOn { stop(after: min(max(pause * 2, 0.05), 1)) }
    }
  }
}
