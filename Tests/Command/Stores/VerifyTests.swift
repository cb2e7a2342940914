import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

@Suite struct VerifyTests {
  private let bank: Bank
  private var list: String { bank.directory.file("bad.jsonl") }

  init() throws { bank = try Bank() }

  /// Puts plaintext into one sealed cell, and another cell's envelope into a second one.
  private func damage() throws {
    try bank.change("UPDATE Account SET note = iban WHERE holder = 'Ada'")
    try bank.change("UPDATE Account SET note = 'PLAINTEXT' WHERE holder <> 'Ada'")
  }

  @Test func `a sound store is said to be sound`() throws {
    let outcome = try bank.nacre("verify")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(/Account\.iban +2 +0 +0\n/))
    #expect(outcome.output.contains(/Account\.note +0 +2 +0\n/))
    #expect(outcome.output.hasSuffix("nothing is wrong.\n"))
  }

  @Test func `a trigger on the store's own tables is named, and refused elsewhere`() throws {
    try bank.change("CREATE TRIGGER undo AFTER INSERT ON nacre_slot BEGIN SELECT 1; END")
    for (verb, unlock) in [("check", []), ("verify", bank.unlocked)] as [(String, [String])] {
      let outcome = try bank.nacre(verb, unlock: unlock)
      #expect(outcome.status == 50)
      #expect(outcome.everything.contains("DROP TRIGGER \"undo\""))
    }
    for verb in ["rotate", "rewrap", "verify --quarantine --yes"] {
      let words = verb.split(separator: " ").map(String.init)
      let outcome = try BuiltProduct.nacre.run(
        [words[0], bank.path] + words.dropFirst() + bank.unlocked
      )
      #expect(outcome.status == 58)
      #expect(outcome.complaint.contains("DROP TRIGGER \"undo\""))
    }
  }

  @Test func `bad cells are named without their content`() throws {
    try damage()
    let outcome = try bank.nacre("verify")
    #expect(outcome.status == 50)
    #expect(outcome.lastComplaint.hasPrefix("nacre: 2 bad cells found"))
    #expect(outcome.output.contains(/Account\.note of [0-9A-F-]{36}: tampered/))
    #expect(outcome.output.contains(/Account\.note of [0-9A-F-]{36}: notAnEnvelope/))
    #expect(!outcome.everything.contains("PLAINTEXT"))
  }

  @Test func `bad cells are listed in a file, which is never overwritten`() throws {
    try damage()
    #expect(try bank.nacre("verify", "--list", list).status == 50)
    let lines = String(decoding: try bank.directory.bytes("bad.jsonl"), as: UTF8.self)
      .split(separator: "\n")
    let cells = try lines.map { try JSONDecoder().decode(BadCell.self, from: Data($0.utf8)) }
    #expect(Set(cells.map(\.fault)) == [.tampered, .notAnEnvelope])
    #expect(cells.allSatisfy { $0.entity == "Account" && $0.property == "note" })
    let mode = try FileManager.default.attributesOfItem(atPath: list)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    let again = try bank.nacre("verify", "--list", list)
    #expect(again.status == 60)
    #expect(again.complainsInOneLine)
  }

  @Test func `bad cells are moved to quarantine, and the rest is usable`() throws {
    try damage()
    #expect(
      try bank.nacre("verify", "--list-quarantined").output == "Nothing is in quarantine.\n"
    )
    let before = try bank.bytes()
    let asked = try bank.nacre("verify", "--quarantine", input: "yes\n")
    #expect(asked.status == 64)
    #expect(asked.complaint.contains("give --yes"))
    #expect(try bank.bytes() == before)
    let outcome = try bank.nacre("verify", "--quarantine", "--yes")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Store     "))
    #expect(outcome.output.contains("\nQuarantine:\n  2 bad cells: moved aside"))
    #expect(!outcome.everything.contains("PLAINTEXT"))
    #expect(try bank.nacre("verify").status == 0)
    #expect(try StoreInspection(path: bank.path).work().quarantinedCount == 2)
    let list = try bank.nacre("verify", "--list-quarantined", unlock: [])
    #expect(list.output.contains(/\b1  Account\.note of [0-9A-F-]{36}  [a-zA-Z]+ +\d+ bytes  20/))
    #expect(list.output.contains("notAnEnvelope") && !list.output.contains("PLAINTEXT"))
    let events = try bank.nacre("verify", "--list-quarantined", "--json", unlock: [])
    #expect(events.output.matches(of: /"event":"quarantined"/).count == 2)
  }

  @Test func `verify still fails if a fault remains that quarantine can't move`() throws {
    try damage()
    try bank.change("ALTER TABLE Account RENAME COLUMN holder TO gone")
    let outcome = try bank.nacre("verify", "--quarantine", "--yes")
    #expect(outcome.status == 50)
    #expect(outcome.output.contains("2 bad cells: moved aside"))
  }

  @Test func `with --json each line is an event`() throws {
    try damage()
    let outcome = try bank.nacre("verify", "--json", "--quarantine", "--yes")
    #expect(outcome.status == 0)
    let events = try outcome.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let names = events.compactMap { $0["event"] as? String }
    #expect(names.count { $0 == "badCell" } == 2)
    #expect(names.count { $0 == "moved" } == 2)
    #expect(names.last == "done")
    let done = try #require(events.first { $0["event"] as? String == "done" })
    #expect(done["sound"] as? Bool == false)
    #expect(done["badCells"] as? Int == 2)
    #expect(outcome.complaint.contains("Store     "))
  }

  @Test func `sealed values need the secret`() throws {
    #expect(try bank.nacre("verify", unlock: []).status == 22)
    #expect(try bank.nacre("verify", "--quarantine", "--yes", unlock: []).status == 22)
  }

  @Test func `check looks over the file without a secret, and says what it leaves out`()
    throws
  {
    let outcome = try bank.nacre("check", unlock: [])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Nothing is wrong with the file.\n"))
    #expect(outcome.output.contains("Not verified without a secret"))
    try bank.change("UPDATE nacre_property SET \"column\" = 'gone' WHERE name = 'holder'")
    let damaged = try bank.nacre("check", unlock: [])
    #expect(damaged.status == 50)
    #expect(damaged.complainsInOneLine)
    #expect(damaged.output.contains("Account.holder"))
  }

  @Test func `a catalog that somebody has changed is shown, and accepted by one verb`() throws {
    let sound = try bank.nacre("catalog")
    #expect(sound.status == 0)
    #expect(sound.output.hasSuffix("The catalog is as it was written.\n"))
    try bank.change("UPDATE nacre_property SET hooked = 1 WHERE name = 'iban'")
    let verified = try bank.nacre("verify")
    #expect(verified.status == 50)
    #expect(
      verified.output.contains("catalogTampered at Account.iban: Account.iban hooked: 0, now 1")
    )
    let rotated = try bank.nacre("rotate")
    #expect(rotated.status == 54)
    #expect(rotated.complainsInOneLine)
    #expect(rotated.complaint.contains("'nacre catalog' shows the differences"))
    let shown = try bank.nacre("catalog")
    #expect(shown.status == 54)
    #expect(shown.output.hasSuffix("\n  Account.iban hooked: 0, now 1\n"))
    #expect(try bank.nacre("catalog", "--accept").status == 64)
    #expect(try bank.nacre("catalog", unlock: []).status == 22)
    try bank.change("UPDATE nacre_property SET hooked = 0 WHERE name = 'iban'")
    #expect(try bank.nacre("catalog").status == 0)
    try bank.change("UPDATE nacre_property SET padding = 'padme' WHERE name = 'iban'")
    #expect(try bank.nacre("catalog", "--accept", "--yes").status == 0)
    #expect(try bank.nacre("catalog").status == 0)
    #expect(try bank.nacre("verify").status == 0)
  }

  @Test func `a catalog that somebody has changed is put back by one verb`() throws {
    let sound = try bank.nacre("catalog", "--restore", "--yes")
    #expect(sound.status == 0)
    #expect(sound.output.hasSuffix("The catalog is as it was written.\n"))
    try bank.change("UPDATE nacre_property SET hooked = 1 WHERE name = 'iban'")
    #expect(try bank.nacre("catalog").complaint.contains("--restore undoes the changes"))
    #expect(try bank.nacre("catalog", "--restore").status == 64)
    #expect(try bank.nacre("catalog", "--restore", "--accept", "--yes").status == 64)
    #expect(try bank.nacre("catalog", "--yes").status == 64)
    let restored = try bank.nacre("catalog", "--restore", "--yes")
    #expect(restored.status == 0)
    #expect(restored.output.contains("Account.iban hooked: 0, now 1\n"))
    #expect(restored.output.hasSuffix("Restored: the catalog is as it was written.\n"))
    #expect(try bank.nacre("verify").status == 0)
    // No verb counts what the catalog names before it is put back.
    try bank.change("UPDATE nacre_entity SET \"table\" = 'Nowhere' WHERE name = 'Account'")
    #expect(try bank.nacre("catalog").status == 54)
    #expect(try bank.nacre("catalog", "--restore", "--yes").status == 0)
    #expect(try bank.nacre("verify").status == 0)
    try bank.change("DELETE FROM nacre_store WHERE name = 'catalog'")
    let lost = try bank.nacre("catalog", "--restore", "--yes")
    #expect(lost.status == 54)
    #expect(lost.complaint.contains("from a backup"))
  }
}
