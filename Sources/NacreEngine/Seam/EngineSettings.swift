/// An engine's own settings of its connections, with what every engine has.
package protocol EngineSettings: Sendable {
  /// How long a connection waits for another connection's lock, in seconds.
  var busyTimeout: Double { get set }
  /// Whether every commit is on the disk when it returns.
  var commitsDurably: Bool { get set }
}

extension EngineSettings {
  /// The timeout in whole milliseconds, between 0 and a day.
  package var busyTimeoutMilliseconds: Int32 {
    Int32(min(max(busyTimeout.isNaN ? 0 : busyTimeout, 0), 86_400) * 1000)
  }
}
