import Foundation
import Synchronization

/// Whether somebody wants a long command to end: it does at the next edge, with everything before it stored.
enum Interruption {
  private static let isWanted = Atomic(false)

  /// Takes the first SIGINT or SIGTERM as a wish; the second one ends the process at once, as it always would.
  static func watch() {
    var watched = sigset_t()
    sigemptyset(&watched)
    // The handler does no more than a signal handler may: a store without a lock, and `signal` itself.
    for number in [SIGINT, SIGTERM] {
      sigaddset(&watched, number)
      signal(number) { number in
        Interruption.isWanted.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
    // Whoever started the process may have blocked them, as threads of a pool do.
    pthread_sigmask(SIG_UNBLOCK, &watched, nil)
  }

  /// Ends what can end at any moment.
  ///
  /// - Throws: `CommandFailure` when a signal has come, with what to say.
  static func check(_ consequence: String) throws {
    guard isRequested else { return }
    throw CommandFailure(status: .interrupted, message: "interrupted; \(consequence)")
  }

  /// Whether a signal has come.
  static var isRequested: Bool { isWanted.load(ordering: .relaxed) }
}
