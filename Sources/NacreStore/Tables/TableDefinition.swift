/// The SQL text that created a table, compared word by word, whatever its blanks and the case of
/// its words.
struct TableDefinition {
  private let bytes: [UInt8]

  init(_ sql: String) { bytes = Array(sql.utf8) }

  private enum Token: Equatable {
    /// A word without quotes, in upper case.
    case word(String)
    /// A text in double quotes, without the quotes.
    case name(String)
    case number(String)
    case punctuation(UInt8)
  }

  /// Whether the text defines a virtual table.
  var isVirtual: Bool {
    var scanner = SQLScanner(String(decoding: bytes, as: UTF8.self))
    _ = scanner.next()
    guard case .word(let range)? = scanner.next() else { return false }
    return scanner.text(range).uppercased() == "VIRTUAL"
  }

  /// Returns whether both texts say the same, word by word.
  ///
  /// It returns false if this text has parts that no definition of the store's own tables has.
  func isSame(as other: TableDefinition) -> Bool {
    guard let tokens else { return false }
    return tokens == other.tokens
  }

  /// The parts of the text; nil if it has parts of any other kind.
  private var tokens: [Token]? {
    var tokens: [Token] = []
    var rest = bytes[...]
    while let first = rest.first {
      switch first {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        rest.removeFirst()
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","):
        tokens.append(.punctuation(rest.removeFirst()))
      case UInt8(ascii: "\""):
        guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
        tokens.append(.name(String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)))
        rest = rest[(end + 1)...]
      case let byte where TableDefinition.isWordPart(byte):
        let end = rest.firstIndex { !TableDefinition.isWordPart($0) } ?? rest.endIndex
        let text = String(decoding: rest[..<end], as: UTF8.self)
        let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        tokens.append(isNumber ? .number(text) : .word(text.uppercased()))
        rest = rest[end...]
      default: return nil
      }
    }
    return tokens
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    SQLScanner.isNamePart(byte) && byte < 0x80 && byte != UInt8(ascii: "$")
  }
}
