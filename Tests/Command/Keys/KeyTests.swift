import Foundation
import NacreCore
import NacreUpkeep
import TestSupport
import Testing

@Suite struct KeyTests {
  private let bank: Bank

  init() throws { bank = try Bank() }

  /// Adds a key, and gives its id.
  private func add(_ arguments: String...) throws -> String {
    let outcome = try BuiltProduct.nacre.run(["key", "add", bank.path] + arguments + bank.unlocked)
    #expect(outcome.status == 0)
    let id = outcome.output.firstMatch(of: /Added key ([0-9a-f]{8}), which is pending/)
    return String(try #require(id).1)
  }

  private func state(_ id: String) throws -> KeyState? {
    try bank.describe().ring?.keys.first { "\($0.id)" == id }?.state
  }

  @Test func `a key goes through its states`() throws {
    let first = "\(try bank.primaryKey())"
    let id = try add()
    #expect(try state(id) == .pending)
    #expect(try bank.nacre("key promote", id).status == 0)
    #expect(try state(id) == .primary)
    #expect(try state(first) == .enabled)
    let refused = try bank.nacre("key disable", first)
    #expect(refused.status == 31)
    #expect(refused.complaint.contains("2 values: Account.iban 2"))
    #expect(try bank.nacre("key disable", first, "--ignore", "Account.nothing").status == 64)
    let disabled = try bank.nacre("key disable", first, "--ignore", "Account.iban")
    #expect(disabled.status == 0)
    #expect(disabled.output.contains("Ignored: Account.iban.\n"))
    #expect(try state(first) == .disabled)
    let closed = try bank.inspect("Account", "--reveal", "--key-file", bank.keyFile)
    #expect(closed.status == 26)
    #expect(try bank.nacre("key enable", first).status == 0)
    let opened = try bank.inspect("Account", "--reveal", "--key-file", bank.keyFile)
    #expect(opened.status == 0)
  }

  @Test func `keys have a purpose and a suite`() throws {
    let index = try add("--purpose", "index")
    let field = try add("--suite", "aes-256-gcm")
    let keys = try bank.describe().ring?.keys ?? []
    #expect(keys.first { "\($0.id)" == index }?.purpose == .index)
    #expect(keys.first { "\($0.id)" == field }?.suite == .aes256GCM)
    let list = try bank.nacre("key list", unlock: []).output.split(separator: "\n")
    let line = try #require(list.first { $0.hasPrefix(index) })
    #expect(line.contains(/\ index +xaes-256-gcm +pending +20.* 0 days +-$/))
  }

  @Test func `a promoted key's suite is named, and the key that stays beside it`() throws {
    let first = try bank.primaryKey()
    let alone = try bank.nacre("key promote", try add())
    #expect(alone.output.contains("it seals from now on, with xaes-256-gcm."))
    let other = try bank.nacre("key promote", try add("--suite", "aes-256-gcm"))
    #expect(other.output.contains("with aes-256-gcm, for properties that name this suite."))
    #expect(other.output.contains(/\nKey [0-9a-f]{8} stays the primary key of xaes-256-gcm\.\n/))
    #expect(try state("\(first)") == .enabled)
  }

  @Test func `the list of keys names the property that an index key indexes`() throws {
    let key = try #require(try bank.describe().ring?.keys.first { $0.purpose == .index }).id
    #expect(try bank.nacre("key list", unlock: []).output.hasSuffix("\n\(key) indexes nothing\n"))
    let form = ["--seal", "--unique", "--normalizer", "casefold/1", "--padding", "padme"]
    let migrated = try BuiltProduct.nacre.run(
      ["migrate", bank.path, "Account", "holder"] + form + bank.unlocked
    )
    #expect(migrated.status == 0)
    let list = try bank.nacre("key list", unlock: []).output
    #expect(list.hasSuffix("\n\(key) indexes Account.holder\n"))
    let shown = try bank.inspect("Account").output
    #expect(
      shown.contains(
        /holder .* sealed xaes-256-gcm, index of 128 bits, casefold\/1, unique, padding padme\n/
      )
    )
  }

  @Test func `a key that values name is not destroyed, and it is told how many and where`() throws {
    let first = "\(try bank.primaryKey())"
    #expect(try bank.nacre("key promote", try add()).status == 0)
    let outcome = try bank.nacre("key destroy", first, "--yes")
    #expect(outcome.status == 31)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains("2 values: Account.iban 2"))
    #expect(try state(first) == .enabled)
  }

  @Test func `a column that somebody has filled is ignored by name`() throws {
    let first = "\(try bank.primaryKey())"
    try bank.change("CREATE TABLE planted (x)")
    try bank.change("INSERT INTO planted VALUES (x'01\(first)')")
    let rotated = try bank.nacre("rotate")
    #expect(rotated.status == 48)
    #expect(rotated.complaint.contains("planted.x 1"))
    #expect(try state(first) == .enabled)
    let finished = try bank.nacre("rotate", "--ignore", "planted.x")
    #expect(finished.status == 0)
    #expect(finished.output.contains("Ignored: planted.x.\n"))
    let sealed = try bank.nacre("rotate", "--ignore", "Account.iban", "--ignore", "planted.x")
    #expect(sealed.status == 0)
    #expect(!sealed.output.contains("Ignored: Account.iban."))
    #expect(sealed.output.contains("Ignored: planted.x.\n"))
    #expect(try bank.nacre("key destroy", first, "--yes").status == 31)
    #expect(try bank.nacre("key destroy", first, "--yes", "--ignore", "planted.x").status == 0)
    #expect(try state(first) == .destroyed)
  }

  @Test func `a journal that somebody has written is cleared`() throws {
    let row = "'field', '', '', 'pending', 1, 1"
    try bank.change(
      """
      INSERT INTO nacre_rotation (kind, "from", "to", phase, started, updated) VALUES (\(row))
      """
    )
    let refused = try bank.nacre("rotate")
    #expect(refused.status == 24)
    #expect(refused.complaint.contains("--clear-journal"))
    #expect(try bank.nacre("rotate", "--clear-journal", "--dry-run").status == 64)
    let cleared = try bank.nacre("rotate", "--clear-journal")
    #expect(cleared.status == 0)
    #expect(cleared.output.contains("Cleared: field, phase pending.\n"))
    #expect(try bank.nacre("rotate", "--clear-journal").output.contains("is nothing to clear"))
    #expect(try bank.nacre("rotate").status == 0)
  }

  @Test func `without a terminal a key is destroyed by --yes alone`() throws {
    let id = try add()
    let asked = try bank.nacre("key destroy", id, input: id + "\n")
    #expect(asked.status == 64)
    #expect(asked.complainsInOneLine)
    #expect(try state(id) == .pending)
    #expect(try bank.nacre("key destroy", id, "--yes").status == 0)
    #expect(try state(id) == .destroyed)
    #expect(try bank.nacre("key promote", id).status == 32)
  }

  @Test func `keys that are not there, and states that do not allow it, are refused`() throws {
    let primary = "\(try bank.primaryKey())"
    #expect(try bank.nacre("key promote", "00000001").status == 33)
    #expect(try bank.nacre("key promote", primary).status == 32)
    #expect(try bank.nacre("key enable", primary).status == 32)
    #expect(try bank.nacre("key disable", primary).status == 32)
    #expect(try bank.nacre("key destroy", primary, "--yes").status == 32)
    #expect(try bank.nacre("key promote", "primary").status == 64)
  }
}
