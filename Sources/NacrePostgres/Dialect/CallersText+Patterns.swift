#if PostgreSQL
import NacreEngine

// To the server, a backslash in a pattern is an escape unless ESCAPE says otherwise. ESCAPE stands behind the whole
// pattern, which can be any expression: `'%' || ? || '%'`.
extension CallersText {
  /// The places of `LIKE`, and of the words that take its escape away, if it has none of its own.
  var likes: [Change] {
    get throws(PostgresError) {
      var changes: [Change] = []
      for (index, token) in tokens.enumerated() where token.word == "like" && isKeyword(index) {
        changes.append(Change(range: token.range, text: "ILIKE"))
        guard let end = try end(ofPatternBehind: index) else { continue }
        changes.append(Change(range: end..<end, text: " ESCAPE ''"))
      }
      return changes
    }
  }

  private func isKeyword(_ index: Int) -> Bool {
    tokens[index].piece == .word && !values.contains(index)
  }

  /// The part that a token has in the pattern before it.
  private enum Place {
    case inside, outside
    /// Begins the pattern's own escape.
    case escape
    /// A part that SQLite reads otherwise than the server, or that nobody knows.
    case unknown
  }

  /// Returns where the pattern of a `LIKE` ends; nil if it has an escape of its own.
  ///
  /// - Throws: An error of kind `badStatement` if the two engines would end it at different places.
  private func end(ofPatternBehind like: Int) throws(PostgresError) -> Int? {
    var (depth, index) = (0, like + 1)
    while index < tokens.count {
      let (place, next) = place(at: index, depth: &depth)
      switch place {
      case .inside: index = next
      case .escape: return nil
      case .outside: return try end(ofPatternBehind: like, before: index)
      case .unknown: throw unknownPattern(index)
      }
    }
    return try end(ofPatternBehind: like, before: index)
  }

  private func end(ofPatternBehind like: Int, before index: Int) throws(PostgresError) -> Int {
    guard index > like + 1 else { throw unknownPattern(like) }
    return tokens[index - 1].range.upperBound
  }

  private func unknownPattern(_ index: Int) -> PostgresError {
    PostgresError(
      .badStatement,
      "it is unclear where the pattern of LIKE ends, at '\(tokens[index].word)': put the pattern in parentheses",
      sql: scanner.text(0..<scanner.bytes.count)
    )
  }

  /// Returns a token's place, and the index of the token behind it and all that belongs to it.
  private func place(at index: Int, depth: inout Int) -> (Place, next: Int) {
    let token = tokens[index]
    switch values.contains(index) ? "" : token.word {
    case "(", "[", "case": depth += 1
    case ")", "]", "end":
      if depth == 0 { return (.outside, index) }
      depth -= 1
    default:
      if depth > 0 { break }
      switch token.piece {
      case .word where !values.contains(index): return place(ofKeyword: index)
      case .other: return place(ofOperator: index)
      case .semicolon: return (.outside, index)
      default: break
      }
    }
    return (.inside, index + 1)
  }

  /// The keywords before which an expression ends.
  private static let ends: Set = [
    "and", "as", "asc", "between", "cross", "desc", "else", "except", "from", "full", "group",
    "having", "in", "inner", "intersect", "is", "isnull", "join", "left", "like", "limit",
    "natural", "not", "notnull", "nulls", "offset", "on", "or", "order", "right", "then", "union",
    "when", "where",
  ]

  private func place(ofKeyword index: Int) -> (Place, next: Int) {
    switch tokens[index].word {
    // Behind it stands the name of a collation.
    case "collate": (.inside, min(index + 2, tokens.count))
    case "null", "current_date", "current_time", "current_timestamp": (.inside, index + 1)
    case "escape": (.escape, index)
    case let word: (Self.ends.contains(word) ? .outside : .unknown, index)
    }
  }

  /// To SQLite `a LIKE b < c` is `a LIKE (b < c)`, and to the server `(a LIKE b) < c`.
  private func place(ofOperator index: Int) -> (Place, next: Int) {
    if tokens[index].word == "," { return (.outside, index) }
    let next = endOfOperator(at: index)
    let text = tokens[index..<next].map(\.word).joined()
    return switch text {
    case "=", "==", "!=", "<>": (.outside, index)
    case "<", ">", "<=", ">=": (.unknown, index)
    default: (.inside, next)
    }
  }

  private static let signs: Set = [
    "+", "-", "*", "/", "<", ">", "=", "~", "!", "@", "#", "%", "^", "&", "|",
  ]
  private static let signsOfOthers: Set = [
    "~", "!", "@", "#", "%", "^", "&", "|",
  ]

  /// Returns the index of the token behind an operator, which is each of its characters for the scanner.
  private func endOfOperator(at index: Int) -> Int {
    let isSign = { (index: Int) in Self.signs.contains(tokens[index].word) }
    guard isSign(index) else { return index + 1 }
    var next = index + 1
    while next < tokens.count, isSign(next),
      tokens[next - 1].range.upperBound == tokens[next].range.lowerBound
    {
      next += 1
    }
    // A sign before a number is no part of a comparison (PostgreSQL's documentation, section 4.1.3).
    while next > index + 1, ["+", "-"].contains(tokens[next - 1].word),
      !tokens[index..<next].contains(where: { Self.signsOfOthers.contains($0.word) })
    {
      next -= 1
    }
    return next
  }
}
#endif
