#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import TestSupport

/// Slots, keys and the store key of a store on a server.
@Suite struct ServerKeyTests {
  private let bank: ServerStore

  init() throws { bank = try ServerStore() }

  /// Opens the store as an application does, and closes it.
  private func unlock(by unlock: Unlock) throws { try bank.open(unlock: unlock).close() }

  @Test func `the status of a store is shown with and without a secret`() throws {
    let status = try bank.nacre("status", unlock: [])
    #expect(status.status == 0, "\(status.complaint)")
    #expect(status.output.contains(/Path +postgresql:\/\//))
    #expect(status.output.contains(/Ring +generation 1, not verified/))
    #expect(status.output.contains("\n  1  secret\n"))
    #expect(try bank.nacre("status").output.contains("generation 1, verified"))
    #expect(try bank.nacre("inspect").status == 0)
  }

  @Test func `slots are added, listed, changed and removed`() throws {
    let added = try bank.nacre(
      "slot add",
      "--new-passphrase-fd",
      "0",
      input: ServerStore.passphrase
    )
    #expect(added.status == 0, "\(added.complaint)")
    #expect(added.output.contains("Added slot 2.\n"))
    try unlock(by: .passphrase(ServerStore.passphrase))
    let listed = try bank.nacre("slot list")
    #expect(listed.output == "1  secret      * opened by this secret\n2  passphrase\n")
    #expect(
      try bank.nacre("slot change", "2", "--new-passphrase-fd", "0", input: "other").status == 0
    )
    try unlock(by: .passphrase("other"))
    #expect(try bank.nacre("slot remove", "2").status == 0)
    #expect(try bank.nacre("slot remove", "1").status == 35)
    let error = #expect(throws: NacreError.self) { try unlock(by: .passphrase("other")) }
    #expect(error?.code == .wrongSecret)
  }

  @Test func `a wrong secret and none are refused`() throws {
    let wrong = try bank.nacre("key add", unlock: ["--passphrase-fd", "0"], input: "wrong")
    #expect(wrong.status == 20)
    #expect(wrong.complainsInOneLine)
    #expect(try bank.nacre("key add", unlock: []).status == 22)
  }

  @Test func `a rewrap shuts out the slots that are not named, and says what the server keeps`()
    throws
  {
    #expect(try bank.nacre("slot add", "--new-passphrase-fd", "0", input: "p").status == 0)
    #expect(try bank.nacre("rewrap").status == 36)
    let outcome = try bank.nacre("rewrap", "--drop-slots")
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(outcome.output.contains("Slots kept: 1. Slots dropped: 2 (passphrase)."))
    #expect(outcome.output.contains("replicas and backups may hold the former slots"))
    try unlock(by: .keyFile(bank.keyFile))
    let error = #expect(throws: NacreError.self) { try unlock(by: .passphrase("p")) }
    #expect(error?.code == .wrongSecret)
  }

  private func state(_ id: String) throws -> KeyState? {
    try StoreInspection(path: bank.url).describe().ring?.keys.first { "\($0.id)" == id }?.state
  }

  @Test func `a key goes through its states`() throws {
    let keys = try StoreInspection(path: bank.url).describe().ring?.keys ?? []
    let first = "\(try #require(keys.first { $0.purpose == .field }).id)"
    let added = try bank.nacre("key add")
    #expect(added.status == 0, "\(added.complaint)")
    let id = String(try #require(added.output.firstMatch(of: /Added key ([0-9a-f]{8})/)).1)
    #expect(try state(id) == .pending)
    #expect(try bank.nacre("key promote", id).status == 0)
    #expect([try state(first), try state(id)] == [.enabled, .primary])
    let list = try bank.nacre("key list", unlock: []).output.split(separator: "\n")
    let line = try #require(list.first { $0.hasPrefix(first) })
    #expect(line.contains(/\ field +xaes-256-gcm +enabled +20.* 0 days +0\b/))
  }

  @Test func `an anchor is taken, and an older store is refused by it`() throws {
    let taken = try bank.nacre("anchor")
    #expect(taken.status == 0, "\(taken.complaint)")
    let anchor = taken.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try bank.nacre("status", "--expect", anchor).status == 0)
    let other = try ServerStore()
    #expect(try other.nacre("status", "--expect", anchor).status == 70)
  }

  @Test func `the catalog is looked at`() throws {
    let outcome = try bank.nacre("catalog")
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(outcome.output == "The catalog is as it was written.\n")
  }
}
#endif
