#if PostgreSQL
/// A condition or an order that somebody wrote for one table, made ready for the server.
///
/// - A name without quotes is that of a column of the table in whatever case of its letters. The server would take it in
///   lower case.
/// - `IN ()` finds nothing. To the server it is an error.
/// - `IS` stands between any two values. To the server it stands before words such as `NULL` alone.
/// - NULL comes before all values. To the server it comes after them.
struct CallersText {
  private struct Token {
    var piece: PostgresScanner.Piece
    var range: Range<Int>
    var word: String
  }

  private let scanner: PostgresScanner
  private let tokens: [Token]
  /// The exact names of the columns, by their names in lower case.
  private let columns: [String: String]

  init(_ text: String, _ columns: [String]) {
    var scanner = PostgresScanner(text)
    var tokens: [Token] = []
    while let (piece, range) = scanner.nextPiece() {
      let word = piece == .word ? scanner.name(piece, range) : scanner.text(range)
      tokens.append(Token(piece: piece, range: range, word: word))
    }
    self.scanner = scanner
    self.tokens = tokens
    self.columns = Dictionary(
      columns.map { (PostgresScanner.lowercased($0.utf8), $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The condition for the server.
  var condition: String { text(with: names + emptyLists + equalities) }

  /// The order for the server.
  var order: String { text(with: names + nullPlaces) }

  /// A text in place of a part of the caller's.
  private struct Change {
    var range: Range<Int>
    var text: String
  }

  private func text(with changes: [Change]) -> String {
    var bytes = scanner.bytes
    for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(change.range, with: change.text.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Names

  private var names: [Change] {
    tokens.indices.compactMap { index in
      let token = tokens[index]
      guard token.piece == .word, let column = columns[token.word], !isOtherThing(index) else {
        return nil
      }
      let name = column.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"")
      return Change(range: token.range, text: "\"\(name)\"")
    }
  }

  /// Whether the word is the name of a function, a type or a table.
  private func isOtherThing(_ index: Int) -> Bool {
    if index + 1 < tokens.count, tokens[index + 1].word == "(" { return true }
    return index > 0 && ["::", "as", "from", "join"].contains(tokens[index - 1].word)
  }

  // MARK: Lists

  private var emptyLists: [Change] {
    tokens.indices.dropLast(2).compactMap { index in
      guard tokens[index].piece == .word, tokens[index].word == "in",
        tokens[index + 1].word == "(", tokens[index + 2].word == ")"
      else { return nil }
      let isNegated = index > 0 && tokens[index - 1].word == "not"
      let start = isNegated ? tokens[index - 1].range.lowerBound : tokens[index].range.lowerBound
      return Change(
        range: start..<tokens[index + 2].range.upperBound,
        text: isNegated ? "<> ALL ('{}')" : "= ANY ('{}')"
      )
    }
  }

  // MARK: Equality

  /// `IS` and `IS NOT` between two values, which are equal if both are NULL.
  private var equalities: [Change] {
    tokens.indices.dropLast().compactMap { index in
      guard tokens[index].piece == .word, tokens[index].word == "is" else { return nil }
      let isNegated = tokens[index + 1].word == "not"
      let other = index + (isNegated ? 2 : 1)
      guard other < tokens.count, !Self.tests.contains(tokens[other].word) else { return nil }
      return Change(
        range: tokens[index].range.lowerBound..<tokens[other - 1].range.upperBound,
        text: isNegated ? "IS DISTINCT FROM" : "IS NOT DISTINCT FROM"
      )
    }
  }

  /// What stands after `IS` and is no value.
  private static let tests: Set = [
    "null", "true", "false", "unknown", "distinct", "document", "normalized", "nfc", "nfd", "nfkc",
    "nfkd", "json",
  ]

  // MARK: NULL

  /// The words to add behind each term of the order.
  private var nullPlaces: [Change] {
    var changes: [Change] = []
    var (depth, isDescending, isSaid) = (0, false, false)
    var last: Int?
    func end() {
      if let last, !isSaid {
        let text = isDescending ? " NULLS LAST" : " NULLS FIRST"
        changes.append(Change(range: last..<last, text: text))
      }
      (isDescending, isSaid, last) = (false, false, nil)
    }
    for token in tokens {
      if depth == 0, token.word == "," {
        end()
        continue
      }
      if token.word == "(" { depth += 1 }
      if token.word == ")" { depth -= 1 }
      if depth == 0, token.piece == .word {
        if token.word == "desc" { isDescending = true }
        if token.word == "nulls" { isSaid = true }
      }
      last = token.range.upperBound
    }
    end()
    return changes
  }
}
#endif
