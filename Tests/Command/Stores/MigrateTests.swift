import Foundation
import NacreCore
import NacreUpkeep
import TestSupport
import Testing

@Suite struct MigrateTests {
  private let bank: Bank

  init() throws { bank = try Bank() }

  private func property(_ name: String) throws -> PropertyDescription? {
    try bank.describe().entities.first?.properties.first { $0.name == name }
  }

  @Test func `a plain property is sealed, and its plaintext is gone from the file`() throws {
    #expect(try bank.bytes().contains { $0.range(of: Data("Ada".utf8)) != nil })
    let outcome = try bank.nacre("migrate", "Account", "holder", "--seal", "--searchable")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\nConverted: Account.holder: plain → sealed, searchable"))
    #expect(try property("holder")?.sealing?.index?.bits == 16)
    #expect(try !bank.bytes().contains { $0.range(of: Data("Ada".utf8)) != nil })
    let opened = try bank.inspect("Account", "--reveal", "--key-file", bank.keyFile)
    #expect(opened.output.contains("\"Ada\""))
    #expect(try bank.nacre("verify").status == 0)
  }

  @Test func `a sealed property is unsealed`() throws {
    let outcome = try bank.nacre("migrate", "Account", "note", "--unseal")
    #expect(outcome.status == 0)
    #expect(try property("note")?.isSealed == false)
    let again = try bank.nacre("migrate", "Account", "note", "--unseal")
    #expect(again.status == 0)
    #expect(again.output.hasSuffix("\nThere is nothing to do.\n"))
  }

  @Test func `a migration refuses unknown names and incomplete options`() throws {
    #expect(try bank.nacre("migrate").output == "There is nothing to do.\n")
    #expect(try bank.nacre("migrate", "Acount", "note", "--seal").status == 14)
    #expect(try bank.nacre("migrate", "Account", "nota", "--seal").status == 37)
    #expect(try bank.nacre("migrate", "Account", "note").status == 64)
    #expect(try bank.nacre("migrate", "Account", "--seal").status == 64)
    #expect(try bank.nacre("migrate", "--resume", "--unique").status == 64)
    let wide = try bank.nacre("migrate", "Account", "note", "--seal", "--unique", "--bits", "257")
    #expect(wide.status == 64)
    #expect(try bank.nacre("migrate", "Account", "note", "--seal", "--bits", "8").status == 64)
    #expect(try bank.nacre("migrate", "--resume").status == 0)
    #expect(try bank.nacre("migrate", "--abandon").status == 0)
  }

  @Test func `a column that a conversion did not make gets advice of its own`() throws {
    try bank.change("ALTER TABLE Account ADD COLUMN holder__old TEXT")
    let outcome = try bank.nacre("migrate", "Account", "holder", "--seal")
    #expect(outcome.complaint.contains("DROP COLUMN"))
    #expect(!outcome.complaint.contains("--clear-journal"))
  }

  @Test func `values that are not unique are refused and stay as they are`() throws {
    try bank.change("UPDATE Account SET holder = 'TWIN'")
    let outcome = try bank.nacre("migrate", "Account", "holder", "--seal", "--unique")
    #expect(outcome.status == 53)
    #expect(outcome.lastComplaint.contains("Account.holder"))
    #expect(!outcome.everything.contains("TWIN"))
    #expect(try bank.nacre("migrate", "--abandon").status == 0)
    #expect(try property("holder")?.isSealed == false)
  }
}
