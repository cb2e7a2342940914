import Foundation
import NacreCore
import TestSupport
import Testing

@Suite struct StatusTests {
  @Test func `a store's state is shown without a secret, and stays as it is`() throws {
    let bank = try Bank()
    let before = try bank.bytes()
    let outcome = try bank.nacre("status", unlock: [])
    #expect(outcome.status == 0)
    #expect(outcome.complaint == "")
    #expect(outcome.output.contains(/Ring +generation 1, not verified \(no secret given\)\n/))
    let key = try bank.primaryKey()
    let line = try #require(outcome.output.split(separator: "\n").first { $0.contains("\(key)") })
    #expect(line.contains(/field +xaes-256-gcm +primary +20\d\d-\d\d-\d\dT[0-9:]{8}Z +0 days +2\b/))
    #expect(line.hasSuffix(String(repeating: "█", count: 40)))
    #expect(outcome.output.contains("\n  1  secret\n"))
    #expect(outcome.output.contains("\n  Account  2 rows  sealed: iban, note\n"))
    #expect(outcome.output.contains("\nRotation\n  none\n"))
    #expect(try bank.bytes() == before)
  }

  @Test func `status verifies the ring if a secret is given`() throws {
    let bank = try Bank()
    #expect(try bank.nacre("status").output.contains("generation 1, verified\n"))
    try bank.change("UPDATE nacre_key SET created = created + 1")
    #expect(try bank.nacre("status").status == 24)
    #expect(try bank.nacre("status", unlock: []).status == 0)
  }

  @Test
  func `status has lines for values under unknown keys and for values that were never sealed`()
    throws
  {
    let bank = try Bank()
    let zeros = String(repeating: "00", count: 50)
    try bank.change("UPDATE Account SET note = 'plain', iban = x'0112345678\(zeros)'")
    let outcome = try bank.nacre("status", unlock: [])
    #expect(outcome.output.contains(/\n  12345678 .* unknown .* 2\b/))
    #expect(outcome.output.contains(/\n  - .* not sealed .* 2\b/))
  }

  @Test func `status does not trap on a key's creation time that is out of range`() throws {
    for (created, status) in [("9223372036854775807", 0), ("0", 0), ("-1", 24)] as [(String, Int32)]
    {
      let bank = try Bank()
      try bank.change("UPDATE nacre_key SET created = \(created)")
      let outcome = try bank.nacre("status", unlock: [])
      #expect(outcome.status == status, "\(created): \(outcome.complaint)")
    }
  }

  @Test func `the status shows the quarantine and the last rotation`() throws {
    let bank = try Bank()
    try bank.change("UPDATE Account SET note = 'plain' WHERE holder = 'Ada'")
    #expect(try bank.nacre("verify", "--quarantine", "--yes").status == 0)
    #expect(try bank.nacre("rotate").status == 0)
    let outcome = try bank.nacre("status", unlock: [])
    #expect(outcome.output.contains("\nQuarantine\n  1 cell or row set aside"))
    #expect(outcome.output.contains(/\nRotation\n  last finished 20\d\d-.*: field/))
  }
}
