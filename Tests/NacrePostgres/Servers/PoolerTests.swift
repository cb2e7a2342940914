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

  @Test(.timeLimit(.minutes(15)))
  func `observers hear through a pool that lends a session until its client leaves`() async throws {
    let pooler = try Pooler(of: server, mode: "session")
    let stores = try ObservedStores(pooler.url)
    let other = try ObservedStores.open(server.url)
    defer {
      ObservedStores.close(stores.store, other)
      withExtendedLifetime(pooler) {}
    }
    var changes = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    let wheel = try ObservedStores.save(in: other)
    let told = await ObservedStores.soon { await changes.next()?.inserted }
    #expect(told == [wheel])
  }

  @Test(.timeLimit(.minutes(15)))
  func `observers behind a pool that lends a session for a transaction look for commits`()
    async throws
  {
    let pooler = try Pooler(of: server, mode: "transaction")
    let stores = try ObservedStores(pooler.url, interval: 0.05)
    let other = try ObservedStores.open(server.url)
    defer {
      ObservedStores.close(stores.store, other)
      withExtendedLifetime(pooler) {}
    }
    var here = try await stores.store.changes(of: Wheel.self).makeAsyncIterator()
    var there = try await other.changes(of: Wheel.self).makeAsyncIterator()
    for store in [other, stores.store] {
      let wheel = try ObservedStores.save(in: store)
      #expect(await here.next()?.inserted == [wheel])
      // Whoever listens hears of a commit behind the pool, too.
      #expect(await ObservedStores.soon { await there.next()?.inserted } == [wheel])
    }
  }

  @Test
  func
    `a pool that lends a session for less than was said is refused`()
    throws
  {
    // With one session each client gets the same one, with the other's statements; with two it gets another one.
    for size in 1...2 {
      let pooler = try Pooler(of: server, mode: "transaction", size: size)
      var options = StoreOptions.patient
      options.postgres.poolMode = .session
      let error = #expect(throws: NacreError.self) {
        for _ in 1...3 {
          let store = try Store.open(pooler.url, unlock: unlock, options: options)
          defer { try? store.close() }
          try store.write { _ in try Safe.create().save() }
          #expect(try store.read { _ in try Safe.count() } > 0)
        }
      }
      #expect(error?.code == .cannotOpen)
      #expect(String(describing: error).contains("poolMode"))
    }
  }
}
#endif
