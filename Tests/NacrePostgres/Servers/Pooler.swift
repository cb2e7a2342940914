#if PostgreSQL
import Foundation
import Testing
@testable import TestSupport

/// A pgbouncer in front of a server; it ends when it is released.
final class Pooler {
  private static let program = "/usr/sbin/pgbouncer"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  private let server: Cluster
  private let directory: String
  let url: String

  /// Starts a pool.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - mode: How long a session is lent: `session` or `transaction`.
  ///   - size: The number of sessions.
  ///   - user: The role of all clients.
  ///   - host: The directory of the server's socket, if it is another one.
  /// - Throws: An error if the pool does not start.
  init(
    of server: Cluster,
    mode: String,
    size: Int = 4,
    user: String = "nacre",
    host: String? = nil
  ) throws {
    self.server = server
    directory = "\(server.directory)/pool\(UInt16.random(in: 0...UInt16.max))"
    url = "postgresql://\(user)@/postgres?host=\(directory)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Cluster.giveToOwner(directory, mode: 0o700)
    let name = directory.dropFirst(server.directory.count + 1)
    try server.write(
      """
      [databases]
      postgres = host=\(host ?? server.directory) user=\(user)
      [pgbouncer]
      listen_addr =
      listen_port = 5432
      unix_socket_dir = \(directory)
      auth_type = any
      pool_mode = \(mode)
      default_pool_size = \(size)
      server_login_retry = 0
      pidfile = \(directory)/pid
      logfile = \(directory)/log
      """,
      to: "\(name)/ini"
    )
    try Cluster.run(Self.program, ["-q", "-d", directory + "/ini"])
    // It listens a moment after it has returned.
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      if let socket = try? UnixSocket.connection(to: directory + "/.s.PGSQL.5432") {
        UnixSocket.end(socket)
        break
      }
      try #require(ContinuousClock.now < deadline, "pgbouncer does not listen")
      usleep(10_000)
    }
  }

  deinit {
    guard let text = try? String(contentsOfFile: directory + "/pid", encoding: .utf8),
      let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { return }
    kill(process, SIGKILL)
  }

  /// Runs a statement in a session of the pool, by another client than Nacre.
  ///
  /// - Returns: What psql prints, without the end of the line.
  func execute(_ statement: String) throws -> String {
    try Cluster.run("psql", ["-v", "ON_ERROR_STOP=1", "-qtAX", "-d", url, "-c", statement])
      .trimmingCharacters(in: .newlines)
  }

  /// What clients have left in the session that the pool lends next: settings, and the number of prepared statements.
  ///
  /// The pool itself keeps those settings of each client that the server reports to it.
  func leftovers() throws -> String {
    try execute(
      """
      SELECT concat_ws(' ', (SELECT count(*) FROM pg_prepared_statements), \
      (SELECT string_agg(name, ' ' ORDER BY name) FROM pg_settings WHERE source = 'session' AND name NOT IN \
      ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings')))
      """
    )
  }
}
#endif
