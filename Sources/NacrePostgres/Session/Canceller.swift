#if PostgreSQL
import CPQ
import Foundation
import NacreEngine
import Synchronization

/// Asks the server to cancel what a session runs; any thread may call it.
///
/// libpq sends the request by a connection of its own, and waits until the other side closes that. There is no bound on
/// that wait, so a request has a thread of its own, and no lock is held meanwhile. Others wait for it for as long as a
/// connection may take to open.
final class Canceller: StatementStopper {
  /// libpq's key to a session, which the last one to use it frees.
  private final class Key: @unchecked Sendable {
    // Sendable holds: libpq only reads a key, and `PQcancel` may be called by any thread (its documentation, 34.7).
    private let pointer: OpaquePointer

    init?(of handle: OpaquePointer?) {
      guard let pointer = handle.flatMap({ PQgetCancel($0) }) else { return nil }
      self.pointer = pointer
    }

    deinit { PQfreeCancel(pointer) }

    /// Sends the request, and waits until the server has it.
    ///
    /// The server does not say whether there was anything to cancel.
    func ask() {
      var message = [CChar](repeating: 0, count: 256)
      _ = PQcancel(pointer, &message, Int32(message.count))
    }
  }

  /// A request that is under way.
  private final class Request: Sendable {
    let deadline: ContinuousClock.Instant
    let end = DispatchSemaphore(value: 0)

    init(endingBy deadline: ContinuousClock.Instant) { self.deadline = deadline }
  }

  private struct State {
    var key: Key?
    /// How long others wait for a request.
    var limit = Duration.zero
    var request: Request?
    var isCancelled = false
    var isStopped = false
    var isHeld = false
    /// Whether the request is one of work that has ended.
    var isStray = false
  }

  private let state = Mutex(State())

  /// Takes the key of another session, or of none.
  ///
  /// - Parameters:
  ///   - handle: The session; nil for none.
  ///   - limit: How long its user waits for a request.
  func follow(_ handle: OpaquePointer?, limit: Duration = .zero) {
    let key = Key(of: handle)
    state.withLock { state in
      (state.key, state.limit) = (key, limit)
      // A request to the former session stops nobody any more.
      (state.request, state.isStray) = (nil, false)
    }
  }

  /// Begins a request, unless one is under way.
  private func ask(_ state: inout State) {
    guard let key = state.key else { return }
    state.isCancelled = true
    guard state.request == nil else { return }
    let request = Request(endingBy: .now + state.limit)
    state.request = request
    Thread.detachNewThread { [self] in
      key.ask()
      self.state.withLock { if $0.request === request { $0.request = nil } }
      request.end.signal()
    }
  }

  /// Waits for the end of the request that is under way, for as long as its limit says.
  ///
  /// - Returns: Whether none is under way any more.
  private func settle() -> Bool {
    guard let request = state.withLock({ $0.request }) else { return true }
    let left = max((request.deadline - .now).milliseconds, 0)
    return request.end.wait(timeout: .now() + .milliseconds(Int(left))) == .success
  }

  /// Cancels the statement that runs, for the session's own user.
  ///
  /// - Returns: Whether the server has the request; if not, it can still stop another statement.
  func cancel() -> Bool {
    state.withLock { ask(&$0) }
    defer { state.withLock { $0.isCancelled = false } }
    return settle()
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      if !state.isHeld { ask(&state) }
    }
  }

  func release() {
    let isSettled = settle()
    state.withLock { state in
      (state.isStopped, state.isCancelled) = (false, false)
      if !isSettled { state.isStray = true }
    }
  }

  /// Whether a request is still under way whose work has ended, so that it can stop somebody else's.
  var hasStrayRequest: Bool { state.withLock { $0.isStray && $0.request != nil } }

  /// Whether the work was stopped, and the server has not taken the request in time.
  var isUnheard: Bool {
    state.withLock { state in
      guard state.isStopped, !state.isHeld, let request = state.request else { return false }
      return request.deadline <= .now
    }
  }

  /// Runs statements that nobody stops.
  @discardableResult
  func holding<T, Failure>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    state.withLock { $0.isHeld = true }
    defer { state.withLock { $0.isHeld = false } }
    if !settle() { state.withLock { $0.isStray = true } }
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
