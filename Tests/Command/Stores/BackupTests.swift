import Foundation
import TestSupport
import Testing

@Suite struct BackupTests {
  @Test func `a copy opens with the same secret and holds the same`() throws {
    let bank = try Bank()
    let copy = bank.directory.file("copy.db")
    let outcome = try bank.nacre("backup", copy, unlock: [])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(/Copied store [0-9a-f]{32} to .*copy\.db/))
    let arguments = ["inspect", copy, "Account", "--reveal"] + bank.unlocked
    let inspected = try BuiltProduct.nacre.run(arguments)
    #expect(inspected.status == 0)
    for iban in Bank.ibans { #expect(inspected.output.contains(iban)) }
  }

  @Test func `an existing file is never overwritten`() throws {
    let bank = try Bank()
    try bank.write("precious", to: "copy.db", mode: 0o600)
    let outcome = try bank.nacre("backup", bank.directory.file("copy.db"), unlock: [])
    #expect(outcome.status == 60)
    #expect(outcome.complainsInOneLine)
    #expect(try bank.directory.bytes("copy.db") == Data("precious".utf8))
  }
}
