import Foundation
import TestSupport
import Testing

@Suite struct ExitStatusTests {
  @Test(arguments: [["--help"], ["help"]])
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

  /// What no command can meet, or what has no better word than "failed in another way".
  private static let withoutStatus: Set<String> = [
    // Of the library's use, which the tool does not get wrong.
    "storeClosed", "noDefaultStore", "readersHeld", "stillUsed",
    "transactionState", "badStatement", "sealedCondition",
    // Of single objects, which the tool does not save, fetch or delete.
    "conflict", "objectDeleted", "unstoredChild", "notFound", "deleteDenied",
    // Of classes and steps, which the tool does not have.
    "newerSchema", "migrationFailed", "insideMigration", "stepsPending",
    // Of records, which the tool has no types for.
    "noKey", "invalidRecord",
    // Of queries, which the tool does not make.
    "badPage", "overflow", "noSuchColumn", "ambiguousDate", "unequalArgument", "decimalsAsTexts",
    "badSearch", "notFullText",
    // Of predicates and of DAOs, which the tool does not run.
    "alreadyUsed", "badArgument", "newerTable", "noProxy", "noSuchMethod", "noTableName", "noUser",
    "unsuitableColumn", "untranslatablePredicate",
    // Of the libraries underneath.
    "database", "crypto",
  ]

  private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The errors in the command's table, by its text: a test can't import an executable before it is built.
  private func codesWithStatus() throws -> [String] {
    let file = Self.root.appendingPathComponent("Sources/NacreTool/Exit/ExitStatus.swift")
    let text = try String(contentsOf: file, encoding: .utf8).replacing(/"[^"]*"/, with: "")
    return text.matches(of: /ExitStatus\(([^()]*)\)/).flatMap { call in
      call.1.matches(of: /\.(\w+)/).map { String($0.1) }
    }
  }

  @Test func `every error of the library has a status, or is known to need none`() throws {
    let sources = Self.root.appendingPathComponent("Sources/NacreStore")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    var names: Set<String> = []
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      guard text.contains("extension NacreError.Code") else { continue }
      names.formUnion(text.matches(of: /static let (\w+) = Self\(/).map { String($0.1) })
    }
    let codes = try codesWithStatus()
    #expect(codes.count == Set(codes).count)
    #expect(names.count > 40)
    #expect(names == Set(codes).union(Self.withoutStatus))
    #expect(Self.withoutStatus.isDisjoint(with: codes))
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

  @Test(arguments: [
    ("", 10, "the path is empty"), (".", 10, "is a directory, not a store's file"),
    ("a.txt", 11, "a.txt is empty, which is too short for a store"),
    ("b.txt", 11, "b.txt has 3 bytes, which is too short for a store"),
  ])
  func `a path that can be no store's is told`(name: String, status: Int32, words: String) throws {
    let directory = try TemporaryDirectory()
    try Data().write(to: URL(fileURLWithPath: directory.file("a.txt")))
    try Data("abc".utf8).write(to: URL(fileURLWithPath: directory.file("b.txt")))
    let path = name.isEmpty ? "" : name == "." ? directory.path : directory.file(name)
    for command in [["status"], ["rotate"], ["backup"]] {
      let arguments = command + [path] + (command == ["backup"] ? [directory.file("c.db")] : [])
      let outcome = try BuiltProduct.nacre.run(arguments)
      #expect(outcome.status == status)
      #expect(outcome.complainsInOneLine)
      #expect(outcome.complaint.contains(words), "\(outcome.complaint)")
    }
  }

  @Test(arguments: ["", ":memory:"])
  func `no copy is made where no file can be`(path: String) throws {
    let bank = try Bank()
    let outcome = try bank.nacre("backup", path, unlock: [])
    #expect(outcome.status == 10)
    #expect(outcome.output == "")
    #expect(try BuiltProduct.nacre.run(["init", path, "--key-file", bank.keyFile]).status == 10)
    #expect(path.isEmpty || !FileManager.default.fileExists(atPath: path))
  }

  /// Who may not write to a directory of mode 0555: everybody but root.
  private static let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"]

  @Test(.enabled(if: getuid() != 0 || FileManager.default.isExecutableFile(atPath: nobody[0])))
  func `a store in a read-only directory is read, and verify says what it needs`()
    throws
  {
    let bank = try Bank()
    func setMode(_ mode: Int, _ path: String) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    try setMode(0o644, bank.path)
    try setMode(0o555, bank.directory.path)
    defer { try? setMode(0o755, bank.directory.path) }
    func run(_ words: String...) throws -> BuiltProduct.Outcome {
      try BuiltProduct.nacre.run(
        words + ["--key-env", "KEY"],
        environment: ["KEY": Bank.keyHex],
        through: getuid() == 0 ? Self.nobody : []
      )
    }
    let shown = try run("inspect", bank.path, "Account", "--reveal")
    #expect(shown.status == 0, "\(shown.complaint)")
    #expect(shown.output.contains(Bank.ibans[0]))
    #expect(try run("status", bank.path).status == 0)
    let verified = try run("verify", bank.path)
    #expect([10, 17].contains(verified.status))
    #expect(verified.complainsInOneLine)
    #expect(verified.complaint.contains("its directory can't be written"))
    try setMode(0o755, bank.directory.path)
    try Data("x".utf8).write(to: URL(fileURLWithPath: bank.path + "-wal"))
    try setMode(0o555, bank.directory.path)
    let logged = try run("status", bank.path)
    #expect(logged.status == 10)
    #expect(logged.complaint.contains("has a write-ahead log"))
  }

  @Test func `the command has its own advice where the library's names a call`() throws {
    let sources = Self.root.appendingPathComponent("Sources")
    func text(_ path: String) throws -> String {
      try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
    }
    let guidance = try text("NacreTool/Guidance.swift")
    var count = 0
    for name in ["", "Anchor", "Key", "Rotation", "Verify"] {
      let codes = try text("NacreStore/Errors/NacreError+\(name)Codes.swift")
      for code in codes.matches(of: /static let (\w+) = Self\(\s*"[^"]*",\s*"[^"]*",\s*"([^"]*)"/)
      where code.2.contains("`") && !Self.withoutStatus.contains(String(code.1)) {
        #expect(guidance.contains("case .\(code.1):"), "\(code.1)")
        count += 1
      }
    }
    #expect(count > 5)
    #expect(!guidance.contains("`"))
    let locked = try Bank().nacre("verify", unlock: [])
    #expect(locked.complaint.contains("--key-file"))
    #expect(!locked.complaint.contains("unlock:"))
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
    try bank.change("UPDATE nacre_store SET value = 3 WHERE name = 'format'")
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
    ["slot", "list"],
    ["key", "add", "a.db", "--purpose", "lock"],
    ["rewrap"],
  ])
  func `a wrong command line is told in one line`(arguments: [String]) throws {
    let outcome = try BuiltProduct.nacre.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.output == "")
  }
}
