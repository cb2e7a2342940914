import NacreStore

/// A comparison in a condition that has a column alone on one side, and operands alone on the
/// other.
struct PlainComparison: Equatable {
  /// An operand that stands alone on its side.
  enum Operand: Equatable {
    /// A parameter, by its number from 1.
    case parameter(Int)
    /// A number or a text.
    case literal
    /// A column, by its name.
    case column(String)
  }

  /// The column's name as it is written.
  package let column: String
  /// Whether the comparison asks which of the two comes first, and not only whether they are equal.
  let isOrdered: Bool
  /// The operands that the column is compared with.
  let operands: [Operand]
}

/// A scan of tokens that finds the plain comparisons of a condition and the plain columns of an
/// order.
///
/// It leaves out everything that is not plain: arithmetic, functions, `COLLATE`, `CASE`, and all of
/// a subquery, whose columns can belong to another table. So SQLite makes every comparison that the
/// scan finds, and many that it does not find.
struct ComparisonScan {
  enum Piece: Equatable {
    case word(String)
    case name(String)
    case text
    case parameter(Int)
    case symbol(String)
  }

  private let table: SQLName
  let pieces: [Piece]
  /// Where each piece stands in the UTF-8 of the text.
  let ranges: [Range<Int>]

  /// Splits a text into pieces.
  ///
  /// - Parameters:
  ///   - text: A condition or an order.
  ///   - table: The only table whose name may stand before a column's name.
  init(_ text: String, of table: String) {
    self.table = SQLName(table)
    let parameters = SQLParameters(text)
    var scanner = SQLScanner(text)
    var (pieces, ranges): ([Piece], [Range<Int>]) = ([], [])
    while let token = scanner.nextPiece() {
      let (piece, range): (Piece, Range<Int>) =
        switch token {
        case .word(let range): (.word(scanner.text(range)), range)
        case .name(let range): (.name(Self.unquoted(scanner.text(range))), range)
        case .text(let range): (.text, range)
        case .parameter(let range):
          (.parameter(parameters.number(at: range.lowerBound) ?? .max), range)
        case .symbol(let range): (.symbol(scanner.text(range)), range)
        }
      pieces.append(piece)
      ranges.append(range)
    }
    (self.pieces, self.ranges) = (pieces, ranges)
  }

  private static func unquoted(_ name: String) -> String {
    let inner = String(name.dropFirst().dropLast())
    guard let quote = name.first, quote != "[" else { return inner }
    return inner.split(separator: "\(quote)\(quote)", omittingEmptySubsequences: false)
      .joined(separator: "\(quote)")
  }

  // MARK: Conditions

  /// The plain comparisons of a condition.
  var comparisons: [PlainComparison] {
    var found: [PlainComparison] = []
    var places = Places()
    for index in pieces.indices {
      if places.isPlain(before: pieces[index]), let comparison = comparison(at: index) {
        found.append(comparison)
      }
      places.pass(pieces[index])
    }
    return found
  }

  /// The position of a piece in the nesting of a text.
  struct Places {
    private struct Group {
      var isQuery = false
      /// Whether the next AND belongs to a BETWEEN.
      var isBetween = false
    }
    private var groups = [Group()]
    /// Whether a condition can begin here: at the beginning, after `(`, AND or OR, and after a NOT
    /// where a condition can begin.
    private var isBeginning = true

    func isPlain(before piece: Piece) -> Bool {
      isBeginning && !groups.contains { $0.isQuery } && piece != .symbol("(")
    }

    mutating func pass(_ piece: Piece) {
      let last = groups.count - 1
      switch piece {
      case .symbol("("):
        groups.append(Group())
        isBeginning = true
        return
      case .symbol(")"):
        if last > 0 { groups.removeLast() }
      case .word(let word):
        isBeginning = pass(word.uppercased(), last)
        return
      default: break
      }
      isBeginning = false
    }

    private mutating func pass(_ word: String, _ last: Int) -> Bool {
      switch word {
      case "SELECT", "VALUES", "WITH": groups[last].isQuery = true
      case "BETWEEN": groups[last].isBetween = true
      case "AND":
        let isPart = groups[last].isBetween
        groups[last].isBetween = false
        return !isPart
      case "OR": return true
      case "NOT": return isBeginning
      default: break
      }
      return false
    }
  }

  private func comparison(at index: Int) -> PlainComparison? {
    guard let column = column(at: index) else { return reversed(at: index) }
    var next = column.next
    if let isOrdered = isOrderedOperation(at: next) {
      guard let operand = operand(at: next + 1), isEnd(operand.next) else { return nil }
      return PlainComparison(column: column.name, isOrdered: isOrdered, operands: [operand.operand])
    }
    if take("IS", &next) {
      _ = take("NOT", &next)
      guard let operand = operand(at: next), isEnd(operand.next) else { return nil }
      return PlainComparison(column: column.name, isOrdered: false, operands: [operand.operand])
    }
    _ = take("NOT", &next)
    if take("BETWEEN", &next) { return between(column.name, next) }
    return take("IN", &next) ? list(column.name, next) : nil
  }

