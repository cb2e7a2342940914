import Foundation
import TestSupport
import Testing

@Suite struct VersionTests {
  @Test func `the command prints the number of the changelog's newest version`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(page.firstMatch(of: /\n## (\S+)\n/)).1
    let outcome = try BuiltProduct.nacre.run(["--version"])
    #expect(outcome.status == 0)
    #expect(outcome.output == "\(newest)\n")
  }
}
