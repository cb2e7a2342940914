import Foundation
import Testing

extension ComingFromPage {
  /// What shows the pages' examples, which open files by their paths.
  private static let examples = ["Tests/Nacre/Tour/", "Tests/Nacre/Testing/"]
  /// The modules whose tests run on a server as well.
  private static let modules = ["Tests/Nacre/", "Tests/NacreCore/", "Tests/NacreRecords/"]

  /// Returns the numbers of the rows that the page's beginning calls SQLite's alone.
  static func sqlitesAlone(_ text: String) -> Set<String> {
    var numbers: Set<String> = []
    for line in text.prefix(upTo: text.firstRange(of: "## Names")?.lowerBound ?? text.startIndex)
      .split(separator: "\n") where line.hasPrefix("- ")
    {
      let list = line.dropFirst(2).prefix { $0 != ":" }
      if list.hasPrefix("All of ") {
        let letters = list.dropFirst(7).matches(of: /\b[A-Z]\b/).map { String($0.output) }
        numbers.formUnion(
          rows(text).map(\.number).filter { letters.contains(String($0.prefix(1))) }
        )
      } else {
        numbers.formUnion(list.matches(of: /\b[A-Z]\d+(\.\d+)?/).map { String($0.output.0) })
      }
    }
    return numbers
  }

  /// Returns the tests that run on a server, and those that are marked as SQLite's alone, each as `Suite/name`.
  static func marks(_ files: [SourceFile]) -> (running: Set<String>, marked: Set<String>) {
    var (running, marked): (Set<String>, Set<String>) = ([], [])
    for file in files
    where modules.contains(where: file.path.hasPrefix)
      && !examples.contains(where: file.path.hasPrefix)
    {
      for test in tests(in: file) {
        if test.isMarked { marked.insert(test.name) } else { running.insert(test.name) }
      }
    }
    return (running, marked)
  }

  /// The tests of one file, with whether they or their suite are marked.
  private static func tests(in file: SourceFile) -> [(name: String, isMarked: Bool)] {
    var (suite, isSuiteMarked, isMarked) = ("", false, false)
    var tests: [(String, Bool)] = []
    let type = /^(?:[@\w].*? )?(?:struct|class|enum|extension|actor) ([\w.]+)/
    for line in file.lines {
      if line.contains(".sqliteOnly(") { isMarked = true }
      if line.first != " ", let found = line.firstMatch(of: type) {
        (suite, isSuiteMarked, isMarked) = (String(found.1), isMarked, false)
      }
      if let found = line.firstMatch(of: /func `([^`]+ [^`]+)`/) {
        tests.append(("\(suite)/\(found.1)", isSuiteMarked || isMarked))
        isMarked = false
      }
    }
    return tests
  }

  /// Returns the rows that the page's beginning does not name as the tests' marks do.
  static func serverFaults(_ text: String, _ files: [SourceFile]) -> [String] {
    let (alone, marks) = (sqlitesAlone(text), marks(files))
    return rows(text).compactMap { row in
      if !alone.contains(row.number) {
        if row.tests.contains(where: marks.running.contains) { return nil }
        return row.tests.first(where: marks.marked.contains).map {
          "\(row.number): “\($0)” does not run on a server"
        }
      }
      let isShown = !row.tests.isEmpty && row.tests.allSatisfy(marks.running.contains)
      return isShown ? "\(row.number) is SQLite's alone, and its tests run on a server" : nil
    }
  }
}

/// The rows of COMING-FROM.md that a store on a server does not have.
@Suite struct ComingFromServerTests {
  @Test func `the rows that are SQLite's alone are those whose tests are marked so`() throws {
    let page = try Repository.file("COMING-FROM.md").text
    #expect(ComingFromPage.sqlitesAlone(page).isSuperset(of: ["S1", "B1", "Y6", "A268", "K11"]))
    let faults = ComingFromPage.serverFaults(page, try Repository.files(below: "Tests"))
    #expect(faults == [])
  }

  @Test func `a mark without its row is found, and a row without its mark`() {
    let file = SourceFile(
      path: "Tests/NacreCore/A.swift",
      text: """
        @Suite struct ATests {
          @Test func `runs on both`() {}
          @Test(
            .sqliteOnly("it is"),
            arguments: [1]
          )
          func `runs on one`() {}
          @Test func `runs again`() {}
        }
        @Suite(.sqliteOnly("it is"))
        struct BTests {
          @Test func `runs nowhere`() {}
        }
        """
    )
    func faults(_ list: String, _ test: String) -> [String] {
      let page = "- \(list): why.\n## Names\n| S1 | there | here | `\(test)` | |"
      return ComingFromPage.serverFaults(page, [file])
    }
    #expect(faults("S2", "ATests/runs on both") == [])
    #expect(faults("S2", "ATests/runs again") == [])
    #expect(faults("S1, S2", "ATests/runs on one") == [])
    #expect(faults("All of A and S", "BTests/runs nowhere") == [])
    #expect(
      faults("S2", "ATests/runs on one") == ["S1: “ATests/runs on one” does not run on a server"]
    )
    #expect(
      faults("All of A", "BTests/runs nowhere")
        == ["S1: “BTests/runs nowhere” does not run on a server"]
    )
    #expect(
      faults("S1", "ATests/runs on both")
        == ["S1 is SQLite's alone, and its tests run on a server"]
    )
  }
}
