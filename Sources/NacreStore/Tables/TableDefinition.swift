/// The SQL text that created a table, compared word by word, whatever its blanks and the case of
/// its words.
struct TableDefinition {
  private let bytes: [UInt8]

  init(_ sql: String) { bytes = Array(sql.utf8) }

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

  /// The parts of the text: words and numbers in upper case, names with their quotes, parentheses
  /// and commas; nil if it has parts of any other kind.
  private var tokens: [String]? {
    var tokens: [String] = []
    var rest = bytes[...]
    while let first = rest.first {
      switch first {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        rest.removeFirst()
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","):
        tokens.append(String(decoding: [rest.removeFirst()], as: UTF8.self))
      case UInt8(ascii: "\""):
        guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
        tokens.append(String(decoding: rest[...end], as: UTF8.self))
        rest = rest[(end + 1)...]
      case let byte where TableDefinition.isWordPart(byte):
        let end = rest.firstIndex { !TableDefinition.isWordPart($0) } ?? rest.endIndex
        tokens.append(String(decoding: rest[..<end], as: UTF8.self).uppercased())
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
