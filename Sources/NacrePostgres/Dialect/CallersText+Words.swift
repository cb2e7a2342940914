#if PostgreSQL
// A word is read as SQLite reads it: a keyword such as DESC is a column's name where a value has to stand, and a keyword
// elsewhere; AND is a keyword everywhere, so a column of that name has to be written in quotes.
extension CallersText {
  /// Returns the places of the words that stand for a value.
  static func values(in tokens: [Token]) -> Set<Int> {
    var values: Set<Int> = []
    var needsValue = true
    for (index, token) in tokens.enumerated() {
      switch token.piece {
      case .word:
        if needsValue, !keywords.contains(token.word) {
          values.insert(index)
          needsValue = false
        } else {
          // Behind a value, NOT begins an operator, as in `a NOT LIKE b`.
          needsValue =
            (needsValue || token.word != "not") && wordsBeforeValues.contains(token.word)
        }
      case .name, .literal, .mark, .dollarMark, .namedMark: needsValue = false
      case .questionOperator, .semicolon: needsValue = true
      case .other: needsValue = !endsValue(token)
      }
    }
    return values
  }

  /// Whether a token of the kind `other` is a number, or ends a list or an expression.
  private static func endsValue(_ token: Token) -> Bool {
    guard let first = token.word.utf8.first else { return false }
    return 0x30...0x39 ~= first || token.word == ")" || token.word == "]"
  }

  /// The keywords behind which a value stands.
  private static let wordsBeforeValues: Set = [
    "all", "and", "as", "between", "by", "case", "distinct", "else", "escape", "except", "exists",
    "from", "glob", "having", "ilike", "in", "intersect", "is", "join", "like", "limit", "match",
    "not", "offset", "on", "or", "regexp", "returning", "select", "set", "then", "to", "union",
    "using", "values", "when", "where", "zone",
  ]

  /// The words that are keywords to SQLite wherever they stand (its parse.y has no fallback for them).
  private static let keywords: Set = [
    "and", "as", "between", "case", "collate", "current_date", "current_time", "current_timestamp",
    "default", "distinct", "else", "escape", "exists", "from", "group", "having", "in", "is",
    "isnull", "join", "limit", "not", "notnull", "null", "on", "or", "order", "returning",
    "select", "set", "table", "then", "to", "union", "unique", "using", "values", "when", "where",
  ]
}
#endif