  /// Returns a comparison whose column stands on the right side.
  private func reversed(at index: Int) -> PlainComparison? {
    guard let operand = operand(at: index), let isOrdered = isOrderedOperation(at: operand.next),
      let column = column(at: operand.next + 1), isEnd(column.next)
    else { return nil }
    return PlainComparison(column: column.name, isOrdered: isOrdered, operands: [operand.operand])
  }

  private func between(_ column: String, _ index: Int) -> PlainComparison? {
    guard let lower = operand(at: index) else { return nil }
    var next = lower.next
    guard take("AND", &next), let upper = operand(at: next), isEnd(upper.next) else { return nil }
    let operands = [lower.operand, upper.operand]
    return PlainComparison(column: column, isOrdered: true, operands: operands)
  }

  /// Returns a comparison with a list of which each element stands alone.
  private func list(_ column: String, _ index: Int) -> PlainComparison? {
    guard piece(index) == .symbol("(") else { return nil }
    var operands: [PlainComparison.Operand] = []
    var next = index + 1
    while let operand = operand(at: next) {
      operands.append(operand.operand)
      next = operand.next + 1
      switch piece(operand.next) {
      case .symbol(","): continue
      case .symbol(")") where isEnd(next):
        return PlainComparison(column: column, isOrdered: false, operands: operands)
      default: return nil
      }
    }
    return nil
  }

  // MARK: Orders

  /// The columns that an order names without a `COLLATE`.
  var orderedColumns: [String] {
    var found: [String] = []
    var (depth, isBeginning) = (0, true)
    for index in pieces.indices {
      if isBeginning, depth == 0, let column = column(at: index), isTermEnd(column.next) {
        found.append(column.name)
      }
      isBeginning = false
      switch pieces[index] {
      case .symbol("("): depth += 1
      case .symbol(")"): depth -= 1
      case .symbol(","): isBeginning = true
      default: break
      }
    }
    return found
  }

  private func isTermEnd(_ index: Int) -> Bool {
    switch piece(index) {
    case nil, .symbol(","): true
    case .word(let word): ["ASC", "DESC", "NULLS"].contains(word.uppercased())
    default: false
    }
  }

  // MARK: Pieces

  private func piece(_ index: Int) -> Piece? {
    pieces.indices.contains(index) ? pieces[index] : nil
  }

  func take(_ word: String, _ index: inout Int) -> Bool {
    guard case .word(let found)? = piece(index), found.uppercased() == word else { return false }
    index += 1
    return true
  }

  /// Returns whether the comparison's operator here asks which side comes first; nil if there is
  /// none here.
  private func isOrderedOperation(at index: Int) -> Bool? {
    switch piece(index) {
    case .symbol("<"), .symbol("<="), .symbol(">"), .symbol(">="): true
    case .symbol("="), .symbol("=="), .symbol("!="), .symbol("<>"): false
    default: nil
    }
  }

  /// Whether a comparison ends here.
  func isEnd(_ index: Int) -> Bool {
    switch piece(index) {
    case nil, .symbol(")"): true
    case .word(let word): ["AND", "OR"].contains(word.uppercased())
    default: false
    }
  }

  /// Returns a column's name, with or without its table's name before it, and the index after it.
  func column(at index: Int) -> (name: String, next: Int)? {
    guard let name = identifier(at: index) else { return nil }
    guard piece(index + 1) == .symbol(".") else { return (name, index + 1) }
    guard SQLName(name) == table, let column = identifier(at: index + 2),
      piece(index + 3) != .symbol(".")
    else { return nil }
    return (column, index + 3)
  }

  private func identifier(at index: Int) -> String? {
    switch piece(index) {
    case .name(let name): name
    case .word(let word) where !Self.isNumber(word): word
    default: nil
    }
  }

  private func operand(at index: Int) -> (operand: PlainComparison.Operand, next: Int)? {
    switch piece(index) {
    case .parameter(let number): return (.parameter(number), index + 1)
    case .text: return (.literal, index + 1)
    case .symbol("-"), .symbol("+"):
      guard let next = number(at: index + 1) else { return nil }
      return (.literal, next)
    default: break
    }
    if let next = number(at: index) { return (.literal, next) }
    guard let column = column(at: index) else { return nil }
    return (.column(column.name), column.next)
  }

  /// Returns the index after the number that begins here, or nil if none does.
  private func number(at index: Int) -> Int? {
    var next = index
    if case .word(let word)? = piece(next), Self.isNumber(word) { next += 1 }
    if piece(next) == .symbol(".") {
      next += 1
      if case .word(let word)? = piece(next), Self.isNumber(word) { next += 1 }
      return next > index + 1 ? next : nil
    }
    return next > index ? next : nil
  }

  private static func isNumber(_ word: String) -> Bool {
    word.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
  }
}
