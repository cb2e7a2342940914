/// Finds out how an empty list changes a statement's conditions.
///
/// It looks at words and parentheses only, and reports only what certainly is a condition.
struct SQLConditions {
  private let tokens: [SQLTokens.Kind]

  init(_ sql: String) { tokens = SQLTokens([.text(sql)]).all.map(\.kind) }

  // MARK: - Where a text ends

  private static let starts: Set<String> = ["where", "having", "on"]
  private static let ends: Set<String> = [
    "select", "from", "group", "order", "limit", "returning", "set", "values", "union",
    "intersect", "except", "join", "using", "insert", "update", "delete",
  ]
  /// The words after which parentheses hold a part of the condition, and no list.
  private static let openings: Set<String> = [
    "where", "having", "on", "and", "or", "not", "when", "then", "else", "is",
  ]

  /// Whether the text ends inside of a condition: of `WHERE`, `HAVING` or `ON`.
  var isOpen: Bool {
    var levels = [false]
    for index in tokens.indices {
      switch tokens[index] {
      case .sign(UInt8(ascii: "(")):
        levels.append(opensCondition(at: index) && levels.last == true)
      case .sign(UInt8(ascii: ")")): if levels.count > 1 { levels.removeLast() }
      case .word(let word) where Self.starts.contains(word): levels[levels.count - 1] = true
      case .word(let word) where Self.ends.contains(word): levels[levels.count - 1] = false
      case .word("conflict") where isWord(index - 1, "on"): levels[levels.count - 1] = false
      default: break
      }
    }
    return levels.last == true
  }

  /// Whether the parenthesis at an index encloses a condition, and not a list, a function's arguments or a query.
  private func opensCondition(at index: Int) -> Bool {
    guard index > 0 else { return false }
    switch tokens[index - 1] {
    case .word(let word): return Self.openings.contains(word)
    case .name, .table, .unknown, .text, .parameter: return false
    case .sign: return true
    }
  }

  // MARK: - Empty lists

  /// The words that bound the operand of an `IN`, when it is read backwards.
  private static let bounds: Set<String> = [
    "and", "or", "where", "having", "on", "select", "from", "when", "then", "else", "case", "set",
    "by", "returning",
  ]

  /// Whether an empty list `()` stands behind an `IN` that is negated, even by a `NOT` around it.
  var hasNegatedEmptyList: Bool {
    tokens.indices.contains { index in
      isWord(index, "in") && isSign(index + 1, "(") && isSign(index + 2, ")")
        && isNegated(before: index)
    }
  }

  /// Whether a `NOT` applies to the operand that ends before an index.
  private func isNegated(before end: Int) -> Bool {
    // Whether the index is inside of the operand, or of an operand whose parentheses enclose it.
    var (depth, isWithin) = (0, true)
    for index in (0..<end).reversed() {
      if isSign(index, ")") {
        depth += 1
      } else if isSign(index, "(") {
        depth -= 1
        if depth < 0 { (depth, isWithin) = (0, true) }
      } else if depth == 0, isWithin {
        if isWord(index, "not") { return true }
        if case .word(let word) = tokens[index], Self.bounds.contains(word) { isWithin = false }
        if isSign(index, ",") { isWithin = false }
      }
    }
    return false
  }

  private func isWord(_ index: Int, _ word: String) -> Bool {
    tokens.indices.contains(index) && tokens[index] == .word(word)
  }

  private func isSign(_ index: Int, _ sign: Character) -> Bool {
    tokens.indices.contains(index) && tokens[index] == sign.asciiValue.map(SQLTokens.Kind.sign)
  }
}
