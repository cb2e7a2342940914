#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Synchronization
import Testing
@testable import TestSupport

/// A primary, and a standby that streams from it.
@Suite(.timeLimit(.minutes(15))) struct ReplicaTests {
  private let primary: Cluster
  private let standby: Cluster
  private let unlock = Unlock.passphrase("correct horse")

  init() throws {
    primary = try Cluster(access: "local all all trust\nlocal replication all trust")
    standby = try Cluster(standbyOf: primary)
    // Each commit waits until the standby shows it.
    try primary.execute(
      "ALTER SYSTEM SET synchronous_standby_names = 'standby'",
      "ALTER SYSTEM SET synchronous_commit = 'remote_apply'",
      "SELECT pg_reload_conf()"
    )
    try primary.wait(for: "sync", from: "SELECT sync_state FROM pg_stat_replication")
  }

  private func open(_ server: Cluster) throws -> Store {
    try Store.open(server.url, unlock: unlock, options: .patient)
  }

  private static func save(_ number: Int) throws {
    let vault = Vault.create()
    vault.label = "\(number)"
    vault.secret = "secret \(number)"
    try vault.save()
  }

  @Test func `a standby is read, and a write there is refused by its code`() throws {
    let writer = try open(primary)
    try writer.write { _ in try Self.save(1) }
    let reader = try open(standby)
    defer { try? reader.close() }
    #expect(try reader.read { _ in try Vault.fetchAll().map(\.secret) } == ["secret 1"])
    let error = #expect(throws: NacreError.self) { try reader.write { _ in try Self.save(2) } }
    #expect(error?.code == .readOnly)
    // What the primary commits later is there at the next read, under new keys too.
    try writer.rewrap(keeping: [unlock])
    try writer.write { _ in try Self.save(3) }
    try writer.close()
    let found = try reader.read { _ in try Vault.fetchAll(orderBy: "label").map(\.secret) }
    #expect(found == ["secret 1", "secret 3"])
  }

  @Test func `observers on a standby are told of what comes from the primary`() async throws {
    let writer = try open(primary)
    try ObservedStores.write(in: writer) { try Self.save(1) }
    let reader = try open(standby)
    defer { ObservedStores.close(reader, writer) }
    var changes = try await reader.changes(of: Vault.self).makeAsyncIterator()
    try ObservedStores.write(in: writer) { try Self.save(2) }
    #expect(await changes.next()?.inserted.count == 1)
  }

  @Test func `every acknowledged save is on the standby that takes the primary's place`() throws {
    // Whoever is patient would look for the commit that got no answer for a minute.
    let store = try Store.open(primary.url, unlock: unlock)
    try store.write { _ in try Self.save(0) }
    let acknowledged = Mutex([0])
    let writer = OwnThread {
      var number = 0
      do {
        while true {
          number += 1
          try store.write { _ in try Self.save(number) }
          acknowledged.withLock { $0.append(number) }
        }
      } catch let error as NacreError {
        return error.code
      }
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while acknowledged.withLock({ $0.count < 100 }), ContinuousClock.now < deadline { usleep(1000) }
    // The standby hears nothing more, so the commit that is under way is not acknowledged.
    let receiver = try #require(
      pid_t(try standby.execute("SELECT pid FROM pg_stat_wal_receiver").dropLast())
    )
    try #require(kill(receiver, SIGSTOP) == 0)
    try primary.wait(
      for: "1",
      from: "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    )
    try primary.stop()
    kill(receiver, SIGCONT)
    let code = try writer.value()
    #expect([.connectionLost, .commitUnknown].contains(code), "\(code)")
    try? store.close()
    try standby.promote()
    let promoted = try open(standby)
    defer { try? promoted.close() }
    // All are read and opened.
    let vaults = try promoted.read { _ in try Vault.fetchAll() }
    for vault in vaults { #expect(vault.secret == "secret \(vault.label)") }
    let labels = vaults.map(\.label)
    #expect(Set(labels).count == labels.count)
    let expected = acknowledged.withLock { $0.map(String.init) }
    #expect(expected.count >= 100)
    #expect(Set(expected).isSubset(of: Set(labels)))
    // At most the save whose answer was lost is there beside them.
    #expect(labels.count - expected.count <= 1)
    try promoted.write { _ in try Self.save(-1) }
    #expect(try promoted.read { _ in try Vault.count() } == labels.count + 1)
  }
}
#endif
