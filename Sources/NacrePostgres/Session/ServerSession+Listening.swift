#if PostgreSQL
import CPQ
import Foundation
import NacreEngine

extension ServerSession {
  /// How long nothing may come before the session asks whether the server is still there, in seconds.
  private static let silence = 30

  /// Listens for commits from now on, in a new session if there is none.
  ///
  /// - Throws: What opening throws; the server's error, of kind `busy` if a commit under way does not end in time.
  func listen() throws(PostgresError) {
    if handle == nil { try openAgain() }
    guard !isShared else { throw Self.noNotices }
    guard let channel else { throw PostgresError(.cannotOpen, "the database has no schema") }
    // The session does nothing for as long as nobody commits.
    try runToEnd("SET idle_session_timeout = 0; \(channel.listen)", sql: nil)
  }

  /// The error for a session that tells nothing of commits, because a pool lends it to others in between.
  private static let noNotices = PostgresError(
    sqlState: SQLState.notSupported,
    kind: .badStatement,
    message: "a pool lends this session for a transaction, so it can't listen",
    sql: nil,
    place: nil
  )

  private func openAgain() throws(PostgresError) {
    do {
      try open()
    } catch {
      throw (error as? HomeError)?.cause as? PostgresError
        ?? PostgresError(.cannotOpen, "the server can't be reached")
    }
  }

  /// Waits until somebody commits, or a descriptor can be read.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - token: The token of commits that don't count.
  /// - Returns: Whether somebody may have committed; a notice that says anything but the token counts.
  /// - Throws: An error of kind `connectionLost`; commits may be missed then.
  func hears(orUntilReadable descriptor: Int32, ignoring token: String) throws(PostgresError)
    -> Bool
  {
    if takeNotices().contains(where: { $0 != token }) { return true }
    guard let handle else { throw .lost("the session is closed") }
    var sockets = [PQsocket(handle), descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&sockets, 2, Int32(Self.silence * 1000))
    if count < 0, errno != EINTR { throw lose(lastSystemError(), nil) }
    if count == 0 {
      end = .now + .seconds(Self.silence)
      defer { end = nil }
      try runToEnd("", sql: nil)
    }
    if count > 0, sockets[0].revents != 0, PQconsumeInput(handle) != 1 {
      throw lose(PostgresError.trimmed(PQerrorMessage(handle)), nil)
    }
    return takeNotices().contains { $0 != token }
  }

  /// Takes the notices that have arrived, and returns what they say.
  func takeNotices() -> [String] {
    var notices: [String] = []
    while let handle, let notice = PQnotifies(handle) {
      notices.append(notice.pointee.extra.map { String(cString: $0) } ?? "")
      PQfreemem(notice)
    }
    return notices
  }
}
#endif
