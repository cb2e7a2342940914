#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A server whose processes are killed around the COMMIT of a save, which goes to it behind the writes.
@Suite struct KilledSaveTests {
  private let server: Cluster
  private let scene: WholeSession.Scene
  private let store: Store

  init() throws {
    server = try Cluster()
    scene = try WholeSession.Scene(on: server.url)
    store = try scene.open()
    try WholeSession.warmUp(store)
  }

  /// Kills one of the server's processes, after which the server ends all sessions and recovers from its log.
  ///
  /// It waits until another session has ended.
  private static func killServer(_ url: String) throws {
    let (victim, watch) = (try TestServer.connect(to: url), try TestServer.connect(to: url))
    try #require(kill(pid_t(try victim.processNumber), SIGKILL) == 0)
    while (try? watch.values("SELECT 1")) != nil { usleep(500) }
  }

  /// Returns what is stored of a car.
  private func stored(_ name: String) throws -> String {
    // The server has ended the session of the store that looks, which it learns by a failure.
    _ = try? scene.car(name)
    return try scene.car(name)
  }

  @Test(.timeLimit(.minutes(15)))
  func `a save whose server is killed before the COMMIT ends leaves nothing`() throws {
    defer { scene.proxy.close() }
    let (car, objects) = WholeSession.car("a")
    let states = WholeSession.states(of: objects)
    let check = "SET CONSTRAINTS ALL IMMEDIATE"
    // The writes and the token are there, and the COMMIT waits behind this.
    let sleep = "SELECT pg_sleep(600)"
    scene.proxy.meet(.changed { $0.replacing(check, by: sleep) }) { $0.runs(check) }
    let killer = OwnThread { [url = server.url] in
      let watch = try TestServer.connect(to: url)
      let isSleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
      while try watch.values(isSleeping).isEmpty { usleep(500) }
      try Self.killServer(url)
    }
    let error = #expect(throws: NacreError.self) { try store.save([car]) }
    try killer.value()
    #expect(scene.proxy.counts.changed == [check])
    #expect(error?.code == .connectionLost, "\(String(describing: error))")
    #expect(WholeSession.states(of: objects) == states)
    #expect(try stored("a") == WholeSession.nothing)
    try store.save([car])
    #expect(objects.allSatisfy { !$0.hasChanges })
    #expect(try scene.car("a") == WholeSession.whole("a"))
  }

  @Test(.timeLimit(.minutes(15)))
  func `a save whose server is killed after the COMMIT is stored once, although nobody was told`()
    throws
  {
    defer { scene.proxy.close() }
    let (car, objects) = WholeSession.car("a")
    // The server says that it has committed; nobody hears it, and nobody can ask before the server is gone.
    scene.proxy.meet(.cutBefore) { $0.direction == .toClient && $0.contains("COMMIT") }
    scene.proxy.refuses = true
    let killer = OwnThread { [proxy = scene.proxy, url = server.url] in
      while proxy.counts.cuts == 0 { usleep(100) }
      try Self.killServer(url)
      proxy.refuses = false
    }
    try store.save([car])
    try killer.value()
    #expect(objects.allSatisfy { $0.isStored && !$0.hasChanges })
    #expect(try stored("a") == WholeSession.whole("a"))
    // It has nothing to write any more.
    try store.save([car])
    #expect(try scene.car("a") == WholeSession.whole("a"))
  }
}
#endif
