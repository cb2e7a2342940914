import Foundation

extension Int {
  /// The number with a comma between its thousands, whatever the locale.
  var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}

extension Double {
  /// The number with one digit after the point, whatever the locale.
  var tenths: String { String(format: "%.1f", self) }
}

extension Duration {
  /// Milliseconds, without a fraction.
  var milliseconds: String { "\(Int((self / .milliseconds(1)).rounded()).grouped) ms" }
}

extension Data {
  /// The bytes as hex digits.
  var hex: String { map { String(format: "%02x", $0) }.joined() }
}
