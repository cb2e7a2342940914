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
  func show(_ event: some Encodable) throws {
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

/// The last event of a failed command that writes JSON: why it failed.
struct ErrorEvent: Encodable {
  let event = "error"
  /// The error's code as NacreCore names it, or the name of the exit status.
  let code: String
  let exit: Int32
  let message: String
}
