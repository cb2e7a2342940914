#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// The session that listens comes with the first observer, goes with the last, and nothing is missed while it is lost.
@Suite(.timeLimit(.minutes(15))) struct ListenerLossTests {
  @Test func `a session listens from the first observer to the last`() async throws {
    let stores = try ObservedStores()
    try stores.waitForListeners(0)
    do {
      let first = try await stores.store.changes(of: Wheel.self)
      var query = stores.store.live { (_) throws in try Wheel.count() }.makeAsyncIterator()
      #expect(try await query.next() == 0)
      try stores.waitForListeners(1)
      withExtendedLifetime((first, query)) {}
    }
    try stores.waitForListeners(0)
    let again = try await stores.store.changes(of: Vault.self)
    try stores.waitForListeners(1)
    try await stores.store.close()
    try stores.waitForListeners(0)
    withExtendedLifetime(again) {}
    await #expect(throws: NacreError.self) { _ = try await stores.store.changes(of: Wheel.self) }
    #expect(try stores.listeners().isEmpty)
  }

  @Test func `what is committed while the session is lost is told after it`() async throws {
    let proxy = try ServerProxy()
    let stores = try ObservedStores(through: proxy)
    let other = try stores.another()
    defer {
      proxy.refuses = false
      ObservedStores.close(stores.store, other)
      proxy.close()
    }
    let (kept, gone) = (
      try ObservedStores.save(in: stores.store), try ObservedStores.save(in: stores.store)
    )
    var changes = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    let process = try #require(try stores.listeners().first)
    proxy.refuses = true
    let raw = try TestServer.connect(to: stores.url)
    _ = try raw.values("SELECT pg_terminate_backend(\(process))")
    try stores.waitForListeners(0)
    let new = try ObservedStores.save(in: other)
    try ObservedStores.write(in: other) {
      let wheel = try #require(try Wheel.fetch(id: kept))
      wheel.size = 9
      try wheel.save()
      try Wheel.fetch(id: gone)?.delete()
    }
    proxy.refuses = false
    let told = await ObservedStores.soon { await changes.next()?.told }
    #expect(told == Told(inserted: [new], updated: [kept], deleted: [gone]))
    // And it listens again.
    try stores.waitForListeners(1)
    let next = try ObservedStores.save(in: other)
    #expect(await ObservedStores.soon { await changes.next()?.inserted } == [next])
  }

  @Test func `observers go on when the server was started again`() async throws {
    let server = try Cluster()
    let stores = try ObservedStores(server.url)
    var changes = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    try server.stop()
    try server.start()
    let other = try stores.another()
    defer {
      ObservedStores.close(stores.store, other)
      withExtendedLifetime(server) {}
    }
    let wheel = try ObservedStores.save(in: other)
    let told = await ObservedStores.soon { await changes.next()?.inserted }
    #expect(told == [wheel])
  }

  @Test func `who begins to observe during a commit misses nothing`() async throws {
    let stores = try ObservedStores()
    let other = try stores.another()
    defer { ObservedStores.close(stores.store, other) }
    let raw = try TestServer.connect(to: stores.url)
    // The commit waits where nobody listens yet, after it has looked for listeners.
    try raw.execute(
      """
      CREATE FUNCTION "wait"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN PERFORM pg_advisory_xact_lock(17); RETURN NULL; END $$; \
      CREATE CONSTRAINT TRIGGER "wait" AFTER INSERT ON "Wheel" DEFERRABLE INITIALLY DEFERRED \
      FOR EACH ROW EXECUTE FUNCTION "wait"(); SELECT pg_advisory_lock(17)
      """
    )
    let wheel = Wheel.create()
    let objectID = wheel.objectID
    let writer = OwnThread { [wheel = Box(wheel)] in
      try ObservedStores.write(in: other) { try wheel.content.save() }
    }
    try wait(for: "\"objid\" = 17", raw)
    let observer = OwnThread { try stores.store.changes(of: Wheel.self) }
    let schema = try #require(raw.session.channel?.schema)
    try wait(for: "\"classid\" = 1851876210 AND \"objid\"::bigint = \(schema)", raw)
    try raw.execute("SELECT pg_advisory_unlock(17)")
    try writer.value()
    var changes = try observer.value().makeAsyncIterator()
    try ObservedStores.write(in: other) {
      let found = try #require(try Wheel.fetch(id: objectID))
      found.size = 5
      try found.save()
    }
    let told = await ObservedStores.soon { await changes.next()?.told }
    #expect(told == Told(updated: [objectID]))
  }

  /// Waits until somebody waits for an advisory lock, at most half a minute.
  private func wait(for condition: String, _ connection: PostgresConnection) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    let sql = """
      SELECT count(*) FROM pg_locks WHERE "locktype" = 'advisory' AND NOT "granted" AND \(condition)
      """
    while try connection.values(sql) != [.integer(1)] {
      try #require(ContinuousClock.now < deadline, "nobody waits for the lock")
      usleep(2000)
    }
  }
}

/// Carries an object to the one thread that uses it.
private struct Box: @unchecked Sendable {
  // Sendable holds: the test does not use the object meanwhile.
  let content: Wheel

  init(_ content: Wheel) { self.content = content }
}

/// The sets of a change, for comparison.
private struct Told: Equatable {
  var inserted: Set<UUID> = []
  var updated: Set<UUID> = []
  var deleted: Set<UUID> = []
}

extension Changes {
  fileprivate var told: Told { Told(inserted: inserted, updated: updated, deleted: deleted) }
}
#endif
