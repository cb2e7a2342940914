/// Puts constants, SQL fragments and `%{}` lists into a text, once, when a configuration is read.
final class TextExpansion {
  /// How long a text may become: fragments that name each other twice double it at each step.
  static let lengthLimit = 1 << 20

  /// The texts of `<const>` and `<sql>` by their names.
  private let fragments: [String: String]
  /// Those that are resolved already: one that is named often is resolved once.
  private var resolved: [String: String] = [:]

  init(fragments: [String: String]) { self.fragments = fragments }

  /// What is wrong with a reference; the offset counts characters of the text that was given, from 0.
  typealias Failure = TemplateTextError

  /// The text with all of its `${name}` but `${T}` and `${t}`, and all of its `%{}`, resolved.
  func expanded(_ text: String) throws(Failure) -> String {
    try expanded(text, within: [])
  }

  private func expanded(_ text: String, within open: [String]) throws(Failure) -> String {
    let characters = Array(text)
    var (result, position) = ("", 0)
    while position < characters.count {
      let character = characters[position]
      guard character == "$" || character == "%", position + 1 < characters.count,
        characters[position + 1] == "{"
      else {
        result.append(character)
        position += 1
        continue
      }
      guard let end = Self.end(of: characters, from: position) else {
        throw Failure(message: "“\(character){” has no “}”", offset: position)
      }
      let content = String(characters[(position + 2)..<end])
      do throws(Failure) {
        result +=
          character == "$" ? try fragment(content, within: open) : try list(content, within: open)
      } catch {
        throw Failure(message: error.message, offset: position)
      }
      guard result.utf8.count <= Self.lengthLimit else {
        throw Failure(
          message: "the text becomes longer than \(Self.lengthLimit) bytes",
          offset: position
        )
      }
      position = end + 1
    }
    return result
  }

  /// The brace that closes the one behind `start`; those inside of it, as in `%{'#{model.*}', a}`, come in pairs.
  private static func end(of characters: [Character], from start: Int) -> Int? {
    var depth = 0
    for position in (start + 1)..<characters.count {
      if characters[position] == "{" { depth += 1 }
      if characters[position] == "}" {
        depth -= 1
        if depth == 0 { return position }
      }
    }
    return nil
  }

  private func fragment(_ content: String, within open: [String]) throws(Failure) -> String {
    let name = content.trimmed
    if name == "T" || name == "t" { return "${T}" }
    guard let text = fragments[name] else {
      throw Failure(message: "there is no <const> or <sql> “\(name)”", offset: 0)
    }
    guard !open.contains(name) else {
      let way = (open + [name]).joined(separator: " → ")
      throw Failure(message: "the fragments name each other in a circle: \(way)", offset: 0)
    }
    guard open.count < 100 else {
      throw Failure(message: "fragments are nested over 100 levels deep", offset: 0)
    }
    if let text = resolved[name] { return text }
    let expansion = try expanded(text, within: open + [name])
    resolved[name] = expansion
    return expansion
  }

  /// `'format', a, b`: the format for each name, with the name in place of every `*`.
  private func list(_ content: String, within open: [String]) throws(Failure) -> String {
    // A list may stand in a constant, as `${columns}` inside of `%{}`.
    let content = try expanded(content, within: open).trimmed
    guard content.first == "'", let end = content.dropFirst().firstIndex(of: "'") else {
      throw Failure(message: "%{} begins with a format in single quotes", offset: 0)
    }
    let format = content[content.index(after: content.startIndex)..<end]
    let rest = String(content[content.index(after: end)...]).trimmed
    guard rest.hasPrefix(",") else {
      throw Failure(message: "behind the format of %{} a comma and names are missing", offset: 0)
    }
    let names = rest.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0).trimmed }
    guard names.allSatisfy({ !$0.isEmpty }) else {
      throw Failure(message: "a name is missing in %{}", offset: 0)
    }
    return names.map { name in
      format.split(separator: "*", omittingEmptySubsequences: false).joined(separator: name)
    }
    .joined(separator: ", ")
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
