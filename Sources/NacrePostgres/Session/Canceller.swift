#if PostgreSQL
import CPQ
import NacreEngine
import Synchronization

/// Asks the server to cancel what a session runs; any thread may call it.
final class Canceller: StatementStopper {
  private struct State: @unchecked Sendable {
    // Sendable holds: the state is used only under the lock.
    var key: OpaquePointer?
    var isCancelled = false
    var isStopped = false
    var isHeld = false

    /// Sends the request by a connection of its own, and waits until the server has it.
    ///
    /// libpq bounds the wait by the session's `tcp_user_timeout`. The server does not say whether there was anything to
    /// cancel.
    mutating func cancel() {
      guard let key else { return }
      isCancelled = true
      var message = [CChar](repeating: 0, count: 256)
      _ = PQcancel(key, &message, Int32(message.count))
    }
  }

  private let state = Mutex(State())

  deinit { follow(nil) }

  /// Takes the key of another session, or of none.
  func follow(_ handle: OpaquePointer?) {
    let key = handle.flatMap { PQgetCancel($0) }
    state.withLock { state in
      PQfreeCancel(state.key)
      state.key = key
    }
  }

  /// Cancels the statement that runs.
  func cancel() { state.withLock { $0.cancel() } }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      if !state.isHeld { state.cancel() }
    }
  }

  func release() { state.withLock { ($0.isStopped, $0.isCancelled) = (false, false) } }

  /// Runs statements that nobody stops.
  @discardableResult
  func holding<T, Failure>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    state.withLock { $0.isHeld = true }
    defer { state.withLock { $0.isHeld = false } }
    return try body()
  }

  /// Notes that a statement begins, which nobody has cancelled yet.
  ///
  /// - Parameter sql: The statement, for the error.
  /// - Throws: An error of kind `interrupted` after ``stop()``.
  func admit(_ sql: String?) throws(PostgresError) {
    let isStopped = state.withLock { state in
      state.isCancelled = false
      return state.isStopped && !state.isHeld
    }
    if isStopped {
      throw PostgresError(.interrupted, "the work on the connection was stopped", sql: sql)
    }
  }

  /// Whether `cancel` was called since the last call of this.
  func takeCancelled() -> Bool {
    state.withLock { state in
      defer { state.isCancelled = false }
      return state.isCancelled
    }
  }
}
#endif
