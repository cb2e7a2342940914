import Foundation
import NacreStore

extension PredicateExpressions.Arithmetic: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let word =
      switch op {
      case .add: "+"
      case .subtract: "-"
      case .multiply: "*"
      @unknown default: throw NacreError.untranslatable("an operator of a later Foundation")
      }
    return try context.arithmetic(lhs, word, rhs)
  }
}

extension PredicateExpressions.IntDivision: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    // Division by zero is NULL, where Swift would trap.
    try context.arithmetic(lhs, "/", rhs)
  }
}

extension PredicateExpressions.IntRemainder: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.arithmetic(lhs, "%", rhs)
  }
}

extension PredicateExpressions.FloatDivision: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.arithmetic(lhs, "/", rhs)
  }
}

extension PredicateExpressions.UnaryMinus: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.checkArithmetic(Wrapped.Output.self)
    let term = try context.term(wrapped)
    if case .captured(let value) = term, let number = ConstantArithmetic.negative(value) {
      return .captured(number)
    }
    let value = try context.scalar(term)
    let sql =
      Wrapped.Output.self == Double.self
      ? PredicateSQL.negative(value.sql)
      : PredicateSQL.negative(integer: value.sql, context.dialect)
    return .scalar(ScalarTerm(sql: sql, mayBeNaN: value.mayBeNull))
  }
}

extension PredicateContext {
  fileprivate func arithmetic<A: PredicateExpression, B: PredicateExpression>(
    _ lhs: A,
    _ word: String,
    _ rhs: B
  ) throws -> PredicateTerm {
    try checkArithmetic(A.Output.self)
    let terms = (try term(lhs), try term(rhs))
    if case (.captured(let a), .captured(let b)) = terms,
      let number = ConstantArithmetic.value(a, word, b)
    {
      return .captured(number)
    }
    let (a, b) = try pair(terms.0, terms.1)
    let isDouble = A.Output.self == Double.self
    let canBeNaN =
      isDouble
      ? ConstantArithmetic.mayBeNaN(terms.0, word, terms.1)
      : ["/", "%"].contains(word) && !ConstantArithmetic.isOrdinary(terms.1)
    return .scalar(
      ScalarTerm(
        sql: sql(a.sql, word, b.sql, isDouble: isDouble),
        // A number is computed from nil only after a forced unwrap, which fails in Swift.
        mayBeNaN: canBeNaN || a.mayBeNull || b.mayBeNull
      )
    )
  }

  private func sql(_ a: SQLFragment, _ word: String, _ b: SQLFragment, isDouble: Bool)
    -> SQLFragment
  {
    guard isDouble else { return PredicateSQL.integers(a, word, b, dialect) }
    return word == "/"
      ? PredicateSQL.quotient(a, b, dialect) : PredicateSQL.reals(a, word, b, dialect)
  }

  /// Refuses other types, because SQLite computes only with integers and doubles of 64 bits.
  fileprivate func checkArithmetic(_ type: Any.Type) throws {
    if type is any BinaryInteger.Type || type == Double.self { return }
    throw NacreError.untranslatable(
      "arithmetic of \(type), which SQLite does not round as Swift does",
      instead: "compute with Int or Double"
    )
  }
}

/// Computes with captured numbers; the result is a captured number again, so that a sealed property can be compared
/// with it.
private enum ConstantArithmetic {
  /// The result; nil if it is not a number or Swift would trap, which is then left to SQL.
  static func value(_ a: Any, _ word: String, _ b: Any) -> Any? {
    if let a = a as? any FixedWidthInteger { return integer(a, word, b) }
    guard let a = a as? Double, let b = b as? Double else { return nil }
    let number: Double? =
      switch word {
      case "+": a + b
      case "-": a - b
      case "*": a * b
      default: nil
      }
    // A NaN has no stored form; SQL gives NULL instead.
    return number?.isNaN == true ? nil : number
  }

  /// Whether an operation on doubles that are no NaN can give one: of infinite numbers and 0.
  static func mayBeNaN(_ a: PredicateTerm, _ word: String, _ b: PredicateTerm) -> Bool {
    let needsBoth = word == "+" || word == "-"
    return ![a, b].contains { needsBoth ? isFinite($0) : isOrdinary($0) }
  }

  /// Whether a term is a captured number that is neither 0 nor infinite.
  static func isOrdinary(_ term: PredicateTerm) -> Bool {
    guard case .captured(let value) = term else { return false }
    if let number = value as? Double { return number.isFinite && number != 0 }
    return (value as? any BinaryInteger).map { !isZero($0) } ?? false
  }

  private static func isZero(_ number: some BinaryInteger) -> Bool { number == 0 }

  private static func isFinite(_ term: PredicateTerm) -> Bool {
    guard case .captured(let value as Double) = term else { return false }
    return value.isFinite
  }

  static func negative(_ value: Any) -> Any? {
    if let number = value as? Double { return -number }
    return (value as? any FixedWidthInteger).flatMap { negative(integer: $0) }
  }

  private static func negative<I: FixedWidthInteger>(integer: I) -> Any? {
    self.integer(I.zero, "-", integer)
  }

  private static func integer<I: FixedWidthInteger>(_ a: I, _ word: String, _ b: Any) -> Any? {
    guard let b = b as? I else { return nil }
    let result: (partialValue: I, overflow: Bool)? =
      switch word {
      case "+": a.addingReportingOverflow(b)
      case "-": a.subtractingReportingOverflow(b)
      case "*": a.multipliedReportingOverflow(by: b)
      case "/": a.dividedReportingOverflow(by: b)
      case "%": a.remainderReportingOverflow(dividingBy: b)
      default: nil
      }
    guard let result, !result.overflow else { return nil }
    return result.partialValue
  }
}
