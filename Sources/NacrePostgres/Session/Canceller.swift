#if PostgreSQL
import CPQ
import Synchronization

/// Asks the server to cancel what a session runs; any thread may call it.
final class Canceller: Sendable {
  private struct State: @unchecked Sendable {
    // Sendable holds: the state is used only under the lock.
    var key: OpaquePointer?
    var isCancelled = false
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

  /// Sends the request by a connection of its own, and waits until the server has it.
  ///
  /// libpq bounds the wait by the session's `tcp_user_timeout`. The server does not say whether there was anything to
  /// cancel.
  func cancel() {
    state.withLock { state in
      guard let key = state.key else { return }
      state.isCancelled = true
      var message = [CChar](repeating: 0, count: 256)
      _ = PQcancel(key, &message, Int32(message.count))
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
