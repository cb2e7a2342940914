import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

@Suite struct StoryTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("garage.db") }
  private var first: [String] { ["--key-file", directory.file("first.key")] }
  private var second: [String] { ["--key-file", directory.file("second.key")] }

  init() throws { directory = try TemporaryDirectory() }

  private func nacre(_ arguments: [String], input: String = "") throws -> BuiltProduct.Outcome {
    try BuiltProduct.nacre.run(arguments, input: input)
  }

  /// What an application does: saves accounts, and reads them again.
  private func write(_ count: Int, unlockedBy key: [String]) throws {
    let store = try Store.open(path, unlock: .keyFile(key[1]))
    for number in 0..<count {
      let account = Account.create()
      account.iban = "DE-\(number)"
      account.use(store)
      try account.save()
    }
    let ibans = try store.read { _ in try Account.fetchAll().map(\.iban) }
    #expect(ibans.count >= count)
    #expect(ibans.allSatisfy { $0.hasPrefix("DE-") })
    try store.close()
  }

  @Test func `a key file that leaked opens neither the store nor what is written later`() throws {
    #expect(try nacre(["init", path] + first).status == 0)
    try write(20, unlockedBy: first)
    let old = directory.file("old.db")
    #expect(try nacre(["backup", path, old]).status == 0)

    let added = ["slot", "add", path, "--new-key-file", second[1]] + first
    #expect(try nacre(added).status == 0)
    #expect(try nacre(["slot", "remove", path, "1"] + second).status == 0)
    #expect(try nacre(["rewrap", path] + second).status == 0)
    #expect(try nacre(["rotate", path] + second).status == 0)
    #expect(try nacre(["verify", path] + second).status == 0)

    #expect(try nacre(["status", path] + first).status == 20)
    let locked = try nacre(["rotate", path] + first)
    #expect(locked.status == 20)
    #expect(locked.output == "")
    // The help says so: the old copy stays readable.
    #expect(try nacre(["inspect", old, "Account", "--reveal"] + first).status == 0)

    try write(5, unlockedBy: second)
    #expect(try nacre(["verify", path] + second).status == 0)
    let revealed = try nacre(["export", path, "--reveal"] + second).output
    let copy = directory.file("copy.db")
    let third = ["--key-file", directory.file("third.key")]
    #expect(try nacre(["init", copy] + third).status == 0)
    #expect(try nacre(["import", copy] + third, input: revealed).status == 0)
    #expect(try nacre(["verify", copy] + third).status == 0)
    #expect(try StoreInspection(path: copy).describe().entities.first?.rowCount == 25)
  }

  @Test func `no command makes a file or a store at a wrong path`() throws {
    let key = directory.file("a.key")
    let text = "NACRE-KEY-1 \(Bank.keyHex)\n"
    #expect(FileManager.default.createFile(atPath: key, contents: Data(text.utf8)))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let typo = directory.file("typo.db")
    let unlocked = ["--key-file", key]
    let commands: [[String]] = [
      ["status", typo], ["inspect", typo], ["check", typo], ["slot", "list", typo],
      ["key", "list", typo], ["backup", typo, directory.file("b.db")], ["export", typo],
      ["slot", "add", typo, "--new-key-file", directory.file("b.key")] + unlocked,
      ["slot", "remove", typo, "1"] + unlocked, ["key", "add", typo] + unlocked,
      ["key", "promote", typo, "00000001"] + unlocked, ["rewrap", typo] + unlocked,
      ["rotate", typo] + unlocked, ["verify", typo, "--list", directory.file("l")] + unlocked,
      ["export", typo, "--output", directory.file("o")] + unlocked,
      ["import", typo] + unlocked, ["migrate", typo, "--resume"] + unlocked,
      ["status", typo] + unlocked,
    ]
    for command in commands {
      let outcome = try nacre(command)
      #expect(outcome.status == 10, "\(command)")
      #expect(outcome.complainsInOneLine, "\(command)")
      #expect(outcome.output == "", "\(command)")
      // An empty file is not made a store of, either.
      #expect(FileManager.default.createFile(atPath: typo, contents: nil))
      #expect(try nacre(command).status == 11, "\(command)")
      #expect(try directory.bytes("typo.db").isEmpty, "\(command)")
      try FileManager.default.removeItem(atPath: typo)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.key"])
  }

  @Test func `no command shows a secret, or a sealed value without being asked`() throws {
    let bank = try Bank()
    let other = String(repeating: "feed0123", count: 8)
    let environment = ["KEY": Bank.keyHex, "OTHER": other]
    let key = "\(try bank.primaryKey())"
    let unlocked = ["--key-env", "KEY"]
    let commands: [[String]] = [
      ["status", bank.path], ["slot", "add", bank.path, "--new-key-env", "OTHER"],
      ["slot", "change", bank.path, "2", "--new-passphrase-fd", "0"],
      ["slot", "add", bank.path, "--new-key-env", "OTHER"], ["slot", "remove", bank.path, "3"],
      ["key", "add", bank.path], ["key", "disable", bank.path, key],
      ["key", "destroy", bank.path, key, "--yes"],
      ["rewrap", bank.path], ["rewrap", bank.path, "--keep-passphrase-fd", "0"],
      ["rotate", bank.path, "--dry-run"], ["rotate", bank.path, "--json"], ["rotate", bank.path],
      ["verify", bank.path, "--json"], ["verify", bank.path], ["export", bank.path],
      ["import", bank.path], ["migrate", bank.path, "Account", "note", "--seal", "--hides-nil"],
      ["inspect", bank.path, "Account"],
    ]
    let secrets = Bank.ibans + [Bank.keyHex, other, Bank.passphrase, String(other.prefix(16))]
    for command in commands {
      let outcome = try BuiltProduct.nacre.run(
        command + unlocked,
        input: Bank.passphrase,
        environment: environment
      )
      for secret in secrets { #expect(!outcome.everything.contains(secret), "\(command)") }
    }
  }

  /// Every command's own words, for the tests of what help says.
  static let commands = [
    ["init"], ["status"], ["inspect"], ["verify"], ["check"], ["slot"], ["slot", "list"],
    ["slot", "add"], ["slot", "remove"], ["slot", "change"], ["rewrap"], ["rotate"], ["key"],
    ["key", "list"], ["key", "add"], ["key", "promote"], ["key", "enable"], ["key", "disable"],
    ["key", "destroy"], ["migrate"], ["backup"], ["export"], ["import"],
  ]

  @Test(arguments: commands)
  func `the help of every command shows how it is called`(words: [String]) throws {
    let outcome = try nacre(words + ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.complaint == "")
    #expect(outcome.output.contains("\n  nacre " + words.joined(separator: " ")))
    let lines = outcome.output.split(separator: "\n").filter { !$0.hasPrefix("USAGE:") }
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
  }
}
