/// Follows the quotes and comments of one statement while its parts are read, as far as they are certain.
///
/// They become uncertain because the contents of an `<if>` may be left out, and because the text of a value is not
/// known.
struct QuoteTrack {
  /// The quotes or comment that are open here; nil if that depends on a call.
  private(set) var state: SQLQuotes.State? = .plain
  /// The last sign, if it begins or ends a comment together with the next one.
  private var rest: [UInt8] = []
  /// How many texts had a comment that ends with its line; at the end of a part, the line break may be left out.
  private var commentCount = 0

  /// Moves past SQL of the configuration.
  mutating func pass(_ text: String) {
    guard let state else { return }
    if text.isEmpty { return }
    let bytes = rest + Array(text.utf8)
    if zip(bytes, bytes.dropFirst()).contains(where: { $0 == 0x2D && $1 == 0x2D }) {
      commentCount += 1
    }
    var quotes = SQLQuotes(state)
    quotes.read(bytes)
    rest = Array(bytes[quotes.position...])
    self.state = quotes.state
  }

  /// Moves past a piece of a text.
  mutating func pass(_ node: TemplateNode) {
    switch node {
    case .text(let text): pass(text)
    // An unquoted text may open or close quotes and comments.
    case .splice(let reference) where reference.isUnquoted: state = nil
    // Within quotes, the quotes in a value are doubled; outside of quotes, a value brings its own.
    case .splice, .bind, .tableName, .tablePart: rest = []
    case .pairs(let pairs):
      // The names have their own quotes, which may contain other quotes.
      let texts = [pairs.prefix, pairs.join, pairs.empty ?? ""]
      if state != .plain || Self.haveSigns(texts) { state = nil }
      rest = []
    default: state = nil
    }
  }

  /// Moves past a block that can be passed in several ways.
  mutating func join(_ ways: [QuoteTrack]) {
    guard let first = ways.first else { return }
    let isCertain = ways.allSatisfy { $0.state == first.state && $0.rest == first.rest }
    (state, rest) = isCertain ? (first.state, first.rest) : (nil, [])
    commentCount = ways.map(\.commentCount).max() ?? commentCount
  }

  /// Moves past the bound of a tag, over which two signs do not begin a comment together.
  mutating func seam() {
    if state == .plain { rest = [] }
  }

  /// Moves past the end of a tag; a comment that began in it ends with it.
  mutating func endTag(begun: QuoteTrack) {
    if state == .lineComment, begun.state != .lineComment { (state, rest) = (.plain, []) }
  }

  /// Enters a part; blanks at its ends are left out.
  mutating func beginPart() {
    // One of these blanks may be the line break that ends a comment.
    if state == .lineComment { state = nil }
  }

  /// Moves past the end of a part; words at its ends may be left out as well as blanks.
  mutating func endPart(begun: QuoteTrack, dropping words: [String] = []) {
    if Self.haveSigns(words) || commentCount != begun.commentCount { state = nil }
  }

  /// Whether any text contains a sign that can be part of quotes or comments.
  private static func haveSigns(_ texts: [String]) -> Bool {
    let signs = Set("'\"`[]-/*\n".utf8)
    return texts.contains { $0.utf8.contains(where: signs.contains) }
  }
}
