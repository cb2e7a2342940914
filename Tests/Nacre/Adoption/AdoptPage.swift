import Foundation
import Nacre
import Testing

/// The mappings of ADOPT.md, each under the heading of its library.
enum AdoptPage {
  /// Returns the first mapping under a heading; an empty heading is the beginning of the page.
  static func mapping(under heading: String) throws -> AdoptionMapping {
    var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let page = try String(contentsOf: root.appendingPathComponent("ADOPT.md"), encoding: .utf8)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    var rest = lines[...]
    if !heading.isEmpty {
      let start = try #require(lines.firstIndex { $0 == "## \(heading)" }, "no heading \(heading)")
      rest = lines[start...]
    }
    let start = try #require(rest.firstIndex { $0 == "```json" })
    let end = try #require(rest[start...].firstIndex { $0 == "```" })
    return try AdoptionMapping(json: Data(lines[(start + 1)..<end].joined(separator: "\n").utf8))
  }
}
