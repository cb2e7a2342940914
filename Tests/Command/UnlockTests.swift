import Foundation
import NacreCore
import NacreOpen
import TestSupport
import Testing

@Suite struct UnlockTests {
  @Test func `the key comes from a variable`() throws {
    let outcome = try Bank().inspect("--key-env", "KEY", environment: ["KEY": Bank.keyHex])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("generation 1, verified"))
  }

  @Test func `the key comes from a command`() throws {
    let bank = try Bank()
    try bank.write(Bank.keyHex + "\n", to: "digits", mode: 0o600)
    let command = "/bin/cat '\(bank.directory.file("digits"))'"
    let outcome = try bank.inspect("--key-command", command)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("generation 1, verified"))
    #expect(try bank.inspect("--key-command", "exit 3").status == 21)
  }

  @Test func `the passphrase comes from a file descriptor`() throws {
    let bank = try Bank { _ in .passphrase(Bank.passphrase) }
    let outcome = try bank.inspect("--passphrase-fd", "0", input: Bank.passphrase + "\nmore")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("generation 1, verified"))
    #expect(outcome.output.contains("\n  1  passphrase\n"))
    #expect(try bank.inspect("--passphrase-fd", "0", input: "another").status == 20)
    #expect(try bank.inspect("--passphrase-fd", "0", input: "").status == 21)
    // Greater than any that is open: a small one may be what `Process` watches its child by.
    #expect(try bank.inspect("--passphrase-fd", "1000000").status == 21)
    let long = String(repeating: "x", count: 5000)
    #expect(try bank.inspect("--passphrase-fd", "0", input: long).status == 21)
  }

  private static let detached = "/usr/bin/setsid"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: detached)))
  func `without a terminal no passphrase can be asked for`() throws {
    let bank = try Bank { _ in .passphrase(Bank.passphrase) }
    let outcome = try BuiltProduct.nacre.run(
      ["inspect", bank.path, "--passphrase"],
      input: Bank.passphrase + "\n",
      through: [Self.detached, "--wait"]
    )
    #expect(outcome.status == 21)
    #expect(outcome.complaint == "nacre: there is no terminal on which to ask for the passphrase\n")
  }

  @Test func `a secret is tried on the slot that is named, and on no other`() throws {
    let bank = try Bank { _ in .passphrase(Bank.passphrase) }
    // Tried, it would be told: nobody can.
    try bank.change("INSERT INTO nacre_slot VALUES (2, 'passphrase', '{', zeroblob(72))")
    func status(_ input: String, _ slot: String) throws -> Int32 {
      try bank.inspect("--passphrase-fd", "0", "--slot", slot, input: input).status
    }
    #expect(try status(Bank.passphrase, "1") == 0)
    #expect(try status("another", "1") == 20)
    #expect(try status(Bank.passphrase, "2") == 24)
    #expect(try status(Bank.passphrase, "3") == 34)
    #expect(try bank.inspect("--passphrase-fd", "0", input: "another").status == 24)
    let outcome = try bank.nacre(
      "slot add",
      "--new-key-file",
      bank.directory.file("second.key"),
      unlock: ["--passphrase-fd", "0", "--slot", "1"],
      input: Bank.passphrase
    )
    #expect(outcome.status == 0, "\(outcome.complaint)")
  }

  @Test func `a key file that others could replace is refused`() throws {
    let bank = try Bank()
    try #require(chmod(bank.directory.path, 0o777) == 0)
    let outcome = try bank.nacre("status")
    #expect(outcome.status == 74)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains(bank.directory.path))
    #expect(outcome.complaint.contains("chmod go-w"))
  }

  @Test func `a wrong key is refused`() throws {
    let bank = try Bank()
    let wrong = ["KEY": String(repeating: "ab", count: 32)]
    let outcome = try bank.inspect("Account", "--key-env", "KEY", environment: wrong)
    #expect(outcome.status == 20)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.output == "")
  }

  @Test(arguments: [0o640, 0o604, 0o660])
  func `a key file that others can read is refused`(mode: Int) throws {
    let bank = try Bank()
    try bank.write("NACRE-KEY-1 \(Bank.keyHex)\n", to: "open.key", mode: mode)
    let outcome = try bank.inspect("--key-file", bank.directory.file("open.key"))
    #expect(outcome.status == 21)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains("open.key"))
    #expect(outcome.output == "")
  }

  @Test func `a key file that does not exist is refused and not made`() throws {
    let bank = try Bank()
    let path = bank.directory.file("missing.key")
    #expect(try bank.inspect("--key-file", path).status == 21)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a secret for a store without a ring is refused and makes none`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("plain.db")
    try Store.open(path).close()
    let run = ["inspect", path, "--key-env", "KEY"]
    let outcome = try BuiltProduct.nacre.run(run, environment: ["KEY": Bank.keyHex])
    #expect(outcome.status == 23)
    #expect(outcome.complainsInOneLine)
    let again = try BuiltProduct.nacre.run(["inspect", path])
    #expect(again.output.contains(/Ring +none\n/))
  }
}
