import Foundation

/// How far a long command is, in the words and numbers that are shown.
struct Gauge {
  /// What it is doing, such as a phase; a change of it is always shown.
  let activity: String
  /// What it is at, such as an entity; empty for nothing.
  var place = ""
  let done: Int
  let total: Int
  /// What is counted, in the plural.
  let unit: String
  /// How many a second; 0 when it is not known.
  var rate = 0.0
  /// Nil when it is not known.
  var secondsLeft: Double?
  /// What else is worth a word, such as bad cells; empty for nothing.
  var remark = ""

  /// From 0 to 1.
  var share: Double { total > 0 ? min(1, max(0, Double(done) / Double(total))) : 0 }

  /// What it is doing, and at what.
  var title: String { place.isEmpty ? activity : activity + " " + place }

  /// The share as a bar.
  func bar(width: Int) -> String {
    let full = Int(share * Double(width))
    return String(repeating: "█", count: max(0, full))
      + String(repeating: "░", count: max(0, width - full))
  }

  /// The numbers without a bar: `12000 of 19400 rows, 61%, 3400 rows/s, 2 s left`.
  var words: String {
    guard total > 0 else { return remark }
    var words = ["\(done) of \(total) \(unit)", "\(Int(share * 100))%"]
    if rate >= 1 { words.append("\(Int(rate)) \(unit)/s") }
    if let secondsLeft { words.append(Gauge.time(secondsLeft) + " left") }
    if !remark.isEmpty { words.append(remark) }
    return words.joined(separator: ", ")
  }

  /// A time in the largest two of hours, minutes and seconds.
  static func time(_ seconds: Double) -> String {
    // Far beyond any run; a larger number may not fit.
    let seconds = Int(min(max(seconds, 0), 1e9).rounded())
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
    default: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}
