import Testing

@Suite struct SourceTests {
  private static let sources = Result {
    try Repository.files(below: "Sources") + Repository.files(below: "Examples")
  }

  @Test(arguments: SourceRule.all)
  func `every source keeps the rule`(_ rule: SourceRule) throws {
    let files = try Self.sources.get()
    #expect(files.count > 100)
    #expect(files.flatMap(rule.violations) == [])
  }

  @Test(arguments: SourceRule.all)
  func `the rule finds what breaks it`(_ rule: SourceRule) {
    #expect(rule.violations(rule.violation).count == 1)
  }

  @Test func `no test is kept from the linter or has a name that says nothing`() throws {
    let files = try Repository.files(below: "Tests")
    #expect(files.flatMap(SourceRule.ignoredFiles.violations) == [])
    #expect(files.flatMap(SourceRule.names.violations) == [])
  }

  @Test func `every room has a row in the table`() throws {
    // The C rooms hold headers and a module map.
    let rooms = try Repository.folders(below: "Sources").union(
      Repository.folders(below: "Examples")
    )
    #expect(rooms == Set(ImportTable.arrows.keys))
  }

  @Test(arguments: [
    ("NacreSQLite/A.swift", "import NacreCrypto"),
    ("NacreSQLite/A.swift", "import FoundationXML"),
    ("NacrePostgres/A.swift", "import CSQLite"),
    ("NacreOpen/A.swift", "import CPQ"),
    ("NacreCrypto/Primitives/A.swift", "internal import Foundation"),
    ("NacreCrypto/Keys/A.swift", "internal import COpenSSL"),
    ("NacreCore/A.swift", "import Synchronization; import COpenSSL"),
    ("NacreDAO/A.swift", "import FoundationXML"),
    ("NacreDAO/XML/A.swift", "import NacreSQLite"),
    ("NacreMacros/A.swift", "import NacreCore"),
    ("Nacre/A.swift", "import NacreMacros"),
    ("Nacre/A.swift", "@_exported public import Foundation"),
    ("NacreTool/A.swift", "import Nacre"),
    ("Garage/A.swift", "import NacreCore"),
    ("NewRoom/A.swift", ""),
  ])
  func `an import against the arrows is found`(path: String, text: String) {
    let file = SourceFile(path: "Sources/" + path, text: text)
    #expect(ImportTable.violations(file).count == 1)
  }

  @Test(arguments: [
    "\"PRAGMA user_version\"", "\"SELECT 1 FROM pragma_table_list\"", "\"DROP TABLE sqlite_stat1\"",
    "\"CREATE TABLE t (a) WITHOUT ROWID\"", "\"SELECT _rowid_ FROM t\"", "#\"SELECT \"rowid\"\"#",
    "\"SELECT \\\"rowid\\\"\"", "\"INTEGER PRIMARY KEY AUTOINCREMENT\"", "\"a COLLATE NOCASE = ?\"",
    "SQLITE_BUSY",
  ])
  func `a word of SQLite's own SQL is found above it`(text: String) {
    let text = "let a = \(text)"
    let file = SourceFile(path: "Sources/NacreDAO/SQL/A.swift", text: text)
    #expect(SourceRule.dialect.violations(file).count == 1)
    let home = SourceFile(path: "Sources/NacreSQLite/Dialect/A.swift", text: text)
    #expect(SourceRule.dialect.violations(home) == [])
  }

  @Test(arguments: ["let lastRowID = rowID", "// PRAGMA", "\"the rowid\"", "\" COLLATE \\(name)\""])
  func `a word that only resembles SQLite's is let through`(text: String) {
    let file = SourceFile(path: "Sources/NacreDAO/A.swift", text: text)
    #expect(SourceRule.dialect.violations(file) == [])
  }

  @Test func `comments and string literals break no rule`() {
    let text = #"""
      // import Foundation; try! sqlite3_step(fatalError())
      /* EVP_DigestInit /* import COpenSSL */ try! */
      let a = "import Foundation \(f("try! fatalError()", 1)) sqlite3_step", b = #"EVP_"x"#
      let c = """
        import Foundation
        """
      """#
    let file = SourceFile(path: "Sources/NacreCrypto/A.swift", text: text)
    #expect(SourceRule.all.flatMap { $0.violations(file) } == [])
  }
}

@Suite struct SwiftScannerTests {
  @Test func `code after a comment or literal keeps its line`() {
    let text = "/*\n*/ a\nlet b = \"\"\"\n  SELECT \"x\"\n  \"\"\"\nlet c = \"\\(d(\")\")) e\" // f"
    let scanner = SwiftScanner(text)
    #expect(scanner.code == "\n a\nlet b = \"\"\n\n\nlet c = \"\" ")
    #expect(scanner.literals.map(\.line) == [3, 6])
    #expect(scanner.literals.map(\.text) == ["\n  SELECT \"x\"\n  ", "\\(d(\")\")) e"])
  }
}
