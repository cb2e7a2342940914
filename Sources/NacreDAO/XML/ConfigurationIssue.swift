/// One thing that is wrong in a configuration, and where.
public struct ConfigurationIssue: Sendable, Equatable, CustomStringConvertible {
  /// The line, from 1; 0 where it is about the whole configuration.
  public let line: Int
  /// The column, from 1; 0 where it is about the whole line.
  public let column: Int
  /// What is wrong, and what to write instead.
  public let message: String

  /// The place and what is wrong there.
  public var description: String {
    line == 0 ? message : column == 0 ? "\(line): \(message)" : "\(line):\(column): \(message)"
  }
}

/// Where something stands in a configuration; lines and columns count from 1.
struct ConfigurationPlace: Equatable, Sendable, Comparable {
  var line: Int
  var column: Int

  static func < (a: ConfigurationPlace, b: ConfigurationPlace) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// Collects what is wrong, so that all of it is told at once.
final class ConfigurationIssues {
  private(set) var all: [ConfigurationIssue] = []
  /// More than anybody reads.
  private static let limit = 100

  var isEmpty: Bool { all.isEmpty }

  func note(_ message: String, at place: ConfigurationPlace) {
    guard all.count < Self.limit else { return }
    let issue = ConfigurationIssue(line: place.line, column: place.column, message: message)
    if !all.contains(issue) { all.append(issue) }
  }

  var sorted: [ConfigurationIssue] {
    all.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }
}

extension ConfigurationPlace {
  /// Goes on behind a character.
  mutating func pass(_ character: Character) {
    if character.isNewline {
      line += 1
      column = 1
    } else {
      column += 1
    }
  }
}
