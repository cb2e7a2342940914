/// A mistake in an expression, and its place; the offset counts characters from 0.
struct ExpressionError: Error, Equatable, Sendable {
  let message: String
  let offset: Int
}

/// A word or sign of an expression.
struct ExpressionToken: Equatable {
  enum Kind: Equatable {
    case number(Operand)
    case text(String)
    case name(String)
    case sign(String)
    case end
  }

  let kind: Kind
  let offset: Int
}

/// Cuts an expression into words and signs.
struct ExpressionLexer {
  private let characters: [Character]
  private var position = 0

  init(_ text: String) { characters = Array(text) }

  static func tokens(of text: String) throws(ExpressionError) -> [ExpressionToken] {
    var lexer = ExpressionLexer(text)
    var tokens: [ExpressionToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private var current: Character? {
    position < characters.count ? characters[position] : nil
  }

  private mutating func next() throws(ExpressionError) -> ExpressionToken {
    while let character = current, character.isWhitespace { position += 1 }
    let start = position
    guard let character = current else { return ExpressionToken(kind: .end, offset: start) }
    let kind: ExpressionToken.Kind
    if character == "'" || character == "\"" {
      kind = try text(character)
    } else if character.isASCII && character.isNumber {
      kind = try number()
    } else if Self.startsName(character) {
      kind = name()
    } else {
      kind = try sign(character)
    }
    return ExpressionToken(kind: kind, offset: start)
  }

  /// Reads up to the next quote of the same kind without a backslash before it.
  private mutating func text(_ quote: Character) throws(ExpressionError) -> ExpressionToken.Kind {
    let start = position
    var text = ""
    position += 1
    while let character = current {
      position += 1
      if character == quote { return .text(text) }
      if character == "\\" && current == quote {
        text.append(quote)
        position += 1
      } else {
        text.append(character)
      }
    }
    throw ExpressionError(message: "the text has no closing quote", offset: start)
  }

  private mutating func number() throws(ExpressionError) -> ExpressionToken.Kind {
    let start = position
    takeDigits()
    var isWhole = true
    if current == ".", position + 1 < characters.count, Self.isDigit(characters[position + 1]) {
      isWhole = false
      position += 1
      takeDigits()
    }
    let digits = String(characters[start..<position])
    if let character = current, Self.startsName(character) {
      throw ExpressionError(message: "“\(digits)\(character)…” is not a number", offset: start)
    }
    if isWhole, let number = Int64(digits) { return .number(.integer(number)) }
    guard !isWhole, let number = Double(digits), number.isFinite else {
      throw ExpressionError(message: "the number is too large", offset: start)
    }
    return .number(.real(number))
  }

  private mutating func takeDigits() {
    while let character = current, Self.isDigit(character) { position += 1 }
  }

  private mutating func name() -> ExpressionToken.Kind {
    let start = position
    while let character = current, Self.continuesName(character) { position += 1 }
    return .name(String(characters[start..<position]))
  }

  private mutating func sign(_ character: Character) throws(ExpressionError)
    -> ExpressionToken.Kind
  {
    let start = position
    position += 1
    switch character {
    case "(", ")", "[", "]", "+", "-", "*", "/", "\\", "%", ".": return .sign(String(character))
    case "<", ">":
      guard current == "=" else { return .sign(String(character)) }
      position += 1
      return .sign(String(character) + "=")
    case "=":
      guard current == "=" else { break }
      position += 1
      return .sign("==")
    case "!":
      // The original's documentation prints `!=` with a blank in it.
      while let blank = current, blank.isWhitespace { position += 1 }
      guard current == "=" else { break }
      position += 1
      return .sign("!=")
    default: break
    }
    let hint = ForeignWord.sign(character).map { "; write \($0)" } ?? ""
    throw ExpressionError(message: "“\(character)” can't stand here\(hint)", offset: start)
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }

  private static func startsName(_ character: Character) -> Bool {
    character.unicodeScalars.first.map(ReferencePath.isNameStart) ?? false
  }

  private static func continuesName(_ character: Character) -> Bool {
    character.unicodeScalars.first.map(ReferencePath.isNamePart) ?? false
  }
}
