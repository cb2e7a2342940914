import Foundation

/// The summaries as a table and as JSON.
struct Report {
  let summaries: [Summary]

  /// A list of objects, one a summary.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(summaries) + Data("\n".utf8)
  }

  /// One line a summary; a blank line before each work.
  func table() -> String {
    let head = ["work", "rows", "sealed", "subject", "µs/op", "× floor", "memory MB"]
    var lines = [head]
    for (index, summary) in summaries.enumerated() {
      if index == 0 || starts(summary, after: summaries[index - 1]) { lines.append([]) }
      lines.append([
        summary.work, String(summary.size), String(summary.sealed), summary.subject,
        String(format: "%.3f", summary.nanosecondsPerOperation / 1000),
        String(format: "%.2f", summary.ratioToFloor),
        summary.memoryGrowth.map { String(format: "%.1f", Double($0) / 1_000_000) } ?? "-",
      ])
    }
    return lines.map { Report.line($0) }.joined(separator: "\n") + "\n"
  }

  private func starts(_ summary: Summary, after last: Summary) -> Bool {
    (summary.work, summary.size, summary.sealed) != (last.work, last.size, last.sealed)
  }

  private static func line(_ cells: [String]) -> String {
    let widths = [-12, 8, 6, -11, 10, 8, 10]
    return zip(cells, widths).map { cell, width in
      let padding = String(repeating: " ", count: max(0, abs(width) - cell.count))
      return width < 0 ? cell + padding : padding + cell
    }.joined(separator: "  ")
  }
}
