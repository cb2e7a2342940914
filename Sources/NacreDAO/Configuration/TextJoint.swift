/// Finds out what has to stand between a text and a constant or fragment that is put into it, so that no comment
/// swallows what follows.
///
/// Words are joined as they stand, because `${name}` may be a part of a longer word.
struct TextJoint {
  /// The text up to the last fragment that may begin a comment.
  private var bytes: [UInt8] = []
  private var quotes = SQLQuotes()
  /// Whether the text was inside of a comment where the fragment began; nil if the fragment has none.
  private var wasInComment: Bool?
  private var isBreakDue = false

  /// Notes that a fragment begins behind a text.
  mutating func begin(_ fragment: String, behind text: String) {
    wasInComment = fragment.contains("--") ? state(behind: text) == .lineComment : nil
  }

  /// Notes that the fragment ends behind a text; a comment that began in it ends with it.
  mutating func end(behind text: String) {
    isBreakDue = wasInComment == false && state(behind: text) == .lineComment
  }

  /// The text to put between two pieces; nil if they can stand side by side.
  mutating func text(between text: String, and piece: String) -> String? {
    guard let last = text.utf8.last, let next = piece.utf8.first else { return nil }
    if isBreakDue {
      isBreakDue = false
      return next == UInt8(ascii: "\n") ? nil : "\n"
    }
    return last.beginsComment(next) && state(behind: text) == .plain ? " " : nil
  }

  /// The quotes or comment that are open behind a text, which begins with every text that was given before.
  private mutating func state(behind text: String) -> SQLQuotes.State {
    bytes.append(contentsOf: text.utf8.dropFirst(bytes.count))
    quotes.read(bytes)
    return quotes.state
  }
}
