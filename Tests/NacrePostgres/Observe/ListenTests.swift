#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Synchronization
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// What one process commits, observers in others hear from the server.
@Suite(.timeLimit(.minutes(15))) struct ListenTests {
  @Test func `two stores tell each other of their commits`() async throws {
    let stores = try ObservedStores()
    let other = try stores.another()
    defer { ObservedStores.close(stores.store, other) }
    var here = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    var there = try await other.changes(of: Wheel.self).makeAsyncIterator()
    try await ObservedStores.soon {
      for store in [other, stores.store] {
        let wheel = try ObservedStores.save(in: store)
        for told in [await here.next()?.inserted, await there.next()?.inserted] {
          #expect(told == [wheel])
        }
      }
    }
  }

  @Test func `what another process commits is heard, and a live query runs again`() async throws {
    let stores = try ObservedStores()
    defer { ObservedStores.close(stores.store) }
    let first = try ObservedStores.save(in: stores.store)
    var changes = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    var sizes = stores.store.live { (_) throws in try Wheel.fetchAll().map(\.size) }
      .makeAsyncIterator()
    #expect(try await sizes.next() == [1])
    await #expect(processExitsWith: .success) { [url = stores.url as String] in
      let store = try ObservedStores.open(url)
      try store.write { (_) throws in
        let wheel = try #require(try Wheel.fetchOne())
        wheel.size = 44
        try wheel.save()
      }
      try store.close()
    }
    let (told, found) = try await ObservedStores.soon {
      (await changes.next()?.updated, try await sizes.next())
    }
    #expect(told == [first])
    #expect(found == [44])
  }

  @Test func `a commit is one notice without a name, however much it writes, and a rollback none`()
    async throws
  {
    let stores = try ObservedStores()
    let other = try stores.another()
    defer { ObservedStores.close(stores.store, other) }
    var changes = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    let listener = try stores.listener()
    struct Stop: Error {}
    try? ObservedStores.write(in: other) {
      try Wheel.create().save()
      throw Stop()
    }
    try ObservedStores.write(in: other) { _ = try Wheel.count() }
    try stores.tell("after the rollback")
    #expect(try listener.notices(until: "after the rollback").isEmpty)
    try ObservedStores.write(in: other) { for _ in 0..<10_000 { try Wheel.create().save() } }
    try stores.tell("after the commit")
    let notices = try listener.notices(until: "after the commit")
    #expect(notices.count == 1)
    // A random token, and nothing of tables or rows.
    #expect(notices.first.map { UUID(uuidString: $0) != nil } == true)
    let told = await ObservedStores.soon { await changes.next()?.inserted.count }
    #expect(told == 10_000)
  }

  @Test func `a home hears others and not itself`() throws {
    let stores = try ObservedStores()
    try stores.store.close()
    let (own, other) = (try PostgresHome(url: stores.url), try PostgresHome(url: stores.url))
    let count = Mutex(0)
    let heard = DispatchSemaphore(value: 0)
    let listener = try #require(
      try own.listen {
        count.withLock { $0 += 1 }
        heard.signal()
      }
    )
    defer { listener.stop() }
    let insert = """
      INSERT INTO "Wheel" ("objectID", "size", "note") VALUES (gen_random_uuid(), 1, '')
      """
    let writer = try own.connect(.writer)
    for _ in 0..<50 { try writer.transaction(.immediate) { try writer.execute(insert) } }
    let stranger = try other.connect(.writer)
    try stranger.transaction(.immediate) { try stranger.execute(insert) }
    #expect(heard.wait(timeout: .now() + 30) == .success)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `a notice of anybody makes observers look, whatever it says`() async throws {
    // One look follows another no sooner than this.
    let stores = try ObservedStores(interval: 2)
    defer { ObservedStores.close(stores.store) }
    let wheel = try ObservedStores.save(in: stores.store)
    var changes = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    let payloads = [
      "", " ", "0", "null", "{\"table\":\"Wheel\",\"keys\":[]}", "Wheel\n" + UUID().uuidString,
      "\u{1F980}%s%n", String(repeating: "x", count: 7999),
    ]
    let raw = try TestServer.connect(to: stores.url)
    for (number, payload) in payloads.enumerated() {
      // Nobody tells of this one but the notice.
      try raw.execute("UPDATE \"Wheel\" SET \"size\" = \(number + 100)")
      try stores.tell(payload)
      let told = await ObservedStores.soon(within: .seconds(80)) { await changes.next()?.updated }
      #expect(told == [wheel])
    }
  }

  @Test func `what others change without Nacre is found a while later`() async throws {
    let stores = try ObservedStores(interval: 0.02)
    defer { ObservedStores.close(stores.store) }
    let wheel = try ObservedStores.save(in: stores.store)
    var changes = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    try TestServer.connect(to: stores.url).execute("UPDATE \"Wheel\" SET \"size\" = 7")
    #expect(await changes.next()?.updated == [wheel])
  }

  @Test func `a server that does not tell is asked instead`() async throws {
    let stores = try ObservedStores()
    ObservedStores.close(stores.store)
    let open = {
      try Store.open(
        PostgresHome(url: stores.url, missing: .tellsChanges),
        unlock: Scene.unlock,
        options: ObservedStores.options(interval: 0.02)
      )
    }
    let (store, other) = (try open(), try open())
    defer { ObservedStores.close(store, other) }
    var changes = try await store.changes(of: Wheel.self).makeAsyncIterator()
    #expect(try stores.listeners().isEmpty)
    let listener = try stores.listener()
    let wheel = try ObservedStores.save(in: other)
    #expect(await changes.next()?.inserted == [wheel])
    try stores.tell("end")
    #expect(try listener.notices(until: "end").isEmpty)
  }

  @Test func `a save that others hear of takes no more round trips`() async throws {
    let (stores, proxy) = (try ObservedStores(), try ServerProxy())
    let other = try ObservedStores.open(proxy.url(stores.url))
    defer {
      ObservedStores.close(stores.store, other)
      proxy.close()
    }
    var changes = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    // Makes the tables and prepares the statements.
    for _ in 0..<2 { try ObservedStores.save(in: other) }
    proxy.count()
    let wheel = try ObservedStores.save(in: other)
    #expect(proxy.counts.roundTrips == 2)
    var told: Set<UUID> = []
    while !told.contains(wheel) { told.formUnion(try #require(await changes.next()).inserted) }
  }
}
#endif
