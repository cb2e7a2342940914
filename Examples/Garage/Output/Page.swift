import Foundation

/// Writes to the standard output, in lines of at most 80 columns.
enum Page {
  static let width = 80
  private static let margin = "   "

  /// Begins a step: its number, what it does, and the call that does it.
  static func step(_ number: Int, _ title: String, code: String) {
    let head = "\(number). \(title) "
    print("\n" + head + String(repeating: "-", count: max(width - head.count, 0)))
    print(margin + code + "\n")
  }

  /// Writes one line.
  static func line(_ text: String) { print(margin + text) }

  /// Writes a sentence, broken between words where it is too long for a line.
  static func sentence(_ text: String) {
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty && margin.count + line.count + 1 + word.count > width {
        print(margin + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    print(margin + line)
  }

  /// Writes a label and its text, so that the texts of several lines stand below each other.
  static func item(_ label: String, _ text: String) {
    line(TextTable.padded(label, to: 15, .left) + " " + text)
  }

  /// Leaves a line empty.
  static func gap() { print("") }
}
