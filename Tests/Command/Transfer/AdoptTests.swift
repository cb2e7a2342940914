import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

@Suite struct AdoptTests {
  private let bank: Bank
  private let foreign: ForeignDatabase
  private var mapping: String { bank.directory.file("M.json") }

  init() throws {
    bank = try Bank()
    foreign = try ForeignDatabase(
      """
      CREATE TABLE account (id INTEGER PRIMARY KEY, holder TEXT, iban TEXT, parent INTEGER);
      INSERT INTO account VALUES (1, 'Lem', 'DE11-ADOPTED-SECRET', NULL), (2, 'Eco', 'DE22', 1);
      """
    )
    try write(
      """
      {"tables": [{"table": "account", "entity": "Account", "key": "id",
        "properties": {"holder": "holder", "iban": "iban", "parent": "parent"}}]}
      """
    )
  }

  private func write(_ mapping: String) throws {
    try bank.write(mapping, to: "M.json", mode: 0o600)
  }

  private func adopt(_ options: String..., unlock: [String]? = nil) throws -> BuiltProduct.Outcome {
    try BuiltProduct.nacre.run(
      ["adopt", foreign.path, "--mapping", mapping, "--into", bank.path] + options
        + (unlock ?? bank.unlocked)
    )
  }

  @Test func `the rows of a foreign file are adopted and sealed`() throws {
    let outcome = try adopt()
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(outcome.output.hasPrefix("Store     "))
    #expect(outcome.output.hasSuffix("\nAdopted 2 rows.\n  Account  2 rows\n"))
    #expect(!outcome.everything.contains("DE11-ADOPTED-SECRET"))
    #expect(try !bank.bytes().contains { $0.range(of: Data("ADOPTED-SECRET".utf8)) != nil })
    let opened = try bank.inspect("Account", "--reveal", "--key-file", bank.keyFile)
    #expect(opened.output.contains("DE11-ADOPTED-SECRET"))
    #expect(try bank.nacre("verify").status == 0)

    let again = try adopt()
    #expect(again.status == 63)
    #expect(again.lastComplaint.contains("--dry-run"))
  }

  @Test func `a dry run changes nothing, and lists what does not fit without its values`() throws {
    try foreign.execute("INSERT INTO account VALUES (3, 'Woe', x'5345435245', 9)")
    let before = try bank.directory.bytes("bank.db")
    let outcome = try adopt("--dry-run")
    #expect(outcome.status == 63)
    #expect(outcome.output.contains("Would adopt 2 rows."))
    #expect(outcome.output.contains("account  iban  1  wrongType  rows 3"))
    #expect(outcome.lastComplaint.contains("nothing was changed"))
    #expect(!outcome.everything.contains("SECRE"))
    #expect(try bank.describe().entities.first?.rowCount == 2)
    #expect(try bank.directory.bytes("bank.db") == before)

    #expect(try adopt().status == 63)
    #expect(try bank.describe().entities.first?.rowCount == 2)
    let left = try adopt("--leave-out")
    #expect(left.status == 0)
    #expect(left.output.contains("Adopted 2 rows."))
    #expect(try bank.describe().entities.first?.rowCount == 4)
  }

  @Test func `what can't be adopted is told in one line`() throws {
    #expect(try adopt("--dry-run", "--leave-out").status == 64)
    #expect(try adopt(unlock: []).status == 22)
    try write(
      "{\"tables\": [{\"table\": \"nobody\", \"entity\": \"Account\", \"properties\": {}}]}"
    )
    let wrong = try adopt()
    #expect(wrong.status == 62)
    #expect(wrong.lastComplaint.hasPrefix("nacre: The mapping does not fit"))
    try write("{}")
    #expect(try adopt().status == 62)
    try FileManager.default.removeItem(atPath: mapping)
    #expect(try adopt().status == 10)
    try write("{\"tables\": []}")
    try foreign.write(Data("no SQLite file".utf8))
    let unreadable = try adopt()
    #expect(unreadable.status == 61)
    #expect(!unreadable.lastComplaint.contains("a Nacre store"))
  }

  @Test func `a command that expects a store names the adoption of another file`() throws {
    let outcome = try BuiltProduct.nacre.run(["status", foreign.path])
    #expect(outcome.status == 11)
    #expect(outcome.complaint.contains("nacre adopt"))
  }
}
