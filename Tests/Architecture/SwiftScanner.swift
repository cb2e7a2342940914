/// Splits Swift text into code, without comments and literals, and string literals.
///
/// Just as much of the language's lexical structure as keeps a word in a comment from being taken for code.
struct SwiftScanner {
  /// A string literal, interpolations as they stand in it.
  struct Literal {
    let line: Int
    let text: String
  }

  /// The text with comments left out and each literal as `""`; line ends stay.
  private(set) var code = ""
  private(set) var literals: [Literal] = []
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    var code: [UInt8] = []
    while index < bytes.count {
      let start = index
      skipPlainCode()
      code += bytes[start..<index]
      if starts("//") {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if starts("/*") {
        code += Array(repeating: UInt8(ascii: "\n"), count: skipBlockComment())
      } else if let delimiter = delimiter() {
        let first = line
        code += Array("\"\"".utf8)
        literals.append(Literal(line: first, text: literal(delimiter)))
        code += Array(repeating: UInt8(ascii: "\n"), count: line - first)
      } else if index < bytes.count {
        code.append(bytes[index])
        advance()
      }
    }
    self.code = String(decoding: code, as: UTF8.self)
  }

  /// How a literal begins and ends: its number signs and its one or three quotes.
  private struct Delimiter {
    let signs: Int
    let quotes: Int
    var opening: [UInt8] { pounds + quotation }
    var closing: [UInt8] { quotation + pounds }
    var escape: [UInt8] { [UInt8(ascii: "\\")] + pounds }
    private var pounds: [UInt8] { Array(repeating: UInt8(ascii: "#"), count: signs) }
    private var quotation: [UInt8] { Array(repeating: UInt8(ascii: "\""), count: quotes) }
  }

  private func starts(_ text: String) -> Bool { starts(Array(text.utf8)) }

  private func starts(_ text: [UInt8]) -> Bool {
    index < bytes.count && bytes[index] == text.first && bytes[index...].starts(with: text)
  }

  /// Skips the bytes before the next that can begin a comment or a literal.
  private mutating func skipPlainCode() {
    let (slash, quote, sign) = (UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "#"))
    let lineEnd = UInt8(ascii: "\n")
    while index < bytes.count {
      let byte = bytes[index]
      if byte == slash || byte == quote || byte == sign { return }
      if byte == lineEnd { line += 1 }
      index += 1
    }
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
  }

  private func delimiter() -> Delimiter? {
    let signs = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
    let quotes = bytes[(index + signs)...].prefix(3).prefix { $0 == UInt8(ascii: "\"") }.count
    if quotes == 0 { return nil }
    return Delimiter(signs: signs, quotes: quotes == 3 ? 3 : 1)
  }

  /// Skips a comment, with those inside it; gives the number of its line ends.
  private mutating func skipBlockComment() -> Int {
    let first = line
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        advance(2)
      } else if starts("*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && index < bytes.count
    return line - first
  }

  private mutating func literal(_ delimiter: Delimiter) -> String {
    advance(delimiter.opening.count)
    let (start, closing, escape) = (index, delimiter.closing, delimiter.escape)
    while index < bytes.count, !starts(closing) {
      if starts(escape) {
        advance(escape.count)
        if starts("(") { skipInterpolation() } else { advance() }
      } else {
        advance()
      }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    advance(closing.count)
    return text
  }

  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      if let delimiter = delimiter() {
        _ = literal(delimiter)
        continue
      }
      if starts("(") { depth += 1 }
      if starts(")") { depth -= 1 }
      advance()
    } while depth > 0 && index < bytes.count
  }
}
