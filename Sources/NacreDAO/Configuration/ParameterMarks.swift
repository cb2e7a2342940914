/// Finds parameters that the SQL itself contains: `?`, `?1`, `:name`, `@name`, `#name` and `$name`.
///
/// A configuration's parameters are its references. Any other parameter would shift them, or be a second one for the
/// same value.
enum ParameterMarks {
  /// A parameter, and the byte at which it begins.
  struct Mark: Equatable {
    let offset: Int
    let text: String
  }

  /// The parameters of a text.
  ///
  /// - Parameters:
  ///   - bytes: the text, in UTF-8.
  ///   - state: the quotes or comment that are open where it begins.
  /// - Returns: the parameters outside of quotes and comments, in their order.
  static func marks(in bytes: [UInt8], from state: SQLQuotes.State) -> [Mark] {
    // Most texts contain none of these signs.
    guard bytes.contains(where: isSign) else { return [] }
    var quotes = SQLQuotes(state)
    var marks: [Mark] = []
    while quotes.position < bytes.count {
      let position = quotes.position
      let isPlain = quotes.state == .plain
      guard quotes.step(bytes) else { break }
      guard isPlain, isMark(bytes, at: position) else { continue }
      let name = bytes[(position + 1)...].prefix(while: \.isNamePart)
      let text = String(decoding: bytes[position..<name.endIndex], as: UTF8.self)
      marks.append(Mark(offset: position, text: text))
    }
    return marks
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "#"),
      UInt8(ascii: "$"):
      true
    default: false
    }
  }

  /// Whether SQLite reads a parameter that begins at a byte.
  private static func isMark(_ bytes: [UInt8], at position: Int) -> Bool {
    let byte = bytes[position]
    if byte == UInt8(ascii: "?") { return true }
    guard isSign(byte), position + 1 < bytes.count, bytes[position + 1].isNamePart else {
      return false
    }
    // A $ within a name is part of the name. At the very first byte, the text before this one may end with a name.
    return byte != UInt8(ascii: "$") || position > 0 && !bytes[position - 1].isNamePart
  }
}

extension UInt8 {
  /// Whether the byte can be part of a name in SQL.
  fileprivate var isNamePart: Bool { isWordPart || self == UInt8(ascii: "$") }
}

extension QuoteTrack {
  /// The parameters in a text of the configuration at the track's position; empty if it is not certain whether quotes
  /// are open there.
  func parameters(in text: String) -> [ParameterMarks.Mark] {
    guard let state else { return [] }
    return ParameterMarks.marks(in: Array(text.utf8), from: state)
  }
}

extension StatementReader {
  /// Refuses parameters that a text of the configuration contains itself.
  ///
  /// - Parameters:
  ///   - text: SQL of the configuration.
  ///   - source: gives the place of one of the text's bytes.
  func refuseParameters(in text: String, at source: (_ byte: Int) -> SourcePlace) {
    for mark in quotes.parameters(in: text) {
      issues.note(Self.refusal(of: mark), at: source(mark.offset))
    }
  }

  /// Refuses parameters that an attribute's value contains itself.
  func refuseParameters(of name: String, in element: MarkupElement) {
    guard let text = sql(of: name, in: element) else { return }
    for mark in quotes.parameters(in: text) {
      issues.note(Self.refusal(of: mark), at: element.place(of: name))
    }
  }

  private static func refusal(of mark: ParameterMarks.Mark) -> String {
    "“\(mark.text)” is a parameter that no reference binds: the parameters after it would get "
      + "wrong values; write #{name} for a value, or '\(mark.text)' for a text"
  }
}
