import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

@Suite struct TransferTests {
  private let bank: Bank
  private var file: String { bank.directory.file("bank.jsonl") }

  init() throws { bank = try Bank() }

  /// A new store under a key of its own.
  private func newStore() throws -> (path: String, unlocked: [String]) {
    let (path, key) = (bank.directory.file("other.db"), bank.directory.file("other.key"))
    #expect(try BuiltProduct.nacre.run(["init", path, "--key-file", key]).status == 0)
    return (path, ["--key-file", key])
  }

  @Test func `sealed values travel as envelopes, as lines of JSON`() throws {
    let outcome = try bank.nacre("export", unlock: [])
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    // A first and a last line, and one for each object.
    #expect(lines.count == 4)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    #expect(outcome.output.contains("Ada"))
    #expect(!Bank.ibans.contains { outcome.everything.contains($0) })
    #expect(outcome.complaint == "Exported 2 objects.\n")
  }

  @Test func `a file is made for its owner alone, and never overwritten`() throws {
    let outcome = try bank.nacre("export", "--output", file)
    #expect(outcome.status == 0)
    #expect(outcome.output == "")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    let before = try bank.directory.bytes("bank.jsonl")
    let again = try bank.nacre("export", "--output", file)
    #expect(again.status == 60)
    #expect(again.complainsInOneLine)
    #expect(try bank.directory.bytes("bank.jsonl") == before)
  }

  @Test func `an export warns of revealed values, and another store imports them`() throws {
    let outcome = try bank.nacre("export", "--reveal", "--output", file)
    #expect(outcome.status == 0)
    #expect(outcome.complaint.hasPrefix("nacre: warning: sealed values are written in plain text"))
    let text = String(decoding: try bank.directory.bytes("bank.jsonl"), as: UTF8.self)
    for iban in Bank.ibans { #expect(text.contains(iban)) }

    let other = try newStore()
    let run = ["import", other.path, "--input", file] + other.unlocked
    let imported = try BuiltProduct.nacre.run(run)
    #expect(imported.status == 0)
    #expect(imported.output.hasPrefix("Store     "))
    #expect(imported.output.hasSuffix("\nImported 2 objects.\n  Account  2 objects\n"))
    let inspect = ["inspect", other.path, "Account", "--reveal"] + other.unlocked
    let opened = try BuiltProduct.nacre.run(inspect)
    for iban in Bank.ibans { #expect(opened.output.contains(iban)) }
  }

  @Test func `an import reads an export from standard input`() throws {
    let exported = try bank.nacre("export").output
    try bank.change("UPDATE Account SET parent = NULL")
    try bank.change("DELETE FROM Account")
    let imported = try bank.nacre("import", input: exported)
    #expect(imported.status == 0)
    #expect(try bank.nacre("verify").status == 0)
    #expect(try bank.describe().entities.first?.rowCount == 2)

    let again = try bank.nacre("import", input: exported)
    #expect(again.status == 52)
    #expect(again.lastComplaint.hasPrefix("nacre: "))
    let skipped = try bank.nacre("import", "--existing", "skip", input: exported)
    #expect(skipped.status == 0)
    #expect(skipped.output.contains("Imported 0 objects; 2 were stored already"))
    let replaced = try bank.nacre("import", "--existing", "replace", input: exported)
    #expect(replaced.status == 0)
  }

  @Test func `malformed or incomplete lines import nothing`() throws {
    let exported = try bank.nacre("export", "--reveal").output
    let other = try newStore()
    let whole = exported.split(separator: "\n").map(String.init)
    for lines in [["no JSON"], Array(whole.dropLast()), Array(whole.dropFirst()), []] {
      let outcome = try BuiltProduct.nacre.run(
        ["import", other.path] + other.unlocked,
        input: lines.joined(separator: "\n")
      )
      #expect(outcome.status == 51)
      #expect(outcome.lastComplaint.hasPrefix("nacre: "))
    }
    let rows = try StoreInspection(path: other.path).describe().entities.map(\.rowCount)
    #expect(rows.allSatisfy { $0 == 0 })
  }

  @Test func `a refused export or import leaves no file`() throws {
    #expect(try bank.nacre("export", "--reveal", unlock: []).status == 64)
    #expect(try bank.nacre("export", "--entity", "Acount", "--output", file).status == 14)
    #expect(try bank.nacre("import", "--input", file).status == 10)
    try bank.change("UPDATE Account SET note = iban WHERE holder = 'Ada'")
    #expect(try bank.nacre("export", "--reveal", "--output", file).status == 28)
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}
