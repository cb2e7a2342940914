import Foundation
import NacreCore
import NacreUpkeep
import TestSupport
import Testing

@Suite struct AnchorTests {
  private let bank: Bank

  init() throws { bank = try Bank() }

  private func take(_ arguments: String...) throws -> String {
    let outcome = try bank.nacre("anchor", unlock: bank.unlocked + arguments)
    #expect(outcome.status == 0 && outcome.complaint == "", "\(outcome.complaint)")
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  /// The statuses of commands that look, list and change, where `anchor` is expected.
  private func statuses(expecting anchor: String) throws -> Set<Int32> {
    Set(
      try ["status", "inspect", "verify", "slot list", "key add", "anchor", "export"].map {
        try bank.nacre($0, unlock: bank.unlocked + ["--expect", anchor]).status
      }
    )
  }

  @Test func `an anchor is one line, which status shows and every command expects`() throws {
    let id = try bank.describe().storeID
    #expect(try !bank.nacre("status").output.contains("Anchor"))
    let first = try take()
    #expect(first.hasPrefix("nacre-anchor-1:\(id):") && first.hasSuffix(":1"))
    let shown = try bank.nacre("status").output
    #expect(shown.contains(/\nAnchor +nacre-anchor-1:.*:1, verified\n/))
    let locked = try bank.nacre("status", unlock: []).output
    #expect(locked.contains(/\nAnchor .*:1, not verified \(no secret given\)\n/))
    #expect(try statuses(expecting: first) == [0])
    // The key that a command has added meanwhile makes another generation of the ring.
    let second = try take()
    #expect(second.hasSuffix(":3"))
    #expect(second.split(separator: ":")[2] != first.split(separator: ":")[2])
  }

  @Test func `an older copy and another store are refused by every command`() throws {
    let old = try bank.directory.bytes("bank.db")
    let anchor = try take()
    try old.write(to: URL(fileURLWithPath: bank.path))
    #expect(try statuses(expecting: anchor) == [71])
    #expect(try bank.directory.bytes("bank.db") == old)
    let outcome = try bank.nacre("status", unlock: bank.unlocked + ["--expect", anchor])
    #expect(outcome.complainsInOneLine && outcome.complaint.contains("nacre anchor --after"))
    let other = try Bank()
    let others = try other.nacre("anchor").output.trimmingCharacters(in: .newlines)
    #expect(try statuses(expecting: others) == [70])
    #expect(try take("--after", anchor).hasSuffix(":2"))
  }

  @Test func `a changed anchor is reported, and commands that expect no anchor go on`() throws {
    let anchor = try take()
    try bank.change("UPDATE nacre_store SET value = zeroblob(48) WHERE name = 'anchor'")
    #expect(try statuses(expecting: anchor) == [72])
    #expect(try bank.nacre("anchor").status == 72)
    let shown = try bank.nacre("status")
    #expect(shown.status == 0)
    #expect(shown.output.contains(/\nAnchor +unreadable, does not match its MAC\n/))
    let verified = try bank.nacre("verify")
    #expect(verified.status == 50)
    #expect(verified.everything.contains("anchorTampered"))
    #expect(try take("--after", anchor).hasSuffix(":2"))
    #expect(try bank.nacre("verify").status == 0)
  }

  @Test(arguments: [
    ["status", "--expect", "nacre-anchor-1:00:1:1"],
    ["status", "--expect", "nacre-anchor-1:00000000000000000000000000000000:1:1"],
    ["status", "--slot", "1"], ["anchor", "--after", "x"],
  ])
  func `a malformed anchor or a missing secret is a wrong command line`(
    words: [String]
  ) throws {
    let outcome = try bank.nacre(words[0], unlock: Array(words.dropFirst()))
    #expect(outcome.status == 64)
    #expect(outcome.complainsInOneLine)
  }

  @Test func `a store that is made has neither slot nor anchor to name`() throws {
    let anchor = try take()
    for option in [["--slot", "1"], ["--expect", anchor]] {
      let path = bank.directory.file("new.db")
      let words = ["init", path, "--key-file", bank.keyFile] + option
      #expect(try BuiltProduct.nacre.run(words).status == 64)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
