/// One mistake in a configuration, and its place.
public struct ConfigurationIssue: Sendable, Equatable, CustomStringConvertible {
  /// The line, from 1; 0 if the mistake is about the whole configuration.
  public let line: Int
  /// The column, from 1, in Unicode scalars; 0 if the mistake is about the whole line.
  public let column: Int
  /// The mistake, and what to write instead.
  public let message: String

  /// The place and the message.
  public var description: String {
    line == 0 ? message : column == 0 ? "\(line): \(message)" : "\(line):\(column): \(message)"
  }
}

/// A place in a configuration; lines and columns count from 1, columns in Unicode scalars.
struct ConfigurationPlace: Equatable, Sendable {
  static let start = ConfigurationPlace(line: 1, column: 1)
  /// The place of mistakes that are about the whole configuration.
  static let whole = ConfigurationPlace(line: 0, column: 0)

  var line: Int
  var column: Int

  /// Moves past a character.
  mutating func pass(_ character: Character) {
    if character == "\n" || character == "\r\n" || character == "\r" {
      line += 1
      column = 1
    } else {
      column += character.unicodeScalars.count
    }
  }
}

/// A byte of a text of the configuration; its line and column are worked out only on demand.
struct SourcePlace: Sendable {
  /// The text's index among the kept texts.
  fileprivate let text: Int
  let byte: Int
}

/// Collects the mistakes, so that all of them are reported at once.
///
/// It works out places for mistakes only, because finding a place means reading a text up to it.
final class ConfigurationIssues {
  private var all: [ConfigurationIssue] = []
  private var texts: [MarkupWalk] = []
  /// The places of the references; a reference's number is its index plus 1.
  private var references: [SourcePlace] = []
  /// How many places in texts were worked out.
  private(set) var placeCount = 0
  /// How many mistakes are kept at most; nobody reads more.
  static let limit = 100

  var isEmpty: Bool { all.isEmpty }

  func note(_ message: String, at place: @autoclosure () -> ConfigurationPlace) {
    guard all.count < Self.limit else { return }
    let place = place()
    let issue = ConfigurationIssue(line: place.line, column: place.column, message: message)
    if !all.contains(issue) { all.append(issue) }
  }

  /// Notes a mistake at a byte of a kept text.
  func note(_ message: String, at source: SourcePlace) {
    note(message, at: place(of: source))
  }

  /// Notes a mistake at the place of the reference with a number.
  func note(_ message: String, atReference number: Int32) {
    let index = Int(number) - 1
    note(message, at: references.indices.contains(index) ? place(of: references[index]) : .whole)
  }

  private func place(of source: SourcePlace) -> ConfigurationPlace {
    placeCount += 1
    return texts[source.text].place(atByte: source.byte)
  }

  /// Keeps a text, and returns a function that makes a place of one of its bytes.
  func keep(_ text: MarkupText) -> (_ byte: Int) -> SourcePlace {
    texts.append(MarkupWalk(text))
    let number = texts.count - 1
    return { SourcePlace(text: number, byte: $0) }
  }

  /// Keeps a reference's place, and returns the number by which it is found.
  func number(of source: SourcePlace) -> Int32 {
    references.append(source)
    return Int32(clamping: references.count)
  }

  /// The issues in the order of their places; those with the same place in the order in which they were found.
  var sorted: [ConfigurationIssue] {
    all.enumerated().sorted { a, b in
      (a.element.line, a.element.column, a.offset) < (b.element.line, b.element.column, b.offset)
    }
    .map(\.element)
  }
}
