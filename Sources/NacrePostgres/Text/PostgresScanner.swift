#if PostgreSQL
/// Splits SQL text into pieces as the server's own lexer does (PostgreSQL's documentation, section 4.1).
///
/// It skips blanks and comments. `standard_conforming_strings` has to be on, so that a backslash is an ordinary
/// character in a plain literal.
struct PostgresScanner {
  /// A piece of the text.
  enum Piece: Equatable {
    /// A word without quotes: a keyword or a name, which the server takes in lower case.
    case word
    /// A name in double quotes, or behind `U&`.
    case name
    /// A literal of a text, of bits or of bytes.
    case literal
    /// `?`, with the number that follows it, if any.
    case mark(number: Int?)
    /// `??`, which stands for the operator `?`.
    case questionOperator
    /// `:name`
    case namedMark
    /// `$1`
    case dollarMark(number: Int)
    /// `;`
    case semicolon
    /// Anything else: a number, an operator, a parenthesis.
    case other
  }

  let bytes: [UInt8]
  private var next = 0
  /// How many comments are open at the end of the text, of which the last piece was read.
  private(set) var openCommentCount = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the next piece and its place; nil at the end.
  mutating func nextPiece() -> (piece: Piece, range: Range<Int>)? {
    skipBlanks()
    guard next < bytes.count else { return nil }
    let start = next
    let piece = scanPiece()
    return (piece, start..<next)
  }

  /// The text of a range.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns a name with its ASCII letters in lower case, as the server takes one without quotes.
  static func lowercased(_ name: some Sequence<UInt8>) -> String {
    String(decoding: name.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The name that a piece of the kind `word` or `name` has on the server.
  func name(_ piece: Piece, _ range: Range<Int>) -> String {
    if piece == .word { return Self.lowercased(bytes[range]) }
    let quote = UInt8(ascii: "\"")
    var name: [UInt8] = []
    var isDoubled = false
    for byte in bytes[range].dropFirst().dropLast() {
      isDoubled = byte == quote && !isDoubled
      if !isDoubled { name.append(byte) }
    }
    return String(decoding: name, as: UTF8.self)
  }

  private func byte(_ offset: Int) -> UInt8 {
    next + offset < bytes.count ? bytes[next + offset] : 0
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    0x61...0x7a ~= byte | 0x20 || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || isDigit(byte) || byte == UInt8(ascii: "$")
  }

  // MARK: Blanks and comments

  private mutating func skipBlanks() {
    while next < bytes.count {
      switch (bytes[next], byte(1)) {
      case (0x20, _), (0x09...0x0d, _): next += 1
      case (UInt8(ascii: "-"), UInt8(ascii: "-")):
        while next < bytes.count, bytes[next] != 0x0a, bytes[next] != 0x0d { next += 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): skipBlockComment()
      default: return
      }
    }
  }

  /// Comments nest, unlike in C.
  private mutating func skipBlockComment() {
    var depth = 0
    while next < bytes.count {
      switch (bytes[next], byte(1)) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        next += 2
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        next += 2
        if depth == 0 { return }
      default: next += 1
      }
    }
    openCommentCount = depth
  }

  // MARK: Pieces

  private mutating func scanPiece() -> Piece {
    let first = bytes[next]
    switch first {
    case UInt8(ascii: "'"): return quoted("'", .literal)
    case UInt8(ascii: "\""): return quoted("\"", .name)
    case UInt8(ascii: "?"): return mark()
    case UInt8(ascii: ":"): return colon()
    case UInt8(ascii: "$"): return dollar()
    case UInt8(ascii: ";"):
      next += 1
      return .semicolon
    default: break
    }
    if Self.isNameStart(first) { return word() }
    next += 1
    if Self.isDigit(first) {
      while Self.isNamePart(byte(0)) || byte(0) == UInt8(ascii: ".") { next += 1 }
    }
    return .other
  }

  private mutating func word() -> Piece {
    let start = next
    while next < bytes.count, Self.isNamePart(bytes[next]) { next += 1 }
    guard next == start + 1 else { return .word }
    // A letter that belongs to the quotes after it.
    switch (bytes[start] | 0x20, byte(0), byte(1)) {
    case (UInt8(ascii: "e"), UInt8(ascii: "'"), _): return escaped()
    case (UInt8(ascii: "b"), UInt8(ascii: "'"), _), (UInt8(ascii: "x"), UInt8(ascii: "'"), _),
      (UInt8(ascii: "n"), UInt8(ascii: "'"), _):
      return quoted("'", .literal)
    case (UInt8(ascii: "u"), UInt8(ascii: "&"), UInt8(ascii: "'")):
      next += 1
      return quoted("'", .literal)
    case (UInt8(ascii: "u"), UInt8(ascii: "&"), UInt8(ascii: "\"")):
      next += 1
      return quoted("\"", .name)
    default: return .word
    }
  }

  /// Goes behind the end of quotes, within which two of them stand for one.
  private mutating func quoted(_ quote: Character, _ piece: Piece) -> Piece {
    let quote = quote.asciiValue ?? 0
    next += 1
    while next < bytes.count {
      if bytes[next] != quote {
        next += 1
      } else if byte(1) == quote {
        next += 2
      } else {
        next += 1
        return piece
      }
    }
    return piece
  }

  /// Goes behind the end of a literal in which a backslash stands before the next character.
  private mutating func escaped() -> Piece {
    next += 1
    while next < bytes.count {
      switch (bytes[next], byte(1)) {
      case (UInt8(ascii: "\\"), _), (UInt8(ascii: "'"), UInt8(ascii: "'")): next += 2
      case (UInt8(ascii: "'"), _):
        next += 1
        return .literal
      default: next += 1
      }
    }
    next = min(next, bytes.count)
    return .literal
  }

  private mutating func mark() -> Piece {
    next += 1
    if byte(0) == UInt8(ascii: "?") {
      next += 1
      return .questionOperator
    }
    return .mark(number: number())
  }

  /// Returns the number that stands here; nil if none does.
  ///
  /// One that is too large is 0, which no parameter has.
  private mutating func number() -> Int? {
    let start = next
    while Self.isDigit(byte(0)) { next += 1 }
    return next == start ? nil : Int(text(start..<next)) ?? 0
  }

  private mutating func colon() -> Piece {
    next += 1
    guard Self.isNameStart(byte(0)) else {
      // A cast, an assignment or a slice of an array.
      if byte(0) == UInt8(ascii: ":") || byte(0) == UInt8(ascii: "=") { next += 1 }
      return .other
    }
    while next < bytes.count, Self.isNamePart(bytes[next]) { next += 1 }
    return .namedMark
  }

  private mutating func dollar() -> Piece {
    next += 1
    if let number = number() { return .dollarMark(number: number) }
    let start = next - 1
    while next < bytes.count, Self.isNamePart(bytes[next]), bytes[next] != UInt8(ascii: "$") {
      next += 1
    }
    guard byte(0) == UInt8(ascii: "$") else { return .other }
    next += 1
    let tag = bytes[start..<next]
    while next < bytes.count {
      if bytes[next...].starts(with: tag) {
        next += tag.count
        return .literal
      }
      next += 1
    }
    return .literal
  }
}
#endif
