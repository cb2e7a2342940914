import Foundation

/// The time at which a key is made, as its record keeps it.
package enum CreationTime {
  /// Returns the present time in milliseconds since 1970.
  package static func now() -> UInt64 {
    // A clock that was never set may show a time before 1970.
    UInt64(max(0, Date().timeIntervalSince1970 * 1000))
  }
}
