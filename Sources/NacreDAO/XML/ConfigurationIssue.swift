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

/// A byte of a text of the configuration: where that is, is worked out when somebody asks.
struct SourcePlace: Sendable {
  /// The text's number among those that are kept.
  fileprivate let text: Int
  let byte: Int
}

/// Collects what is wrong, so that all of it is told at once.
///
/// A place is worked out of what is wrong alone, for to find one a text is read up to it.
final class ConfigurationIssues {
  private var all: [ConfigurationIssue] = []
  private var texts: [MarkupWalk] = []
  /// Where the references stand, by their numbers.
  private var references: [SourcePlace] = []
  /// How many places of texts were worked out.
  private(set) var placeCount = 0
  /// More than anybody reads.
  static let limit = 100

  var isEmpty: Bool { all.isEmpty }

  func note(_ message: String, at place: @autoclosure () -> ConfigurationPlace) {
    guard all.count < Self.limit else { return }
    let place = place()
    let issue = ConfigurationIssue(line: place.line, column: place.column, message: message)
    if !all.contains(issue) { all.append(issue) }
  }

  /// The same at a byte of a text that is kept.
  func note(_ message: String, at source: SourcePlace) {
    note(message, at: place(of: source))
  }

  /// The same where a reference stands.
  func note(_ message: String, at reference: TemplateReference) {
    let index = Int(reference.number) - 1
    note(message, at: references.indices.contains(index) ? place(of: references[index]) : .whole)
  }

  private func place(of source: SourcePlace) -> ConfigurationPlace {
    placeCount += 1
    return texts[source.text].place(atByte: source.byte)
  }

  /// Keeps a text, and gives what makes a place of one of its bytes.
  func keep(_ text: MarkupText) -> (_ byte: Int) -> SourcePlace {
    texts.append(MarkupWalk(text))
    let number = texts.count - 1
    return { SourcePlace(text: number, byte: $0) }
  }

  /// The number that a reference gets, by which its place is known.
  func number(of source: SourcePlace) -> Int32 {
    references.append(source)
    return Int32(clamping: references.count)
  }

  /// In the order of their places, and those of one place in the order in which they were found.
  var sorted: [ConfigurationIssue] {
    all.enumerated().sorted { a, b in
      (a.element.line, a.element.column, a.offset) < (b.element.line, b.element.column, b.offset)
    }
    .map(\.element)
  }
}
