import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

@Suite struct RotateTests {
  private let bank: Bank

  init() throws { bank = try Bank() }

  private func state(_ id: KeyID) throws -> KeyState? {
    try bank.describe().ring?.keys.first { $0.id == id }?.state
  }

  /// The events of a run with `--json`.
  private func events(_ outcome: BuiltProduct.Outcome) throws -> [[String: Any]] {
    try outcome.output.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any])
    }
  }

  @Test func `every value stands under a new key, and the old one is disabled`() throws {
    let old = try bank.primaryKey()
    let outcome = try bank.nacre("rotate")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Store     \(try bank.describe().storeID)\n"))
    #expect(outcome.output.contains("\nRotation finished\n"))
    #expect(outcome.output.contains(/\n  Sealed anew +2 values\n/))
    let new = try bank.primaryKey()
    #expect(new != old)
    #expect(try state(old) == .disabled)
    let counts = try StoreInspection(path: bank.path).sealedCounts()
    #expect(counts.allSatisfy { $0.keyID == new })
    // In a pipe there are plain lines.
    #expect(!outcome.complaint.contains("\r"))
    #expect(outcome.complaint.contains("\nsealing: "))
    let opened = try bank.inspect("Account", "--reveal", "--key-file", bank.keyFile)
    for iban in Bank.ibans { #expect(opened.output.contains(iban)) }
  }

  @Test func `with --json each line of the standard output is an event`() throws {
    let outcome = try bank.nacre("rotate", "--json")
    #expect(outcome.status == 0)
    let events = try events(outcome)
    let names = events.compactMap { $0["event"] as? String }
    #expect(names.first == "start")
    #expect(names.last == "done")
    #expect(names.contains("progress"))
    let phases = events.filter { $0["event"] as? String == "phase" }.compactMap {
      $0["phase"] as? String
    }
    #expect(phases.starts(with: ["pending", "sealing", "scanning", "clearing"]))
    #expect(events.first?["store"] as? String == "\(try bank.describe().storeID)")
    #expect(events.last?["outcome"] as? String == "finished")
    #expect(events.last?["resealed"] as? Int == 2)
    let new = try bank.primaryKey()
    #expect((events.last?["to"] as? [String])?.first == "\(new)")
    #expect(outcome.complaint.contains("Values    2  under key"))
  }

  @Test func `a dry run counts and changes nothing`() throws {
    let before = try bank.bytes()
    let outcome = try bank.nacre("rotate", "--dry-run")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(/Account\.iban +2 +under key/))
    #expect(outcome.output.contains("2 values would be sealed anew"))
    #expect(outcome.output.contains("at full speed"))
    // Two rows, and both passes.
    let slow = try bank.nacre("rotate", "--dry-run", "--rate", "0.5")
    #expect(slow.output.contains("in about 8 s at 0.5 rows/s"))
    let json = try bank.nacre("rotate", "--dry-run", "--json")
    #expect(try events(json).last?["event"] as? String == "plan")
    #expect(try events(json).last?["resealed"] as? Int == 2)
    #expect(try bank.bytes()[0] == before[0])
  }

  @Test func `a failure is the last event, with its code and status`() throws {
    let missing = bank.directory.file("typo.db")
    let runs = [
      (try BuiltProduct.nacre.run(["rotate", missing, "--json"]), "cannotOpen", 10),
      (try bank.nacre("rotate", "--json", unlock: []), "storeLocked", 22),
      (try bank.nacre("rotate", "--json", "--batch", "0"), "usage", 64),
    ]
    for (outcome, code, status) in runs {
      let event = try #require(try events(outcome).last)
      #expect(event["event"] as? String == "error")
      #expect(event["code"] as? String == code)
      #expect(event["exit"] as? Int == status)
      #expect(Int(outcome.status) == status)
      #expect(outcome.complaint == "nacre: \(event["message"] as? String ?? "")\n")
    }
  }

  @Test func `help shows the events as they are written, without a broken line`() throws {
    for command in ["rotate", "verify"] {
      let help = try BuiltProduct.nacre.run([command, "--help"]).output
      let events = try #require(help.firstMatch(of: /JSON EVENTS[^\n]*\n((?:.+\n)+)\n/)).1
      for line in events.split(separator: "\n") {
        #expect(line.hasPrefix("  ") && line.count <= 80, "\(line)")
      }
      #expect(
        events.contains(/\n +error +the last one where the command fails: code, exit, message/)
      )
      #expect(events.contains(" done, total"))
    }
    let export = try BuiltProduct.nacre.run(["export", "--help"]).output
    #expect(
      export.replacing("\n", with: " ").contains("once a key is destroyed, no export of before")
    )
  }

  @Test func `a rotation of old keys leaves a young key and has nothing to do`() throws {
    let key = try bank.primaryKey()
    let outcome = try bank.nacre("rotate", "--older-than", "365")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasSuffix("\nThere is nothing to do.\n"))
    #expect(try bank.nacre("rotate", "--resume").output.hasSuffix("\nThere is nothing to do.\n"))
    #expect(try bank.primaryKey() == key)
  }

  @Test func `a value that does not open is left, and the rotation says it is not complete`() throws
  {
    let old = try bank.primaryKey()
    try bank.change("UPDATE Account SET note = iban WHERE holder = 'Ada'")
    let outcome = try bank.nacre("rotate")
    #expect(outcome.status == 48)
    #expect(
      outcome.lastComplaint.hasPrefix("nacre: the rotation is not complete: 1 value does not")
    )
    #expect(outcome.lastComplaint.contains("nacre verify"))
    #expect(outcome.output.contains(/Account\.note of [0-9A-F-]{36}: tampered/))
    #expect(try state(old) == .enabled)
    // Set aside, it is in nobody's way.
    #expect(try bank.nacre("verify", "--quarantine", "--yes").status == 0)
    #expect(try bank.nacre("verify").status == 0)
  }

  @Test(arguments: [
    ["--batch", "0"], ["--rate", "0"], ["--rate", "-3"], ["--older-than", "-1"],
    ["--purpose", "slot"], ["--suite", "rot13"], ["--vacuum", "maybe"],
  ])
  func `a wrong option is refused`(arguments: [String]) throws {
    let before = try bank.bytes()
    let outcome = try BuiltProduct.nacre.run(["rotate", bank.path] + arguments + bank.unlocked)
    #expect(outcome.status == 64)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains("See 'nacre rotate --help'."))
    #expect(try bank.bytes() == before)
  }

  @Test func `a new suite is taken over`() throws {
    #expect(try bank.nacre("rotate", "--suite", "aes-256-gcm").status == 0)
    let counts = try StoreInspection(path: bank.path).sealedCounts()
    #expect(counts.allSatisfy { $0.suite == .aes256GCM })
    #expect(try bank.nacre("verify").status == 0)
  }
}
