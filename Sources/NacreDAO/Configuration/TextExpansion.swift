/// A text with its constants and fragments put in.
struct ExpandedText {
  fileprivate(set) var text = ""
  /// The pieces of the text, in order: where a piece begins in it, and where in the source text.
  private var runs: [(start: Int, source: Int, isCopied: Bool)] = []

  fileprivate mutating func append(_ piece: String, of source: Int, isCopied: Bool) {
    runs.append((text.utf8.count, source, isCopied))
    text += piece
  }

  /// The byte of the source text to which a byte of this one belongs; that of the reference if one brought it.
  func source(of offset: Int) -> Int {
    // Finds the last piece that begins at the byte or before it.
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    let run = runs[low - 1]
    return run.isCopied ? run.source + offset - run.start : run.source
  }
}

/// Puts constants, SQL fragments and `%{}` lists into a text, once, when a configuration is read.
///
/// A mistake in a fragment is noted there, once, and not where the fragment is used.
final class TextExpansion {
  /// How long a text may become, in bytes: fragments that name each other twice double it at each step.
  static let lengthLimit = 1 << 20
  /// How long all fragments together may become, in bytes.
  static let totalLimit = 1 << 24
  /// How deep fragments may name each other.
  static let depthLimit = 50

  /// The texts of `<const>` and `<sql>` by their names.
  private let fragments: [String: MarkupText]
  private let issues: ConfigurationIssues
  /// The expansion around this one, which knows the other fragments.
  private let outer: TextExpansion?
  /// The fragments that `${name}` can't stand for, each with what to write.
  private let refusals: [String: String]
  /// The fragments that are resolved already, because one that is named often is resolved only once.
  private var resolved: [String: String] = [:]
  private let budget: Budget

  /// The length of all fragments that have been put in, in bytes.
  private final class Budget {
    var bytes = 0
  }

  init(
    _ fragments: [String: MarkupText],
    _ issues: ConfigurationIssues,
    refusals: [String: String] = [:]
  ) {
    self.fragments = fragments
    self.issues = issues
    self.refusals = refusals
    (outer, budget) = (nil, Budget())
  }

  /// Makes an expansion that knows more fragments than another one, and those first.
  init(_ fragments: [String: MarkupText], in outer: TextExpansion) {
    self.fragments = fragments
    (issues, refusals, budget) = (outer.issues, outer.refusals, outer.budget)
    self.outer = outer
  }

  private func source(_ name: String) -> MarkupText? {
    fragments[name] ?? outer?.source(name)
  }

  /// Counts the length of a fragment that is put in.
  ///
  /// - Throws: `Failure` if all of them together are too long.
  func charge(_ count: Int) throws(Failure) {
    budget.bytes += count
    guard budget.bytes > Self.totalLimit else { return }
    throw Failure(
      message: "the expanded fragments are longer than \(Self.totalLimit) bytes together"
    )
  }

  /// A mistake in a reference; the offset counts bytes of the given text.
  typealias Failure = TemplateTextError

  /// Resolves all fragments, so that mistakes in unused ones are found, too.
  func resolveAll() {
    for name in fragments.keys.sorted() {
      // Resolving a known name fails only inside of its own text, where the mistake is noted.
      _ = try? fragment(name, within: [])
    }
  }

  /// The text with every `%{}` and every `${name}` except `${T}` and `${t}` resolved; nil, with a note, if that fails.
  func expanded(_ source: MarkupText) -> ExpandedText? {
    do throws(Failure) {
      return try expanded(source.text, within: [])
    } catch {
      issues.note(error.message, at: source.place(atByte: error.offset))
      return nil
    }
  }

