#if PostgreSQL
/// A condition or an order that somebody wrote for one table, made ready for the server.
///
/// - A name without quotes is that of a column of the table in whatever case of its letters. The server would take it in
///   lower case.
/// - A condition is true or false. To the server a number is none.
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
  var condition: String {
    let (calls, places) = defaults
    return text(with: names + emptyLists + equalities + calls + truths + places)
  }

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

  /// The words that stand after `IS` and are no values.
  private static let tests: Set = [
    "null", "true", "false", "unknown", "distinct", "document", "normalized", "nfc", "nfd", "nfkc",
    "nfkd", "json",
  ]

  // MARK: Truth

  /// `ifnull` by its standard name, and the place of a 0 that stands for false where the other value is a condition.
  private var defaults: (calls: [Change], places: [Change]) {
    var (calls, places): ([Change], [Change]) = ([], [])
    var open: [Bool] = []
    for (index, token) in tokens.enumerated() {
      if token.word == "(" {
        let isDefault = index > 0 && tokens[index - 1].word == "ifnull"
        if isDefault { calls.append(Change(range: tokens[index - 1].range, text: "coalesce")) }
        open.append(isDefault)
      } else if token.word == ")", open.popLast() == true, index > 1, tokens[index - 1].word == "0",
        tokens[index - 2].word == ","
      {
        places.append(Change(range: tokens[index - 1].range, text: "false"))
      }
    }
    return (calls, places)
  }

  /// The places of a 0 or a 1 that stands alone for a condition.
  private var truths: [Change] {
    tokens.indices.compactMap { index in
      let token = tokens[index]
      guard token.word == "0" || token.word == "1", beginsCondition(index), endsCondition(index + 1)
      else { return nil }
      return Change(range: token.range, text: token.word == "0" ? "false" : "true")
    }
  }

  private func beginsCondition(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    let token = tokens[index - 1]
    if token.piece == .word {
      switch token.word {
      case "or", "not", "where": return true
      case "and": return !endsBetween(index - 1)
      // After a value, WHEN compares.
      case "when": return index > 1 && tokens[index - 2].word == "case"
      default: return false
      }
    }
    guard token.word == "(" else { return false }
    // A function's argument, or an element of a list, is a number.
    guard index > 1 else { return true }
    let before = tokens[index - 2]
    return before.word == "(" || ["and", "or", "not", "where"].contains(before.word)
  }

  /// Whether an AND belongs to a BETWEEN.
  private func endsBetween(_ index: Int) -> Bool {
    var depth = 0
    for token in tokens[..<index].reversed() {
      if token.word == ")" { depth += 1 }
      if token.word == "(" { depth -= 1 }
      if depth < 0 { return false }
      guard depth == 0, token.piece == .word else { continue }
      if token.word == "between" { return true }
      if token.word == "and" || token.word == "or" { return false }
    }
    return false
  }

  private func endsCondition(_ index: Int) -> Bool {
    guard index < tokens.count else { return true }
    return tokens[index].word == ")" || ["and", "or", "then"].contains(tokens[index].word)
  }

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
