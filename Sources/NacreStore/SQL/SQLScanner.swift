/// Splits SQL text into its pieces, and skips blanks and comments.
///
/// The rules are those of SQLite's tokenizer (sqlite.org/lang_comment.html,
/// sqlite.org/lang_expr.html#parameters).
package struct SQLScanner {
  /// A piece of the text, as a range of offsets in its UTF-8.
  package enum Token: Equatable {
    /// A name, keyword or number without quotes.
    case word(Range<Int>)
    /// `?`, `?12`, `:name`, `@name`, `#name` or `$name`.
    case parameter(Range<Int>)
    /// A name in quotes or brackets.
    case name(Range<Int>)
    /// A text in quotes.
    case text(Range<Int>)
    /// An operator, a parenthesis, a comma and the like.
    case symbol(Range<Int>)
  }

  let bytes: [UInt8]
  private var position = 0

  package init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the next word or parameter, and skips everything else; nil at the end.
  mutating func next() -> Token? {
    while let token = nextPiece() {
      switch token {
      case .word, .parameter: return token
      case .name, .text, .symbol: continue
      }
    }
    return nil
  }

  /// Returns the next piece of any kind; nil at the end.
  package mutating func nextPiece() -> Token? {
    while position < bytes.count {
      let start = position
      position += 1
      switch bytes[start] {
      case UInt8(ascii: "'"):
        skipQuoted(by: bytes[start])
        return .text(start..<position)
      case UInt8(ascii: "\""), UInt8(ascii: "`"):
        skipQuoted(by: bytes[start])
        return .name(start..<position)
      case UInt8(ascii: "["):
        skip(through: UInt8(ascii: "]"))
        return .name(start..<position)
      case UInt8(ascii: "-") where byte(position) == UInt8(ascii: "-"):
        skip(through: UInt8(ascii: "\n"))
      case UInt8(ascii: "/") where byte(position) == UInt8(ascii: "*"):
        skipBlockComment()
      case UInt8(ascii: "?"):
        while Self.isDigit(byte(position)) { position += 1 }
        return .parameter(start..<position)
      case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"):
        if skipName() { return .parameter(start..<position) }
        return .symbol(start..<position)
      case let first where Self.isNamePart(first):
        while Self.isNamePart(byte(position)) { position += 1 }
        return .word(start..<position)
      case let blank where Self.isSpace(blank): break
      default:
        if Self.areOperator(bytes[start], byte(position)) { position += 1 }
        return .symbol(start..<position)
      }
    }
    return nil
  }

  /// Returns the text of a range.
  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  /// Skips a text or name up to its closing quote; a doubled quote stands for itself.
  private mutating func skipQuoted(by quote: UInt8) {
    skip(through: quote)
    while byte(position) == quote {
      position += 1
      skip(through: quote)
    }
  }

  private mutating func skip(through end: UInt8) {
    while position < bytes.count {
      position += 1
      if bytes[position - 1] == end { return }
    }
  }

  private mutating func skipBlockComment() {
    position += 1
    while position < bytes.count {
      position += 1
      if bytes[position - 1] == UInt8(ascii: "*"), byte(position) == UInt8(ascii: "/") {
        position += 1
        return
      }
    }
  }

  /// Skips a parameter's name; returns false if there is none.
  ///
  /// The name may contain Tcl's `::` and end with a suffix in parentheses.
  private mutating func skipName() -> Bool {
    let start = position
    var hasName = false
    while position < bytes.count {
      if Self.isNamePart(bytes[position]) {
        hasName = true
        position += 1
      } else if bytes[position] == UInt8(ascii: ":"), byte(position + 1) == UInt8(ascii: ":") {
        position += 2
      } else if hasName, bytes[position] == UInt8(ascii: "(") {
        skipSuffix()
        break
      } else {
        break
      }
    }
    if !hasName { position = start }
    return hasName
  }

  private mutating func skipSuffix() {
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: ")"), !Self.isSpace(bytes[end]) { end += 1 }
    if byte(end) == UInt8(ascii: ")") { position = end + 1 }
  }

  /// Returns whether two bytes are one operator, such as `<=`.
  private static func areOperator(_ first: UInt8, _ second: UInt8) -> Bool {
    switch (first, second) {
    case (UInt8(ascii: "<"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")),
      (UInt8(ascii: "<"), UInt8(ascii: "<")), (UInt8(ascii: ">"), UInt8(ascii: "=")),
      (UInt8(ascii: ">"), UInt8(ascii: ">")), (UInt8(ascii: "="), UInt8(ascii: "=")),
      (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "|"), UInt8(ascii: "|")),
      (UInt8(ascii: "-"), UInt8(ascii: ">")):
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

  /// Whether a byte can be a part of a name without quotes.
  static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
    case UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: isDigit(byte)
    }
  }
}
