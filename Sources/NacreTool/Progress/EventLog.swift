#if Tool
import Foundation

/// Writes events as JSON, one object a line, and flushes each so that a reader gets it at once.
final class EventLog {
  /// At most ten progress events a second.
  private static let interval = 0.1

  private let encoder = JSONEncoder()
  private let clock = ContinuousClock()
  private var shown: ContinuousClock.Instant?

  init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
  }

  /// Writes one event.
  ///
  /// - Throws: `CommandFailure` if it can't be written.
  func show(_ event: EventObject) throws {
    print(String(decoding: try encoder.encode(event), as: UTF8.self))
    try Output.flush()
  }

  /// Whether it is time for another progress event, which then counts as shown.
  func isDue() -> Bool {
    if let shown, clock.now - shown < .seconds(Self.interval) { return false }
    shown = clock.now
    return true
  }
}
#endif
