#if PostgreSQL
import Foundation
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A server whose processes are killed around a COMMIT, so that it ends all sessions and recovers.
@Suite struct KillTests {
  /// A server with a store, and a connection to it through a proxy.
  private struct Scene {
    let server: Cluster
    let proxy: ServerProxy
    let connection: PostgresConnection

    init() throws {
      server = try Cluster()
      try Store.open(server.url).close()
      proxy = try ServerProxy(to: server.url)
      var settings = PostgresSettings()
      (settings.busyTimeout, settings.connectTimeout) = (60, 60)
      connection = try TestServer.connect(to: proxy.url(server.url), as: .writer, settings)
      try connection.execute("CREATE TABLE \"t\" (\"a\" bigint)")
    }

    func insert(_ number: Int64) throws {
      try connection.run("INSERT INTO \"t\" VALUES (?1)", [.integer(number)])
    }

    func values() throws -> [Value] { try connection.values("SELECT \"a\" FROM \"t\" ORDER BY 1") }

    /// Kills one of the server's processes, after which the server ends all sessions and recovers from its log.
    static func kill(_ process: Int64) throws {
      try #require(Foundation.kill(pid_t(process), SIGKILL) == 0)
    }
  }

  @Test func `a server that is killed before the commit has stored nothing`() throws {
    let scene = try Scene()
    defer { scene.proxy.close() }
    expect(.connectionLost) {
      try scene.connection.transaction(.immediate) {
        try scene.insert(1)
        try Scene.kill(scene.connection.processNumber)
      }
    }
    try scene.connection.transaction(.immediate) { try scene.insert(2) }
    #expect(try scene.values() == [.integer(2)])
  }

  @Test func `a server that is killed during the commit has stored nothing`() throws {
    let scene = try Scene()
    defer { scene.proxy.close() }
    try scene.connection.execute(
      """
      CREATE FUNCTION "wait"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$; \
      CREATE CONSTRAINT TRIGGER "wait" AFTER INSERT ON "t" DEFERRABLE INITIALLY DEFERRED \
      FOR EACH ROW EXECUTE FUNCTION "wait"()
      """
    )
    let process = try scene.connection.processNumber
    let killer = OwnThread { [url = scene.server.url] in
      let other = try TestServer.connect(to: url)
      let isSleeping =
        "SELECT 1 FROM pg_stat_activity WHERE pid = \(process) AND wait_event = 'PgSleep'"
      while try other.values(isSleeping).isEmpty { usleep(500) }
      try Scene.kill(process)
    }
    expect(.connectionLost) {
      try scene.connection.transaction(.immediate) { try scene.insert(1) }
    }
    try killer.value()
    try scene.connection.execute("DROP TRIGGER \"wait\" ON \"t\"")
    try scene.connection.transaction(.immediate) { try scene.insert(2) }
    #expect(try scene.values() == [.integer(2)])
  }

  @Test func `a server that is killed after the commit has stored it, although nobody was told`()
    throws
  {
    let scene = try Scene()
    defer { scene.proxy.close() }
    let process = try TestServer.connect(to: scene.server.url)
    let number = try process.processNumber
    try scene.connection.begin(.immediate)
    try scene.insert(1)
    // The server says that it has committed; nobody hears it, and nobody can ask before the server is gone.
    scene.proxy.meet(.cutBefore) { $0.direction == .toClient && $0.contains("COMMIT") }
    scene.proxy.refuses = true
    let killer = OwnThread { [proxy = scene.proxy, url = scene.server.url] in
      let watch = try TestServer.connect(to: url)
      while proxy.counts.cuts == 0 { usleep(100) }
      try Scene.kill(number)
      while (try? watch.values("SELECT 1")) != nil { usleep(500) }
      proxy.refuses = false
    }
    try scene.connection.commit()
    try killer.value()
    try scene.connection.transaction(.immediate) { try scene.insert(2) }
    #expect(try scene.values() == [.integer(1), .integer(2)])
  }
}
#endif
