#if Tool
import Foundation
import NacreStore

extension Date {
  /// ISO 8601 in UTC, to the second.
  var stamp: String { formatted(.iso8601) }

  /// The whole days since the date; 0 for a future date.
  var age: String {
    Int(max(0, -timeIntervalSinceNow) / 86_400).counted("day")
  }
}
#endif
