import Foundation
import NacreCore
import NacreUpkeep
import TestSupport
import Testing

@Suite struct SlotTests {
  private let bank: Bank
  private var second: String { bank.directory.file("second.key") }

  init() throws { bank = try Bank() }

  private func opens(_ arguments: [String], input: String = "") throws -> Int32 {
    try bank.nacre("status", unlock: arguments, input: input).status
  }

  @Test func `a second key file is made and unlocks, too`() throws {
    let outcome = try bank.nacre("slot add", "--new-key-file", second)
    #expect(outcome.status == 0)
    #expect(outcome.complaint == "")
    // What is changed is said first.
    #expect(outcome.output.hasPrefix("Store     \(try bank.describe().storeID)\nPath      "))
    #expect(outcome.output.contains("Entities  Account  2 rows\n"))
    #expect(outcome.output.contains("Values    2  under key \(try bank.primaryKey())"))
    #expect(outcome.output.contains("\nAdded slot 2.\nMade the key file"))
    let mode = try FileManager.default.attributesOfItem(atPath: second)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    #expect(try opens(["--key-file", second]) == 0)
    #expect(try opens(bank.unlocked) == 0)
    #expect(try bank.nacre("slot list", unlock: []).output == "1  secret\n2  secret\n")
  }

  @Test func `passphrases come from file descriptors, the unlocking one first`() throws {
    let added = try bank.nacre("slot add", "--new-passphrase-fd", "0", input: "first\nrest")
    #expect(added.status == 0)
    #expect(try bank.nacre("slot list", unlock: []).output == "1  secret\n2  passphrase\n")
    let changed = try bank.nacre(
      "slot change",
      "2",
      "--new-passphrase-fd",
      "0",
      unlock: ["--passphrase-fd", "0"],
      input: "first\nsecond\n"
    )
    #expect(changed.status == 0)
    #expect(try opens(["--passphrase-fd", "0"], input: "first") == 20)
    #expect(try opens(["--passphrase-fd", "0"], input: "second") == 0)
  }

  @Test func `the list marks the slot that a secret opens, and add makes no second one`() throws {
    #expect(try bank.nacre("slot add", "--new-key-file", second).status == 0)
    let list = try bank.nacre("slot list", unlock: ["--key-file", second])
    #expect(list.output == "1  secret\n2  secret  * opened by this secret\n")
    let again = try bank.nacre("slot add", "--new-key-file", second)
    #expect(again.status == 21)
    #expect(again.complainsInOneLine)
    #expect(again.complaint.contains("opens slot 2 already"))
    #expect(try bank.describe().slots.count == 2)
  }

  @Test func `a removed slot's secret unlocks no more, and the command advises a rewrap`() throws {
    #expect(try bank.nacre("slot add", "--new-key-file", second).status == 0)
    let outcome = try bank.nacre("slot remove", "2")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\nRemoved slot 2.\n"))
    #expect(outcome.output.contains("only after 'nacre rewrap'"))
    #expect(try opens(["--key-file", second]) == 20)
  }

  @Test func `the slot of the secret in use goes where another is given`() throws {
    #expect(try bank.nacre("slot add", "--new-key-file", second).status == 0)
    let refused = try bank.nacre("slot remove", "1")
    #expect(refused.status == 35)
    #expect(refused.complaint.contains("--keep-key-file"))
    #expect(try bank.nacre("slot remove", "1", "--keep-key-file", second).status == 0)
    #expect(try opens(["--key-file", second]) == 0)
    #expect(try opens(bank.unlocked) == 20)
  }

  @Test func `the last slot can't be removed`() throws {
    let before = try bank.describe().slots.count
    let outcome = try bank.nacre("slot remove", "1")
    #expect(outcome.status == 35)
    #expect(outcome.complainsInOneLine)
    #expect(try bank.describe().slots.count == before)
  }

  @Test(arguments: ["slot remove", "slot change"])
  func `a slot that is not there is refused`(command: String) throws {
    let secret = command == "slot change" ? ["--new-key-env", "NEW"] : []
    let outcome = try BuiltProduct.nacre.run(
      command.split(separator: " ").map(String.init) + [bank.path, "7"] + secret + bank.unlocked,
      environment: ["NEW": Bank.keyHex]
    )
    #expect(outcome.status == 34)
    #expect(outcome.complainsInOneLine)
  }

  @Test func `a missing or ambiguous new secret changes nothing`() throws {
    #expect(try bank.nacre("slot add", "--new-key-env", "MISSING").status == 21)
    #expect(try bank.nacre("slot add", "--new-passphrase-fd", "0", input: "\n").status == 21)
    #expect(try bank.nacre("slot add", "--new-key-command", "exit 1").status == 21)
    #expect(try bank.nacre("slot add").status == 64)
    let two = try bank.nacre("slot add", "--new-key-env", "A", "--new-key-file", second)
    #expect(two.status == 64)
    #expect(try bank.describe().slots.count == 1)
    #expect(!FileManager.default.fileExists(atPath: second))
  }

  @Test(arguments: [
    ["slot", "add", "--new-key-file"], ["slot", "remove", "1"], ["key", "add"],
    ["rewrap", "--drop-slots"], ["rotate"],
  ])
  func `without the right secret nothing is changed`(words: [String]) throws {
    var arguments = words
    let count = ["slot", "key"].contains(words[0]) ? 2 : 1
    arguments.insert(bank.path, at: count)
    if words.last == "--new-key-file" { arguments.append(second) }
    let before = try bank.bytes()
    let locked = try BuiltProduct.nacre.run(arguments)
    #expect(locked.status == 22)
    #expect(locked.complainsInOneLine)
    let wrong = try BuiltProduct.nacre.run(
      arguments + ["--key-env", "WRONG"],
      environment: ["WRONG": String(repeating: "ab", count: 32)]
    )
    #expect(wrong.status == 20)
    #expect(wrong.complainsInOneLine)
    #expect(wrong.output == "")
    #expect(try bank.bytes() == before)
    #expect(!FileManager.default.fileExists(atPath: second))
  }
}
