/// Parses an expression.
///
/// Binding strength, the strongest first: unary `+` and `-`; `*`, `/`, `\` and `%`; `+` and `-`; comparisons; `not`; `and`;
/// `xor`; `or`. Operators of one strength bind from the left.
struct ExpressionParser {
  /// How deep parentheses and signs may be nested: reading a level takes nine calls.
  static let nestingLimit = 50
  /// How deep an expression's tree may be; chains of operators make it deep as well.
  static let depthLimit = 500

  private let tokens: [ExpressionToken]
  private var position = 0
  private var depth = 0

  private init(_ tokens: [ExpressionToken]) { self.tokens = tokens }

  /// Parses a whole text.
  static func parse(_ text: String) throws(ExpressionError) -> Expression {
    var parser = ExpressionParser(try ExpressionLexer.tokens(of: text))
    if parser.current.kind == .end {
      throw ExpressionError(message: "the expression is empty", offset: 0)
    }
    let expression = try parser.binary(0).expression
    guard parser.current.kind == .end else {
      throw ExpressionError(
        message: "\(parser.words(of: parser.current)) is not expected here"
          + (parser.foreignWord.map { "; write \($0)" } ?? ""),
        offset: parser.current.offset
      )
    }
    return expression
  }

  private var current: ExpressionToken { tokens[min(position, tokens.count - 1)] }

  /// An expression with the depth of its tree.
  private typealias Parsed = (expression: Expression, depth: Int)

  /// The levels of binary operators, the weakest first; `not` stands between the third and the fourth.
  private static let levels: [[String: Expression.BinaryOperator]] = [
    ["or": .or], ["xor": .xor], ["and": .and],
    [
      "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "==": .equal,
      "!=": .notEqual,
    ],
    ["+": .add, "-": .subtract],
    ["*": .multiply, "/": .divide, "\\": .divideWhole, "%": .remainder],
  ]
  private static let comparisons = 3

  private mutating func binary(_ level: Int) throws(ExpressionError) -> Parsed {
    if level == Self.comparisons, word == "not" { return try negation() }
    guard level < Self.levels.count else { return try unary() }
    var left = try binary(level + 1)
    while let operation = Self.levels[level][word ?? ""] {
      position += 1
      // The right side of a comparison can't be a negation; that of `and` can.
      let right = try binary(level + 1)
      left = try combined(.binary(operation, left.expression, right.expression), left, right)
    }
    return left
  }

  private mutating func negation() throws(ExpressionError) -> Parsed {
    try enter()
    defer { depth -= 1 }
    position += 1
    let operand = try binary(Self.comparisons)
    return try combined(.unary(.not, operand.expression), operand, operand)
  }

  private mutating func unary() throws(ExpressionError) -> Parsed {
    guard let sign = word, sign == "+" || sign == "-" else { return try primary() }
    try enter()
    defer { depth -= 1 }
    position += 1
    let operand = try unary()
    return try combined(
      .unary(sign == "-" ? .minus : .plus, operand.expression),
      operand,
      operand
    )
  }

  private mutating func primary() throws(ExpressionError) -> Parsed {
    let token = current
    switch token.kind {
    case .number(let number):
      position += 1
      return (.literal(number), 1)
    case .text(let text):
      position += 1
      return (.literal(.text(text)), 1)
    case .name(let name) where !Self.operators.contains(name.lowercased()):
      position += 1
      return (try reference(name), 1)
    case .sign("("):
      try enter()
      defer { depth -= 1 }
      position += 1
      let inner = try binary(0)
      guard current.kind == .sign(")") else {
        throw ExpressionError(message: "“)” is missing", offset: current.offset)
      }
      position += 1
      return inner
    default:
      throw ExpressionError(
        message: "a value is missing before \(words(of: token))",
        offset: token.offset
      )
    }
  }

  private mutating func reference(_ root: String) throws(ExpressionError) -> Expression {
    var names: [String] = []
    while true {
      if current.kind == .sign("[") {
        names.append(try index())
        continue
      }
      guard current.kind == .sign(".") else { break }
      position += 1
      guard case .name(let name) = current.kind else {
        throw ExpressionError(message: "a name is missing after “.”", offset: current.offset)
      }
      names.append(name)
      position += 1
    }
    if current.kind == .sign("(") {
      let message = ForeignWord.call(of: names.last ?? root)
      throw ExpressionError(message: message, offset: current.offset)
    }
    if names.isEmpty, let literal = Self.literals[root.lowercased()] { return .literal(literal) }
    return .path(ReferencePath(root: root, names: names))
  }

  /// The name of the element that an index in brackets means.
  private mutating func index() throws(ExpressionError) -> String {
    position += 1
    guard case .number(.integer(let number)) = current.kind else {
      throw ExpressionError(message: "an index is missing, as in list[0]", offset: current.offset)
    }
    position += 1
    guard current.kind == .sign("]") else {
      throw ExpressionError(message: "“]” is missing", offset: current.offset)
    }
    position += 1
    return "[\(number)]"
  }

  /// The advice on what to write in place of the current token; nil if it is no word of another language.
  private var foreignWord: String? {
    if case .name(let name) = current.kind { ForeignWord.comparison(name) } else { nil }
  }

  private static let operators: Set<String> = ["and", "or", "xor", "not"]
  private static let literals: [String: Operand] = [
    "nil": .null, "null": .null, "true": .flag(true), "yes": .flag(true),
    "false": .flag(false), "no": .flag(false),
  ]

  /// Whether an expression reads a name that stands alone as a value of its own, such as false for `no`.
  static func isLiteral(_ name: String) -> Bool { literals[name.lowercased()] != nil }

  /// The current token as an operator's name; nil if it can't be one.
  private var word: String? {
    switch current.kind {
    case .sign(let sign): sign
    case .name(let name) where Self.operators.contains(name.lowercased()): name.lowercased()
    default: nil
    }
  }

  private func combined(
    _ expression: Expression,
    _ left: Parsed,
    _ right: Parsed
  ) throws(ExpressionError) -> Parsed {
    let depth = max(left.depth, right.depth) + 1
    guard depth <= Self.depthLimit else { throw tooDeep(Self.depthLimit) }
    return (expression, depth)
  }

  private mutating func enter() throws(ExpressionError) {
    depth += 1
    guard depth <= Self.nestingLimit else { throw tooDeep(Self.nestingLimit) }
  }

  private func tooDeep(_ limit: Int) -> ExpressionError {
    ExpressionError(
      message: "the expression is nested more than \(limit) levels deep",
      offset: current.offset
    )
  }

  private func words(of token: ExpressionToken) -> String {
    switch token.kind {
    case .number, .text: "a value"
    case .name(let name): "“\(name)”"
    case .sign(let sign): "“\(sign)”"
    case .end: "the end"
    }
  }
}