  private func expanded(_ text: String, within open: [String]) throws(Failure) -> ExpandedText {
    let bytes = Array(text.utf8)
    var result = ExpandedText()
    var joint = TextJoint()
    var (position, start) = (0, 0)
    func add(_ piece: String, of source: Int, isCopied: Bool) {
      if let between = joint.text(between: result.text, and: piece) {
        result.append(between, of: source, isCopied: false)
      }
      if !isCopied { joint.begin(piece, behind: result.text) }
      result.append(piece, of: source, isCopied: isCopied)
      if !isCopied { joint.end(behind: result.text) }
    }
    func copy() {
      guard start < position else { return }
      let piece = String(decoding: bytes[start..<position], as: UTF8.self)
      add(piece, of: start, isCopied: true)
    }
    while position < bytes.count {
      guard bytes.opensReference(at: position, of: "$%") else {
        position += 1
        continue
      }
      copy()
      let piece = try reference(bytes, at: position, within: open)
      add(piece.text, of: position, isCopied: false)
      guard result.text.utf8.count <= Self.lengthLimit else {
        throw Failure(
          message: "the expanded text is longer than \(Self.lengthLimit) bytes",
          offset: position
        )
      }
      position = piece.end
      start = position
    }
    copy()
    return result
  }

  /// The text that the reference at a position stands for, and the position behind the reference.
  private func reference(
    _ bytes: [UInt8],
    at position: Int,
    within open: [String]
  ) throws(Failure) -> (text: String, end: Int) {
    let isFragment = bytes[position] == UInt8(ascii: "$")
    guard let end = Self.end(of: bytes, from: position) else {
      throw Failure(message: "“\(isFragment ? "$" : "%"){” has no “}”", offset: position)
    }
    let content = String(decoding: bytes[(position + 2)..<end], as: UTF8.self)
    do throws(Failure) {
      let text =
        isFragment ? try fragment(content.trimmed, within: open) : try list(content, within: open)
      return (text, end + 1)
    } catch {
      throw Failure(message: error.message, offset: position)
    }
  }

  /// The position of the brace that closes the one behind `start`; nil if there is none.
  ///
  /// Braces inside, as in `%{'#{model.*}', a}`, come in pairs.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    for position in (start + 1)..<bytes.count {
      if bytes[position] == UInt8(ascii: "{") { depth += 1 }
      if bytes[position] == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return position }
      }
    }
    return nil
  }

  private func fragment(_ name: String, within open: [String]) throws(Failure) -> String {
    if name == "T" || name == "t" { return "${T}" }
    if let text = resolved[name] { return text }
    guard let source = source(name) else {
      let missing = "there is no <const> or <sql> “\(name)”"
      let advice = "an argument is #{\(name)}, or @{\(name)} as a part of the text"
      throw Failure(message: refusals[name] ?? (name.isEmpty ? missing : "\(missing); \(advice)"))
    }
    guard !open.contains(name) else {
      let way = (open + [name]).joined(separator: " → ")
      throw Failure(message: "the fragments refer to each other in a circle: \(way)")
    }
    guard open.count < Self.depthLimit else {
      throw Failure(message: "fragments are nested more than \(Self.depthLimit) levels deep")
    }
    var text = ""
    do throws(Failure) {
      text = try expanded(source.text, within: open + [name]).text
      try charge(text.utf8.count)
    } catch {
      text = ""
      issues.note(error.message, at: source.place(atByte: error.offset))
    }
    resolved[name] = text
    return text
  }

  /// Resolves `'format', a, b`: repeats the format for each name, with the name in place of every `*`.
  private func list(_ content: String, within open: [String]) throws(Failure) -> String {
    // A list may stand in a constant, as `${columns}` inside of `%{}`.
    let content = try expanded(content, within: open).text.trimmed
    guard content.first == "'", let end = content.dropFirst().firstIndex(of: "'") else {
      throw Failure(message: "%{} has to begin with a format in single quotes")
    }
    let format = content[content.index(after: content.startIndex)..<end]
      .split(separator: "*", omittingEmptySubsequences: false)
    let rest = String(content[content.index(after: end)...]).trimmed
    guard rest.hasPrefix(",") else {
      throw Failure(message: "a comma and names are missing after the format of %{}")
    }
    let names = rest.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0).trimmed }
    guard names.allSatisfy({ !$0.isEmpty }) else {
      throw Failure(message: "a name is missing in %{}")
    }
    // Checked before the list is made, because names and stars multiply.
    let length = names.reduce(0) { $0 + $1.utf8.count } * max(format.count, 1)
    guard length <= Self.lengthLimit else {
      throw Failure(message: "the expanded list is longer than \(Self.lengthLimit) bytes")
    }
    return names.map { format.joined(separator: $0) }.joined(separator: ", ")
  }
}
