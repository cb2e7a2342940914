#if PostgreSQL
import Foundation
import NacreEngine
import Synchronization

/// Listens for the commits of a store's other users, by a session and a thread of its own.
///
/// If the session is lost, it opens another one. Nobody knows what was committed meanwhile, so whoever listens then hears,
/// too. What a notice says is nobody's word: all that is looked at is whether it is the store's own.
final class ChangeListener: ChangeListening, @unchecked Sendable {
  // Sendable holds: the session is the thread's alone from the end of `init` on, and all else is constant or locked.
  private let session: ServerSession
  private let token: String
  private let settings: @Sendable () -> PostgresSettings
  private let hear: @Sendable () -> Void
  /// The end of a pipe that the thread reads, beside the socket.
  private let wake: Int32
  /// The other end, which `stop()` closes; nil then.
  private let bell: Mutex<Int32?>

  /// The pauses between two attempts to open a session, in milliseconds.
  private static let pauses = (first: Int32(50), longest: Int32(5000))

  /// Takes a session that listens already, and waits for notices from now on.
  ///
  /// - Throws: `HomeError` if the process can't open a pipe.
  init(
    _ session: ServerSession,
    ignoring token: String,
    settings: @escaping @Sendable () -> PostgresSettings,
    _ hear: @escaping @Sendable () -> Void
  ) throws {
    (self.session, self.token, self.settings, self.hear) = (session, token, settings, hear)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      session.close()
      throw HomeError(.cannotOpen, "a pipe can't be opened: \(lastSystemError())")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wake = ends[0]
    bell = Mutex(ends[1])
    let thread = Thread { [self] in run() }
    thread.name = "nacre.listen"
    thread.start()
  }

  func stop() {
    bell.withLock { bell in
      if let end = bell { close(end) }
      bell = nil
    }
  }

  private var isStopped: Bool { bell.withLock { $0 == nil } }

  private func run() {
    defer {
      session.close()
      close(wake)
    }
    var pause = Self.pauses.first
    while !isStopped {
      do throws(PostgresError) {
        if session.handle == nil {
          session.settings = settings()
          try session.listen()
          pause = Self.pauses.first
          hear()
        }
        if try session.hears(orUntilReadable: wake, ignoring: token) { hear() }
      } catch {
        session.close()
        // A standby answers, which does not tell what it gets from its primary.
        if SQLState.refusesListening(error.sqlState) { hear() }
        wait(pause)
        pause = min(pause * 2, Self.pauses.longest)
      }
    }
  }

  /// Waits for some milliseconds, or until the end.
  private func wait(_ milliseconds: Int32) {
    var end = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    _ = poll(&end, 1, milliseconds)
  }
}
#endif
