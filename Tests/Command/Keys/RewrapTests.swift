import Foundation
import NacreCore
import NacreUpkeep
import TestSupport
import Testing

@Suite struct RewrapTests {
  private let bank: Bank
  private var second: String { bank.directory.file("second.key") }

  /// A store with two key files and a passphrase.
  init() throws {
    bank = try Bank()
    let added = try bank.nacre("slot add", "--new-key-file", second)
    #expect(added.status == 0)
    let more = try bank.nacre("slot add", "--new-passphrase-fd", "0", input: Bank.passphrase)
    #expect(more.status == 0)
  }

  private func opens(_ arguments: String..., input: String = "") throws -> Int32 {
    try bank.nacre("status", unlock: arguments, input: input).status
  }

  @Test func `slots whose secrets are not given are named and nothing is changed`() throws {
    let ring = try bank.describe().ring?.generation
    let outcome = try bank.nacre("rewrap", "--keep-key-file", second)
    #expect(outcome.status == 36)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains("slot 3 (passphrase)"))
    #expect(outcome.complaint.contains("--drop-slots"))
    #expect(try bank.describe().slots.count == 3)
    #expect(try bank.describe().ring?.generation == ring)
  }

  @Test func `all secrets that are given are kept`() throws {
    let outcome = try bank.nacre(
      "rewrap",
      "--keep-key-file",
      second,
      "--keep-passphrase-fd",
      "0",
      input: Bank.passphrase
    )
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Slots kept: 1, 2, 3.\n"))
    #expect(try opens("--key-file", bank.keyFile) == 0)
    #expect(try opens("--key-file", second) == 0)
    #expect(try opens("--passphrase-fd", "0", input: Bank.passphrase) == 0)
  }

  @Test func `other slots are dropped with --drop-slots`() throws {
    let outcome = try bank.nacre("rewrap", "--drop-slots")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Slots kept: 1. Slots dropped: 2 (secret), 3 (passphrase).\n"))
    #expect(try opens("--key-file", bank.keyFile) == 0)
    #expect(try opens("--key-file", second) == 20)
    #expect(try opens("--passphrase-fd", "0", input: Bank.passphrase) == 20)
    // The values are as they were.
    let opened = try bank.inspect("Account", "--reveal", "--key-file", bank.keyFile)
    #expect(opened.status == 0)
  }

  @Test func `a secret to keep that opens no slot is refused`() throws {
    let outcome = try bank.nacre(
      "rewrap",
      "--drop-slots",
      "--keep-key-env",
      "OTHER",
      environment: ["OTHER": String(repeating: "ab", count: 32)]
    )
    #expect(outcome.status == 20)
    #expect(outcome.complainsInOneLine)
    #expect(try bank.describe().slots.count == 3)
  }
}
