import Foundation

/// A line that grows while work goes on; if the output is no terminal, it is written once at the
/// end.
struct ProgressLine {
  private static let barWidth = 40
  private let total: Int
  private let unit: String
  private let isLive = isatty(STDOUT_FILENO) == 1

  init(total: Int, unit: String) {
    self.total = total
    self.unit = unit
  }

  /// Shows that `count` of the total are done.
  func show(_ count: Int) {
    let isDone = count >= total
    guard isLive || isDone else { return }
    let filled = total == 0 ? Self.barWidth : Self.barWidth * count / total
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: Self.barWidth - filled)
    print(
      "\(isLive ? "\r" : "")   [\(bar)] \(count) of \(total) \(unit)",
      terminator: isDone ? "\n" : ""
    )
    fflush(nil)
  }
}
