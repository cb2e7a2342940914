import Foundation

/// Shows progress on standard error: a bar that is redrawn on a terminal, a line now and then elsewhere.
final class GaugeDisplay {
  /// At most ten times a second, which nobody can read faster.
  private static let drawInterval = 0.1
  private static let lineInterval = 5.0
  private static let widestBar = 30

  private let isTerminal = isatty(STDERR_FILENO) != 0
  private let clock = ContinuousClock()
  private var shown: ContinuousClock.Instant?
  private var activity: String?
  private var isLineOpen = false

  // What is said next is often why it failed.
  deinit { end() }

  /// Shows it if it is time to.
  func show(_ gauge: Gauge) {
    let isNew = gauge.activity != activity
    let interval = isTerminal ? Self.drawInterval : Self.lineInterval
    if !isNew, let shown, clock.now - shown < .seconds(interval) { return }
    shown = clock.now
    activity = gauge.activity
    let words = gauge.words
    guard isTerminal else {
      return Output.error.show(gauge.title + (words.isEmpty ? "" : ": " + words))
    }
    draw(gauge, words)
  }

  /// Takes the bar away, for what is said next.
  func end() {
    guard isLineOpen else { return }
    Output.writeError("\r\u{1B}[K")
    isLineOpen = false
  }

  private func draw(_ gauge: Gauge, _ words: String) {
    // The last column stays free, for a full line would be wrapped.
    let width = (Terminal.width(of: STDERR_FILENO) ?? 80) - 1
    let room = width - gauge.title.count - words.count - 4
    var line = gauge.title
    if gauge.total > 0, room >= 5 { line += "  " + gauge.bar(width: min(Self.widestBar, room)) }
    if !words.isEmpty { line += "  " + words }
    Output.writeError("\r" + String(line.prefix(max(width, 0))) + "\u{1B}[K")
    isLineOpen = true
  }
}
