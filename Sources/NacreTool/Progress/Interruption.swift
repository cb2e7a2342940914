#if Tool
import Foundation
import Synchronization

/// Whether somebody wants a long command to end: it ends after the current batch, with everything before it stored.
enum Interruption {
  private static let isWanted = Atomic(false)

  /// Takes the first SIGINT or SIGTERM as a request; the second one ends the process at once, as usual.
  static func watch() {
    var watched = sigset_t()
    sigemptyset(&watched)
    // The handler does only what a signal handler may do: a lock-free atomic store, and `signal` itself.
    for number in [SIGINT, SIGTERM] {
      sigaddset(&watched, number)
      signal(number) { number in
        Interruption.isWanted.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
    // The parent process may have blocked the signals, as the threads of a pool do.
    pthread_sigmask(SIG_UNBLOCK, &watched, nil)
  }

  /// Ends a command that can end at any moment, if a signal has come.
  ///
  /// - Throws: `CommandFailure` with the consequence in its message, if a signal has come.
  static func check(_ consequence: String) throws {
    guard isRequested else { return }
    throw CommandFailure(.interrupted, "interrupted; \(consequence)")
  }

  /// Whether a signal has come.
  static var isRequested: Bool { isWanted.load(ordering: .relaxed) }
}
#endif
