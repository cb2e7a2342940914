import Foundation
import TestSupport
import Testing

@Suite struct ExitStatusTests {
  @Test(arguments: [["--help"], ["inspect", "--help"], ["help", "inspect"]])
  func `help shows every exit status`(arguments: [String]) throws {
    let outcome = try BuiltProduct.nacre.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.complaint == "")
    for line in [
      "  0  done", " 10  no such file", " 11  the file is not a Nacre store",
      " 20  the secret does not unlock the store", " 64  the command line is wrong",
    ] {
      #expect(outcome.output.contains("\n  \(line)"), "\(line)")
    }
    let numbers = outcome.output.matches(of: /\n +(\d+) {2}/).compactMap { Int32($0.1) }
    #expect(numbers.count > 20)
    #expect(numbers == Set(numbers).sorted())
  }

  @Test func `a wrong path is refused and no file made`() throws {
    let directory = try TemporaryDirectory()
    let outcome = try BuiltProduct.nacre.run(["inspect", directory.file("typo.db")])
    #expect(outcome.status == 10)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains("typo.db"))
    #expect(outcome.output == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test(arguments: ["", "something else, which is longer than a database's header: 16 bytes"])
  func `a file that is no store is refused and stays as it is`(text: String) throws {
    let directory = try TemporaryDirectory()
    try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("a.txt")))
    let outcome = try BuiltProduct.nacre.run(["inspect", directory.file("a.txt")])
    #expect(outcome.status == 11)
    #expect(outcome.complainsInOneLine)
    #expect(try directory.bytes("a.txt") == Data(text.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.txt"])
  }

  @Test func `an entity that does not exist is refused before anything is shown`() throws {
    let outcome = try Bank().inspect("Acount")
    #expect(outcome.status == 14)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.output == "")
  }

  @Test func `a ring that was changed is refused`() throws {
    let bank = try Bank()
    try bank.change("UPDATE nacre_key SET created = created + 1")
    let outcome = try bank.inspect("--key-file", bank.keyFile)
    #expect(outcome.status == 24)
    #expect(outcome.complainsInOneLine)
  }

  @Test func `a later format is refused`() throws {
    let bank = try Bank()
    try bank.change("UPDATE nacre_store SET value = 2 WHERE name = 'format'")
    #expect(try bank.inspect().status == 12)
  }

  @Test func `a catalog that names what is not there is told`() throws {
    let bank = try Bank()
    try bank.change("UPDATE nacre_property SET \"column\" = 'gone' WHERE name = 'holder'")
    #expect(try bank.inspect("Account").status == 15)
  }

  @Test(arguments: [
    ["inspect"],
    ["inspect", "a.db", "Account", "--reveal"],
    ["inspect", "a.db", "--reveal", "--key-env", "KEY"],
    ["inspect", "a.db", "--key-env", "KEY", "--key-file", "a.key"],
    ["inspect", "a.db", "--limit", "-1"],
    ["inspect", "a.db", "--limit", "many"],
    ["inspect", "a.db", "--key", "00"],
    ["unseal", "a.db"],
  ])
  func `a wrong command line is told in one line`(arguments: [String]) throws {
    let outcome = try BuiltProduct.nacre.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.output == "")
  }
}
