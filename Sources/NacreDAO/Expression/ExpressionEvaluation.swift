/// Says why an expression has no value for these arguments.
struct EvaluationError: Error, Equatable, Sendable {
  let message: String
}

extension Expression {
  /// The expression's value.
  ///
  /// - Parameter value: gives the value of a name.
  /// - Returns: The value; `.object` for a value that has none of its own in expressions.
  /// - Throws: `EvaluationError` for a division by zero, an overflow, and operands that an operator can't take; the
  ///   errors of `value`.
  func evaluated(_ value: (ReferencePath) throws -> Operand) throws -> Operand {
    switch self {
    case .literal(let operand): return operand
    case .path(let path): return try value(path)
    case .unary(.not, let operand): return .flag(try !operand.evaluated(value).isTrue)
    case .unary(.plus, let operand): return try Operand.integer(0).adding(operand.evaluated(value))
    case .unary(.minus, let operand):
      return try Operand.integer(0).subtracting(operand.evaluated(value))
    case .binary(.and, let left, let right):
      return .flag(try left.evaluated(value).isTrue && right.evaluated(value).isTrue)
    case .binary(.or, let left, let right):
      return .flag(try left.evaluated(value).isTrue || right.evaluated(value).isTrue)
    case .binary(let operation, let left, let right):
      return try operation.applied(left.evaluated(value), right.evaluated(value))
    }
  }
}

extension Expression.BinaryOperator {
  fileprivate func applied(_ left: Operand, _ right: Operand) throws -> Operand {
    switch self {
    case .multiply:
      return try left.combined(right, { $0.multipliedReportingOverflow(by: $1) }, *)
    case .add: return try left.adding(right)
    case .subtract: return try left.subtracting(right)
    case .divide: return try left.divided(by: right)
    case .divideWhole: return try left.dividedWhole(by: right)
    case .remainder: return try left.remainder(by: right)
    case .equal: return .flag(left.equals(right))
    case .notEqual: return .flag(!left.equals(right))
    case .less: return .flag(try left.isOrdered(before: right, <, <))
    case .lessOrEqual: return .flag(try left.isOrdered(before: right, <=, <=))
    case .greater: return .flag(try right.isOrdered(before: left, <, <))
    case .greaterOrEqual: return .flag(try right.isOrdered(before: left, <=, <=))
    case .xor: return .flag(left.isTrue != right.isTrue)
    // Not reached: `evaluated` handles both, because it may skip their right side.
    case .and: return .flag(left.isTrue && right.isTrue)
    case .or: return .flag(left.isTrue || right.isTrue)
    }
  }
}

// MARK: - Arithmetic

extension Operand {
  /// A number; a flag counts as 1 or 0, and any other operand has no number.
  private enum Number {
    case integer(Int64)
    case real(Double)

    var real: Double {
      switch self {
      case .integer(let number): Double(number)
      case .real(let number): number
      }
    }
  }

  private var number: Number? {
    switch self {
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .flag(let flag): .integer(flag ? 1 : 0)
    case .null, .text, .object: nil
    }
  }

  private func counted() throws -> Number {
    if let number { return number }
    throw EvaluationError(message: "\(kind) can't be used in arithmetic")
  }

  /// The kind of the operand in words; never its value.
  private var kind: String {
    switch self {
    case .null: "nil"
    case .flag: "a flag"
    case .integer, .real: "a number"
    case .text: "a text"
    case .object: "an object"
    }
  }

  fileprivate func combined(
    _ other: Operand,
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ reals: (Double, Double) -> Double
  ) throws -> Operand {
    switch (try counted(), try other.counted()) {
    case (.integer(let left), .integer(let right)):
      let (result, overflow) = integers(left, right)
      if overflow { throw EvaluationError(message: "the result is too large") }
      return .integer(result)
    case (let left, let right): return .real(reals(left.real, right.real))
    }
  }

  /// The sum of two numbers, or two texts one after the other; a text and nil are nil.
  fileprivate func adding(_ other: Operand) throws -> Operand {
    switch (self, other) {
    case (.text(let left), .text(let right)): .text(left + right)
    case (.text, .null), (.null, .text): .null
    default: try combined(other, { $0.addingReportingOverflow($1) }, +)
    }
  }

  fileprivate func subtracting(_ other: Operand) throws -> Operand {
    try combined(other, { $0.subtractingReportingOverflow($1) }, -)
  }

  /// The quotient with its fraction; a whole number if there is no fraction.
  fileprivate func divided(by other: Operand) throws -> Operand {
    try other.refuseZero()
    switch (try counted(), try other.counted()) {
    case (.integer(let left), .integer(let right)):
      let (remainder, overflow) = left.remainderReportingOverflow(dividingBy: right)
      if !overflow && remainder == 0 { return .integer(left / right) }
      return .real(Double(left) / Double(right))
    case (let left, let right): return .real(left.real / right.real)
    }
  }

  /// The quotient without its fraction.
  fileprivate func dividedWhole(by other: Operand) throws -> Operand {
    try other.refuseZero()
    switch (try counted(), try other.counted()) {
    case (.integer(let left), .integer(let right)):
      let (result, overflow) = left.dividedReportingOverflow(by: right)
      if overflow { throw EvaluationError(message: "the result is too large") }
      return .integer(result)
    case (let left, let right):
      guard let result = Int64(exactly: (left.real / right.real).rounded(.towardZero)) else {
        throw EvaluationError(message: "the result is too large")
      }
      return .integer(result)
    }
  }

  fileprivate func remainder(by other: Operand) throws -> Operand {
    try other.refuseZero()
    return try combined(
      other,
      { left, right in
        // The only overflow, the smallest number divided by -1, has the remainder 0.
        (left.remainderReportingOverflow(dividingBy: right).partialValue, false)
      },
      { $0.truncatingRemainder(dividingBy: $1) }
    )
  }

  private func refuseZero() throws {
    if try counted().real == 0 { throw EvaluationError(message: "division by zero") }
  }
}

// MARK: - Comparison

extension Operand {
  /// Whether two operands are equal: numbers by value, texts by value, and nil only to nil; a text never equals a
  /// number.
  fileprivate func equals(_ other: Operand) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.text(let left), .text(let right)): return left == right
    default:
      guard let left = number, let right = other.number else { return false }
      if case .integer(let left) = left, case .integer(let right) = right { return left == right }
      return left.real == right.real
    }
  }

  /// Whether the operand comes before another; nothing comes before or after nil.
  fileprivate func isOrdered(
    before other: Operand,
    _ reals: (Double, Double) -> Bool,
    _ texts: (String, String) -> Bool
  ) throws -> Bool {
    if case .null = self { return false }
    if case .null = other { return false }
    if case .text(let left) = self, case .text(let right) = other { return texts(left, right) }
    guard let left = number, let right = other.number else {
      throw EvaluationError(message: "\(kind) and \(other.kind) can't be put in order")
    }
    if case .integer(let left) = left, case .integer(let right) = right {
      // Compares the sign of their difference, because not every integer is a Double.
      return reals(Double((left > right ? 1 : 0) - (left < right ? 1 : 0)), 0)
    }
    return reals(left.real, right.real)
  }
}
