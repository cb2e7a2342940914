#if Tool
import Foundation

/// The progress of a long command, in the words and numbers that are shown.
struct Gauge {
  /// The current activity of the command, such as a phase; a new activity is always shown.
  let activity: String
  /// Where it is, such as an entity; empty if there is nothing to name.
  var place = ""
  let done: Int
  let total: Int
  /// The name of the counted things, in the plural.
  let unit: String
  /// How many are done in a second; 0 if it is not known.
  var rate = 0.0
  /// The seconds left; nil if they are not known.
  var secondsLeft: Double?
  /// A further remark, such as the number of bad cells; empty if there is none.
  var remark = ""

  /// The share that is done, from 0 to 1.
  var share: Double { total > 0 ? min(1, max(0, Double(done) / Double(total))) : 0 }

  /// The activity and the place.
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
    // A limit far beyond any run, because a larger number may not fit an `Int`.
    let seconds = Int(min(max(seconds, 0), 1e9).rounded())
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
    default: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}
#endif
