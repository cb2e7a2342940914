import Foundation
import TestSupport
import Testing

@Suite struct InspectTests {
  @Test func `a store is shown without a secret`() throws {
    let outcome = try Bank().inspect()
    #expect(outcome.status == 0)
    #expect(outcome.complaint == "")
    #expect(outcome.output.contains(/Store +[0-9a-f]{32}\n/))
    #expect(outcome.output.contains(/Format +1\n/))
    #expect(outcome.output.contains(/Ring +generation 1, not verified/))
    #expect(outcome.output.contains(/\n  [0-9a-f]{8}  field  xaes-256-gcm  primary  20\d\d-/))
    #expect(outcome.output.contains(/\n  [0-9a-f]{8}  index  xaes-256-gcm  primary  20\d\d-/))
    #expect(outcome.output.contains("\n  1  secret\n"))
    #expect(outcome.output.contains("Account: table Account, version 1, 2 rows\n"))
    #expect(outcome.output.contains(/\n    holder  TEXT  value\n/))
    #expect(outcome.output.contains(/\n    iban    TEXT  value +sealed xaes-256-gcm\n/))
    #expect(outcome.output.contains(/\n    parent  BLOB  child of Account\n/))
    #expect(!outcome.output.contains("Ada"))
  }

  @Test func `a property that the class no longer has is told, and the store's version`() throws {
    let bank = try Bank()
    try bank.change("UPDATE nacre_property SET hidden = 1 WHERE name IN ('iban', 'holder')")
    try bank.change("INSERT INTO nacre_store VALUES ('schemaVersion', '1.7')")
    let outcome = try bank.inspect()
    #expect(outcome.output.contains(/\n    holder  TEXT  value +\(no longer declared\)\n/))
    #expect(outcome.output.contains(/\n    iban    TEXT  value +sealed \(no longer declared\)\n/))
    #expect(outcome.output.contains(/Version +1\.7\n/))
  }

  @Test func `rows are shown with their sealed values sealed`() throws {
    let bank = try Bank()
    let outcome = try bank.inspect("Account", "--key-file", bank.keyFile)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("generation 1, verified"))
    #expect(outcome.output.contains(/\n  holder  "Ada"\n/))
    #expect(outcome.output.contains(/\n  iban    ‹sealed› xaes-256-gcm [0-9a-f]{8} 63 bytes\n/))
    #expect(outcome.output.contains(/\n  note    nil\n/))
    #expect(outcome.output.contains(/\n  parent  [0-9A-F]{8}-[0-9A-F]{4}-7/))
    #expect(outcome.output.contains("\n2 of 2 rows of Account\n"))
  }

  @Test func `sealed values are shown when they are asked for with a secret`() throws {
    let bank = try Bank()
    let outcome = try bank.inspect("Account", "--reveal", "--key-file", bank.keyFile)
    #expect(outcome.status == 0)
    for iban in Bank.ibans { #expect(outcome.output.contains("\n  iban    \"\(iban)\"\n")) }
  }

  @Test func `control characters of a value are escaped`() throws {
    let outcome = try Bank().inspect("Account")
    #expect(outcome.output.contains(#""Grace \u{1b}[31m\n\"Hopper\"""#))
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func `no more rows are shown than the limit`() throws {
    let outcome = try Bank().inspect("Account", "--limit", "1")
    #expect(outcome.output.contains("\n1 of 2 rows of Account\n"))
    #expect(!outcome.output.contains("Grace"))
  }

  @Test func `a value that was moved is told beside those that open`() throws {
    let bank = try Bank()
    try bank.change("UPDATE Account SET iban = (SELECT a.iban FROM Account a WHERE holder = 'Ada')")
    let outcome = try bank.inspect("Account", "--reveal", "--key-file", bank.keyFile)
    #expect(outcome.status == 28)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains("Account.iban of "))
    #expect(outcome.output.contains("\"\(Bank.ibans[0])\""))
    #expect(outcome.output.contains("‹tampered› xaes-256-gcm"))
  }

  @Test func `no run shows a secret or, unasked, a sealed value`() throws {
    let bank = try Bank()
    try bank.write("NACRE-KEY-1 \(Bank.keyHex)\n", to: "open.key", mode: 0o640)
    try bank.write("NACRE-KEY-2 \(Bank.keyHex)\n", to: "bad.key", mode: 0o600)
    let variable = ["KEY": Bank.keyHex, "LONG": Bank.keyHex + "00"]
    let outcomes = [
      try bank.inspect("Account"),
      try bank.inspect("Account", "--key-file", bank.keyFile),
      try bank.inspect("Account", "--key-file", bank.directory.file("open.key")),
      try bank.inspect("Account", "--key-file", bank.directory.file("bad.key")),
      try bank.inspect("Account", "--key-env", "KEY", environment: variable),
      try bank.inspect("Account", "--reveal", "--key-env", "LONG", environment: variable),
      try bank.inspect("Account", "--reveal", "--passphrase-fd", "0", input: Bank.keyHex),
      try bank.inspect("--key-command", "cat '\(bank.keyFile)'"),
    ]
    #expect(outcomes.map(\.status) == [0, 0, 21, 21, 0, 21, 20, 21])
    for outcome in outcomes {
      let shown = outcome.output + outcome.complaint
      for secret in Bank.ibans + [Bank.keyHex, String(Bank.keyHex.prefix(16))] {
        #expect(!shown.contains(secret))
      }
    }
  }
}
