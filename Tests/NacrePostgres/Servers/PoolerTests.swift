#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import TestSupport

/// A store behind pgbouncer, which lends few sessions of a server to many clients.
@Suite(.enabled(if: Pooler.isInstalled, "there is no pgbouncer"))
struct PoolerTests {
  private let server: Cluster
  private let unlock = Unlock.passphrase("correct horse")

  init() throws { server = try Cluster() }

  @Test func `a pool that lends a session until its client leaves is as good as the server`() throws
  {
    let pooler = try Pooler(of: server, mode: "session")
    for number in 1...2 {
      let store = try Store.open(pooler.url, unlock: unlock, options: .patient)
      try store.write { _ in
        let safe = Safe.create()
        safe.secret = "\(number)"
        try safe.save()
      }
      #expect(try store.read { _ in try Safe.count() } == number)
      try store.close()
    }
  }

  @Test func `a pool that lends a session for a transaction is refused`() throws {
    let pooler = try Pooler(of: server, mode: "transaction")
    let error = #expect(throws: NacreError.self) {
      for _ in 1...2 {
        let store = try Store.open(pooler.url, unlock: unlock, options: .patient)
        defer { try? store.close() }
        try store.write { _ in try Safe.create().save() }
        #expect(try store.read { _ in try Safe.count() } > 0)
      }
    }
    #expect(error?.code == .cannotOpen)
    #expect(String(describing: error).contains("pool_mode=session"))
  }
}

/// A pgbouncer in front of a server; it ends when it is released.
final class Pooler {
  private static let program = "/usr/sbin/pgbouncer"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  private let server: Cluster
  let url: String

  init(of server: Cluster, mode: String) throws {
    self.server = server
    url = "postgresql://nacre@/postgres?host=\(server.directory)&port=6432"
    try server.write(
      """
      [databases]
      postgres = host=\(server.directory) user=nacre
      [pgbouncer]
      listen_addr =
      listen_port = 6432
      unix_socket_dir = \(server.directory)
      auth_type = any
      pool_mode = \(mode)
      default_pool_size = 4
      pidfile = \(server.directory)/pgbouncer.pid
      logfile = \(server.directory)/pgbouncer.log
      """,
      to: "pgbouncer.ini"
    )
    try Cluster.run(Self.program, ["-q", "-d", server.directory + "/pgbouncer.ini"])
    // It listens a moment after it has returned.
    let deadline = ContinuousClock.now + .seconds(30)
    while !FileManager.default.fileExists(atPath: server.directory + "/.s.PGSQL.6432") {
      try #require(ContinuousClock.now < deadline, "pgbouncer does not listen")
      usleep(10_000)
    }
  }

  deinit {
    guard
      let text = try? String(contentsOfFile: server.directory + "/pgbouncer.pid", encoding: .utf8),
      let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { return }
    kill(process, SIGKILL)
  }
}
#endif
