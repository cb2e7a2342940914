/// One thing that is wrong in a configuration, and where.
public struct ConfigurationIssue: Sendable, Equatable, CustomStringConvertible {
  /// The line, from 1; 0 where it is about the whole configuration.
  public let line: Int
  /// The column, from 1, in Unicode scalars; 0 where it is about the whole line.
  public let column: Int
  /// What is wrong, and what to write instead.
  public let message: String

  /// The place and what is wrong there.
  public var description: String {
    line == 0 ? message : column == 0 ? "\(line): \(message)" : "\(line):\(column): \(message)"
  }
}

/// Where something stands in a configuration; lines and columns count from 1, columns in Unicode scalars.
struct ConfigurationPlace: Equatable, Sendable {
  static let start = ConfigurationPlace(line: 1, column: 1)
  /// Of what is about the whole configuration.
  static let whole = ConfigurationPlace(line: 0, column: 0)

  var line: Int
  var column: Int

  /// Goes on behind a character.
  mutating func pass(_ character: Character) {
    if character == "\n" || character == "\r\n" || character == "\r" {
      line += 1
      column = 1
    } else {
      column += character.unicodeScalars.count
    }
  }
}

/// Collects what is wrong, so that all of it is told at once.
final class ConfigurationIssues {
  private var all: [ConfigurationIssue] = []
  /// More than anybody reads.
  static let limit = 100

  var isEmpty: Bool { all.isEmpty }

  func note(_ message: String, at place: ConfigurationPlace) {
    guard all.count < Self.limit else { return }
    let issue = ConfigurationIssue(line: place.line, column: place.column, message: message)
    if !all.contains(issue) { all.append(issue) }
  }

  /// In the order of their places, and those of one place in the order in which they were found.
  var sorted: [ConfigurationIssue] {
    all.enumerated().sorted { a, b in
      (a.element.line, a.element.column, a.offset) < (b.element.line, b.element.column, b.offset)
    }
    .map(\.element)
  }
}
