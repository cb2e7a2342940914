#if Tool
import Foundation

/// Shows progress on standard error: a redrawn bar on a terminal, otherwise a line every five seconds.
final class GaugeDisplay {
  /// Ten times a second at most, because nobody can read faster.
  private static let drawInterval = 0.1
  private static let lineInterval = 5.0
  private static let widestBar = 30

  private let isTerminal = isatty(STDERR_FILENO) != 0
  private let clock = ContinuousClock()
  private var shown: ContinuousClock.Instant?
  private var activity: String?
  private var isLineOpen = false

  // Clears the bar, because the next message is often the reason for a failure.
  deinit { end() }

  /// Shows the gauge if enough time has passed.
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

  /// Clears the bar, so that the next message starts on an empty line.
  func end() {
    guard isLineOpen else { return }
    Output.writeError("\r\u{1B}[K")
    isLineOpen = false
  }

  private func draw(_ gauge: Gauge, _ words: String) {
    // The last column stays free, because a full line would wrap.
    let width = (Terminal.width(of: STDERR_FILENO) ?? 80) - 1
    let room = width - gauge.title.count - words.count - 4
    var line = gauge.title
    if gauge.total > 0, room >= 5 { line += "  " + gauge.bar(width: min(Self.widestBar, room)) }
    if !words.isEmpty { line += "  " + words }
    Output.writeError("\r" + String(line.prefix(max(width, 0))) + "\u{1B}[K")
    isLineOpen = true
  }
}
#endif
