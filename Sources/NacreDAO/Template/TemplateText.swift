/// What is wrong in the text of a template; the offset counts characters from 0.
struct TemplateTextError: Error, Equatable, Sendable {
  let message: String
  let offset: Int
}

/// Reads the references in a template's text.
///
/// `#{path}` and `@{path}` take `or ""` and `no ""` behind the path; `${name}` and `%{'format', a, b}` are resolved
/// before, so that only `${T}` and `${t}` are left of these.
struct TemplateText {
  private let characters: [Character]
  private var position = 0
  private var nodes: [TemplateNode] = []
  private var plain = ""

  private init(_ text: String) { characters = Array(text) }

  static func nodes(of text: String) throws(TemplateTextError) -> [TemplateNode] {
    var reader = TemplateText(text)
    try reader.read()
    return reader.nodes
  }

  private mutating func read() throws(TemplateTextError) {
    while position < characters.count {
      let character = characters[position]
      guard "#@$".contains(character), position + 1 < characters.count,
        characters[position + 1] == "{"
      else {
        plain.append(character)
        position += 1
        continue
      }
      let start = position
      let content = try braced()
      endPlain()
      switch character {
      case "$": nodes.append(.tableName)
      case "#": nodes.append(.bind(try reference(content, at: start, isSpliced: false)))
      default: nodes.append(.splice(try reference(content, at: start, isSpliced: true)))
      }
    }
    endPlain()
  }

  private mutating func endPlain() {
    if !plain.isEmpty { nodes.append(.text(plain)) }
    plain = ""
  }

  /// The text between braces, behind which the reader goes on.
  private mutating func braced() throws(TemplateTextError) -> String {
    let start = position
    guard let end = characters[start...].firstIndex(of: "}") else {
      throw TemplateTextError(message: "“\(characters[start]){” has no “}”", offset: start)
    }
    position = end + 1
    return String(characters[(start + 2)..<end])
  }

  private func reference(
    _ content: String,
    at offset: Int,
    isSpliced: Bool
  ) throws(TemplateTextError) -> TemplateReference {
    var words = content.split(whereSeparator: \.isWhitespace).map(String.init)
    let name = words.isEmpty ? "" : words.removeFirst()
    guard let path = ReferencePath(name) else {
      throw TemplateTextError(message: "“\(content)” is no name", offset: offset)
    }
    var reference = TemplateReference(path: path)
    while !words.isEmpty {
      let word = words.removeFirst().lowercased()
      let quotes = words.isEmpty ? "" : words.removeFirst()
      guard quotes == "\"\"" || quotes == "''" else {
        throw TemplateTextError(
          message: "behind “\(path)” only or \"\" and no \"\" can stand",
          offset: offset
        )
      }
      switch word {
      case "or": reference.isEmptyForNil = true
      case "no" where isSpliced: reference.isUnquoted = true
      case "no":
        throw TemplateTextError(message: "no \"\" is for @{}", offset: offset)
      default:
        throw TemplateTextError(
          message: "behind “\(path)” only or \"\" and no \"\" can stand",
          offset: offset
        )
      }
    }
    return reference
  }
}
