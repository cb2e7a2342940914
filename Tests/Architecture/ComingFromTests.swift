import Foundation
import Testing

/// The page COMING-FROM.md, a row for each feature of the older systems.
enum ComingFromPage {
  struct Row: Equatable {
    let number: String
    let cells: [String]

    /// The tests in the last cell but one, each as `Suite/name`.
    var tests: [String] {
      cells.count < 4 ? [] : cells[2].matches(of: /`([^`]+)`/).map { String($0.1) }
    }
  }

  static func rows(_ text: String) -> [Row] {
    text.split(separator: "\n").compactMap { line in
      let number = /^\| ([A-Z][0-9]+(\.[0-9a-z]+)?|[A-Za-z]+ #[0-9]+) \|/
      guard line.contains(number) else { return nil }
      // A bar within a cell is written as an entity.
      let cells = line.dropFirst().dropLast().split(
        separator: "|",
        omittingEmptySubsequences: false
      )
      .map { $0.trimmingCharacters(in: .whitespaces) }
      return Row(number: cells[0], cells: Array(cells.dropFirst()))
    }
  }

  /// The features of the older systems, by the numbers under which they are known here.
  static let numbers: [String] =
    range("Y", 1...25) + (1...29).map { "Y26.\($0)" } + range("Y", 27...47)
    + range("B", 1...6) + (1...9).map { "B7.\($0)" } + ["B7.q"] + range("B", 8...29)
    + range("S", 1...6) + (1...14).map { "S7.\($0)" } + range("S", 8...35)
    + range("C", 1...23) + dao.flatMap { range("A", $0) } + range("K", 1...11)

  /// The features of the DAO, whose sections leave room between their numbers.
  private static let dao = [
    1...13, 20...31, 40...46, 50...65, 70...92, 100...108, 120...126, 130...132, 140...147,
    150...159, 170...183, 190...195, 200...207, 210...221, 230...237, 240...241, 250...268,
  ]

  private static func range(_ letter: String, _ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { "\(letter)\($0)" }
  }

  /// What the users of two of the systems complained of, by the numbers of their issues.
  static let complaints =
    [31, 59, 67, 74, 80, 82].map { "CTPersistance #\($0)" } + [3, 6, 9].map { "SQPersist #\($0)" }

  /// What is missing or wrong in a page.
  static func faults(_ text: String, tests: Set<String>) -> [String] {
    let rows = rows(text)
    let present = Set(rows.map(\.number))
    let known = numbers + complaints
    var faults = known.filter { !present.contains($0) }.map { "\($0) has no row" }
    faults += present.subtracting(known).sorted().map { "\($0) is no feature" }
    if rows.count != present.count { faults.append("a number has two rows") }
    for row in rows {
      if row.cells.count != 4 { faults.append("\(row.number) has \(row.cells.count) cells") }
      if row.tests.isEmpty { faults.append("\(row.number) names no test") }
      faults += row.tests.filter { !tests.contains($0) }.map { "\(row.number): no test “\($0)”" }
    }
    return faults
  }

  /// All tests, each as `Suite/name`.
  static func tests(_ files: [SourceFile]) -> Set<String> {
    Set(files.flatMap(tests(in:)))
  }

  /// The tests of one file.
  ///
  /// A suite begins at the left margin. A test's name is a sentence; other functions in backticks
  /// are words.
  private static func tests(in file: SourceFile) -> [String] {
    var suite = ""
    var tests: [String] = []
    let type = /^(?:[@\w].*? )?(?:struct|class|enum|extension|actor) ([\w.]+)/
    let test = /func `([^`]+ [^`]+)`/
    for line in file.lines {
      if line.first != " ", let found = line.firstMatch(of: type) { suite = String(found.1) }
      if let found = line.firstMatch(of: test) { tests.append("\(suite)/\(found.1)") }
    }
    return tests
  }
}

@Suite struct ComingFromTests {
  @Test func `every feature of the older systems has a row whose test exists`() throws {
    let page = try Repository.file("COMING-FROM.md")
    let tests = ComingFromPage.tests(try Repository.files(below: "Tests"))
    #expect(ComingFromPage.faults(page.text, tests: tests) == [])
  }

  @Test func `the names that people search for are on the page`() throws {
    let page = try Repository.file("COMING-FROM.md").text
    let names = [
      "SQPObject", "SQPDatabase", "AYDbContext", "AYDbModel", "AYDbEntry", "AYDbTypeConvertor",
      "DBSQLite", "DBSQLiteQueue", "DBSQLiteModel", "DBSQLiteModelProtocol", "registerModelClass",
      "CTPersistanceTable", "CTPersistanceRecord", "CTPersistanceMigrator",
      "CTPersistanceTransaction", "CTPersistanceAsyncExecutor", "APDataCenter", "APDAOProtocol",
      "APDAOResult", "APDataCrypt",
    ]
    for name in names { #expect(page.contains("`\(name)"), "\(name) is missing") }
  }

  @Test func `a test is known by its suite and its name`() {
    let file = SourceFile(
      path: "Tests/A.swift",
      text: """
        import struct Foundation.Data
        @Suite(.serialized) struct FirstTests {
          struct Inner {}
          @Test func `a test`() {}
        }
        @Suite struct SecondTests {
          @Test func `a test`() {}
          func `word`() {}
        }
        """
    )
    #expect(ComingFromPage.tests([file]) == ["FirstTests/a test", "SecondTests/a test"])
  }

  @Test func `a missing number, an unknown test and a row without one are found`() {
    let rows = (ComingFromPage.numbers + ComingFromPage.complaints).map {
      "| \($0) | there | here | `ATests/a test` | |"
    }
    let tests: Set = ["ATests/a test"]
    #expect(ComingFromPage.faults(rows.joined(separator: "\n"), tests: tests) == [])
    let without = rows.dropFirst().joined(separator: "\n")
    #expect(ComingFromPage.faults(without, tests: tests) == ["Y1 has no row"])
    let unknown = rows.joined(separator: "\n").replacing(
      "`ATests/a test`",
      with: "`BTests/a test`",
      maxReplacements: 1
    )
    #expect(ComingFromPage.faults(unknown, tests: tests) == ["Y1: no test “BTests/a test”"])
    let silent = rows.joined(separator: "\n").replacing(
      "`ATests/a test`",
      with: "",
      maxReplacements: 1
    )
    #expect(ComingFromPage.faults(silent, tests: tests) == ["Y1 names no test"])
    let more = rows.joined(separator: "\n") + "\n| Z9 | a | b | `ATests/a test` | |"
    #expect(ComingFromPage.faults(more, tests: tests) == ["Z9 is no feature"])
    let twice = rows.joined(separator: "\n") + "\n" + rows[0]
    #expect(ComingFromPage.faults(twice, tests: tests) == ["a number has two rows"])
    let short = rows.joined(separator: "\n").replacing(" | |", with: " |", maxReplacements: 1)
    #expect(ComingFromPage.faults(short, tests: tests).first == "Y1 has 3 cells")
  }
}
