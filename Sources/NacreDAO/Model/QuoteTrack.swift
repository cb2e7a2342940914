/// Follows the quotes and comments of one statement while its parts are read, as far as they are certain: what stands in
/// an `<if>` may be left out, and what a value brings is not known.
struct QuoteTrack {
  /// What is open here; nil where that depends on a call.
  private(set) var state: SQLQuotes.State? = .plain
  /// A sign that begins or ends a comment with the next one.
  private var rest: [UInt8] = []
  /// How many texts had a comment that ends with its line: where a part ends, the break may be left out.
  private var commentCount = 0

  /// Goes on behind SQL of the configuration.
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

  /// Goes on behind a piece of a text.
  mutating func pass(_ node: TemplateNode) {
    switch node {
    case .text(let text): pass(text)
    // As it is, a text may open or close quotes and comments.
    case .splice(let reference) where reference.isUnquoted: state = nil
    // In quotes those of a value are doubled, and outside of them it has its own.
    case .splice, .bind, .tableName, .tablePart: rest = []
    case .pairs(let pairs):
      // The names have quotes of their own, in which there may be others.
      let texts = [pairs.prefix, pairs.join, pairs.empty ?? ""]
      if state != .plain || Self.haveSigns(texts) { state = nil }
      rest = []
    default: state = nil
    }
  }

  /// Goes on behind a block that can be passed in several ways.
  mutating func join(_ ways: [QuoteTrack]) {
    guard let first = ways.first else { return }
    let isCertain = ways.allSatisfy { $0.state == first.state && $0.rest == first.rest }
    (state, rest) = isCertain ? (first.state, first.rest) : (nil, [])
    commentCount = ways.map(\.commentCount).max() ?? commentCount
  }

  /// Goes into a part, of which blanks at its ends are left out.
  mutating func beginPart() {
    // The break that ends a comment may be one of them.
    if state == .lineComment { state = nil }
  }

  /// Goes on behind the last of a part, of which words are left out as well.
  mutating func endPart(begun: QuoteTrack, dropping words: [String] = []) {
    if Self.haveSigns(words) || commentCount != begun.commentCount { state = nil }
  }

  /// Whether there is anything in texts of which quotes and comments are made.
  private static func haveSigns(_ texts: [String]) -> Bool {
    let signs = Set("'\"`[]-/*\n".utf8)
    return texts.contains { $0.utf8.contains(where: signs.contains) }
  }
}
