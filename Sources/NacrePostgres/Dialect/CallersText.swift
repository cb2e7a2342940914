#if PostgreSQL
import NacreEngine

/// A condition or an order that somebody wrote for one table, made ready for the server.
///
/// - A name without quotes is that of a column of the table in whatever case of its letters. The server would take it in
///   lower case.
/// - A condition is true or false. To the server a number is none.
/// - `==` is `=`, which is the only one of the two that the server has.
/// - `IN ()` finds nothing. To the server it is an error.
/// - `IS` stands between any two values. To the server it stands before words such as `NULL` alone.
/// - NULL comes before all values. To the server it comes after them.
/// - Decimals are compared and ordered as numbers. To the server they are texts.
/// - `LIKE` makes no difference between the cases of ASCII letters, and has no escape. To the server it does, and has.
struct CallersText {
  struct Token {
    var piece: PostgresScanner.Piece
    var range: Range<Int>
    var word: String
  }

  let scanner: PostgresScanner
  let tokens: [Token]
  /// The places of the words that stand for a value, as a column's name does; other words are keywords.
  let values: Set<Int>
  /// The exact names of the columns, by their names in lower case.
  private let columns: [String: String]
  /// The exact names of those columns that hold decimals.
  private let decimals: Set<String>

  init(_ text: String, _ columns: NamedColumns) {
    var scanner = PostgresScanner(text)
    var tokens: [Token] = []
    while let (piece, range) = scanner.nextPiece() {
      let word = piece == .word ? scanner.name(piece, range) : scanner.text(range)
      tokens.append(Token(piece: piece, range: range, word: word))
    }
    self.scanner = scanner
    self.tokens = tokens
    values = Self.values(in: tokens)
    self.columns = Dictionary(
      columns.all.map { (PostgresScanner.lowercased($0.utf8), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    decimals = Set(columns.decimals)
  }

  /// The condition for the server.
  ///
  /// - Throws: An error of kind `badStatement` for a pattern whose end is not the same to both engines.
  var condition: String {
    get throws(PostgresError) {
      let (calls, places) = defaults
      let changes = try emptyLists + equalities + likes + collations + calls + truths + places
      return text(with: names { comparesNumbers(at: $0) } + changes)
    }
  }

  /// The order for the server, which ends the comments that the caller has left open; they nest there.
  var order: String {
    text(with: names { !isCollated(at: $0, by: "binary") } + collations + nullPlaces)
      + String(repeating: " */", count: scanner.openCommentCount)
  }

  /// A text in place of a part of the caller's.
  struct Change {
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

  /// The columns by their exact names; one of decimals as a number where the closure says so of its token.
  private func names(_ isNumber: (Int) -> Bool) -> [Change] {
    tokens.indices.compactMap { index in
      let token = tokens[index]
      guard let column = column(at: index), !isOtherThing(index), !isNumberAlready(at: index) else {
        return nil
      }
      let name = column.doubling(UInt8(ascii: "\""))
      let isCollated = isCollated(at: index, by: EngineCollation.decimals)
      guard decimals.contains(column), isCollated || isNumber(index) else {
        return token.piece == .word ? Change(range: token.range, text: "\"\(name)\"") : nil
      }
      // The table's name before it is part of the argument.
      let isQualified = index > 1 && tokens[index - 1].word == "."
      let start = tokens[isQualified ? index - 2 : index].range.lowerBound
      let table = isQualified ? scanner.text(tokens[index - 2].range) + "." : ""
      let end = tokens[isCollated ? index + 2 : index].range.upperBound
      return Change(range: start..<end, text: "\(ServerFunctions.number)(\(table)\"\(name)\")")
    }
  }

  /// Returns the exact name of the column that a token names; nil if it names none.
  private func column(at index: Int) -> String? {
    switch tokens[index].piece {
    case .word: values.contains(index) ? columns[tokens[index].word] : nil
    case .name:
      decimals.first { $0 == scanner.name(.name, tokens[index].range) }
    default: nil
    }
  }

  /// Whether a token is the argument of the function that makes a number of it.
  private func isNumberAlready(at index: Int) -> Bool {
    let start = index > 1 && tokens[index - 1].word == "." ? index - 2 : index
    return start > 1 && tokens[start - 1].word == "("
      && tokens[start - 2].word == ServerFunctions.number
  }

  /// Whether a collation is named after a token.
  private func isCollated(at index: Int, by name: String) -> Bool {
    index + 2 < tokens.count && tokens[index + 1].word == "collate"
      && tokens[index + 2].word == name
  }

  /// The places of the collation by bytes, which has another name on the server.
  private var collations: [Change] {
    tokens.indices.dropFirst().compactMap { index in
      tokens[index].word == "binary" && tokens[index - 1].word == "collate"
        ? Change(range: tokens[index].range, text: "\"C\"") : nil
    }
  }

  /// Whether a token stands at a side of a comparison.
  private func comparesNumbers(at index: Int) -> Bool {
    let isQualified = index > 1 && tokens[index - 1].word == "."
    let (before, after) = (index - (isQualified ? 3 : 1), index + 1)
    if before >= 0, isComparison(before) { return true }
    guard after < tokens.count else { return false }
    if isComparison(after) { return true }
    let isNegated = tokens[after].word == "not" && after + 1 < tokens.count
    return ["between", "in"].contains(tokens[isNegated ? after + 1 : after].word)
  }

  private func isComparison(_ index: Int) -> Bool {
    tokens[index].piece == .other && "<>=!".contains(tokens[index].word.first ?? " ")
  }

  /// Whether the word is the name of a function, a type or a table.
  private func isOtherThing(_ index: Int) -> Bool {
    if index + 1 < tokens.count, tokens[index + 1].word == "(" { return true }
    guard index > 0 else { return false }
    // Behind DISTINCT FROM stands a value.
    if tokens[index - 1].word == "from" { return index < 2 || tokens[index - 2].word != "distinct" }
    return ["::", "as", "join"].contains(tokens[index - 1].word)
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

  /// `==`; `IS` and `IS NOT` between two values, which are equal if both are NULL; and `NOT NULL` without an `IS`.
  private var equalities: [Change] {
    tokens.indices.dropLast().compactMap { index in
      if index > 0, tokens[index].word == "=", tokens[index + 1].word == "=",
        tokens[index].range.upperBound == tokens[index + 1].range.lowerBound
      {
        return Change(range: tokens[index + 1].range, text: "")
      }
      if index > 0, tokens[index].word == "not", tokens[index + 1].word == "null",
        !["is", "(", "and", "or", "not", "when"].contains(tokens[index - 1].word)
      {
        return Change(range: tokens[index].range, text: "IS NOT")
      }
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
    for (index, token) in tokens.enumerated() {
      if depth == 0, token.word == "," {
        end()
        continue
      }
      if token.word == "(" { depth += 1 }
      if token.word == ")" { depth -= 1 }
      if depth == 0, token.piece == .word, !values.contains(index) {
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
