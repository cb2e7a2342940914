/// A mistake in the text of a template; the offset counts bytes of its UTF-8 from 0.
struct TemplateTextError: Error, Equatable, Sendable {
  let message: String
  var offset = 0
}

/// Reads the references in a template's text.
///
/// `#{path}` and `@{path}` take `or ""` and `no ""` behind the path. `${name}` and `%{'format', a, b}` are resolved
/// before, so that only `${T}` and `${t}` of these are left.
struct TemplateText {
  /// A node with the offset of its first byte.
  typealias Piece = (node: TemplateNode, offset: Int)

  private let bytes: [UInt8]
  private var position = 0
  private var pieces: [Piece] = []

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// The pieces of a text.
  ///
  /// - Throws: `TemplateTextError` for a reference that is not closed or has no valid name.
  static func pieces(of text: String) throws(TemplateTextError) -> [Piece] {
    var reader = TemplateText(text)
    try reader.read()
    return reader.pieces
  }

  private mutating func read() throws(TemplateTextError) {
    var start = 0
    while position < bytes.count {
      let sign = bytes[position]
      guard bytes.opensReference(at: position, of: "#@$") else {
        position += 1
        continue
      }
      endPlain(start)
      let offset = position
      let content = try braced()
      start = position
      switch sign {
      case UInt8(ascii: "#"): pieces.append((.bind(try reference(content, offset, false)), offset))
      case UInt8(ascii: "@"): pieces.append((.splice(try reference(content, offset, true)), offset))
      default: pieces.append((try tableName(content, offset), offset))
      }
    }
    endPlain(start)
  }

  private mutating func endPlain(_ start: Int) {
    guard start < position else { return }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    pieces.append((.text(text), start))
  }

  /// The text between braces; the reader moves behind them.
  private mutating func braced() throws(TemplateTextError) -> String {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")) else {
      let sign = Character(Unicode.Scalar(bytes[position]))
      throw TemplateTextError(message: "“\(sign){” has no “}”", offset: position)
    }
    defer { position = end + 1 }
    return String(decoding: bytes[(position + 2)..<end], as: UTF8.self)
  }

  private func tableName(
    _ content: String,
    _ offset: Int
  ) throws(TemplateTextError) -> TemplateNode {
    guard ["T", "t"].contains(content.trimmed) else {
      throw TemplateTextError(message: "${\(content)} is not defined", offset: offset)
    }
    return .tableName
  }

  private func reference(
    _ content: String,
    _ offset: Int,
    _ isSpliced: Bool
  ) throws(TemplateTextError) -> TemplateReference {
    var words = content.split(whereSeparator: \.isWhitespace).map(String.init)[...]
    guard let name = words.popFirst(), let path = ReferencePath(name) else {
      throw TemplateTextError(message: "“\(content)” is not a name", offset: offset)
    }
    var reference = TemplateReference(path: path)
    while let word = words.popFirst()?.lowercased() {
      let quotes = words.popFirst()
      let isKnown = word == "or" || word == "no"
      guard isKnown, quotes == "\"\"" || quotes == "''" else {
        throw TemplateTextError(
          message: "only or \"\" and no \"\" can stand after “\(path)”",
          offset: offset
        )
      }
      guard word == "or" || isSpliced else {
        throw TemplateTextError(message: "no \"\" can stand only in @{}", offset: offset)
      }
      if word == "or" { reference.isEmptyForNil = true } else { reference.isUnquoted = true }
    }
    return reference
  }
}

extension [UInt8] {
  /// Whether one of these signs stands here, followed by a brace.
  func opensReference(at position: Int, of signs: StaticString) -> Bool {
    guard position + 1 < count, self[position + 1] == UInt8(ascii: "{") else { return false }
    return signs.withUTF8Buffer { $0.contains(self[position]) }
  }
}

extension String {
  /// Whether the `${T}` at a byte is a whole name: no part of a longer word, and without a reference beside it.
  func isName(at offset: Int) -> Bool {
    let before = utf8.prefix(offset).last ?? 0
    let behind = utf8.dropFirst(offset).drop { $0 != UInt8(ascii: "}") }.dropFirst().first ?? 0
    let references = "#@$}".utf8
    return ![before, behind].contains { $0.isWordPart || references.contains($0) }
  }
}
