#if PostgreSQL
import CPQ
import Foundation
import NacreEngine

extension ServerSession {
  /// Waits until a session that was begun is open, and checks that its server can hold stores.
  func finishOpening(until deadline: ContinuousClock.Instant) throws(PostgresError) {
    guard let handle, PQstatus(handle) != CONNECTION_BAD else { throw unconnected() }
    notices.receive(from: handle)
    var wanted = PGRES_POLLING_WRITING
    while wanted != PGRES_POLLING_OK {
      guard wanted != PGRES_POLLING_FAILED else { throw unconnected() }
      let events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard try wait(for: Int16(events), until: deadline) else {
        let host = PQhost(handle).map { String(cString: $0) } ?? ""
        throw PostgresError(.cannotOpen, "the server \(host) did not answer in time")
      }
      wanted = PQconnectPoll(handle)
    }
    try Self.check(version: PQserverVersion(handle), encoding: parameter("server_encoding"))
    guard PQsetnonblocking(handle, 1) == 0 else { throw unconnected() }
    canceller.follow(handle, limit: settings.connectLimit)
  }

  /// Throws if a server can't hold stores.
  ///
  /// - Parameters:
  ///   - version: The server's version, as libpq writes it: 140002 for 14.2.
  ///   - encoding: The encoding of the database's texts.
  /// - Throws: The engine's error, of kind `cannotOpen`.
  static func check(version: Int32, encoding: String) throws(PostgresError) {
    guard version >= 140_000 else {
      throw PostgresError(
        .cannotOpen,
        "the server has PostgreSQL \(version / 10_000), and a store needs 14 or later"
      )
    }
    guard encoding == "UTF8" else {
      throw PostgresError(
        .cannotOpen,
        "the database has the encoding \(encoding), and a store needs UTF8"
      )
    }
  }

  private func unconnected() -> PostgresError {
    PostgresError(.cannotOpen, PostgresError.trimmed(PQerrorMessage(handle)))
  }

  /// The error for a server that wants a password, of which nobody has told one.
  static let noPassword = PostgresError(
    .cannotOpen,
    """
    the server wants a password, and there is none; keep it in a file that PGPASSFILE names, or set \
    `options.postgres.password`
    """
  )
}
#endif
