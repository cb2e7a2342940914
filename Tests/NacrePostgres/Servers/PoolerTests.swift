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
