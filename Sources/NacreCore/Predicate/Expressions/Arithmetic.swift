import Foundation

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
    // Through zero it is NULL, where Swift would trap.
    try context.arithmetic(lhs, "/", rhs, canBeNull: true)
  }
}

extension PredicateExpressions.IntRemainder: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.arithmetic(lhs, "%", rhs, canBeNull: true)
  }
}

extension PredicateExpressions.FloatDivision: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.checkArithmetic(LHS.Output.self)
    let (a, b) = try context.pair(context.term(lhs), context.term(rhs))
    // 0/0 is NULL: no comparison with it is true, as none is with a NaN.
    return .scalar(ScalarTerm(sql: PredicateSQL.quotient(a.sql, b.sql), isNullable: true))
  }
}

extension PredicateExpressions.UnaryMinus: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.checkArithmetic(Wrapped.Output.self)
    let value = try context.scalar(context.term(wrapped))
    return .scalar(
      ScalarTerm(sql: PredicateSQL.negative(value.sql), isNullable: value.isNullable)
    )
  }
}

extension PredicateContext {
  fileprivate func arithmetic<A: PredicateExpression, B: PredicateExpression>(
    _ lhs: A,
    _ word: String,
    _ rhs: B,
    canBeNull: Bool = false
  ) throws -> PredicateTerm {
    try checkArithmetic(A.Output.self)
    let (a, b) = try pair(term(lhs), term(rhs))
    return .scalar(
      ScalarTerm(
        sql: PredicateSQL.operation(a.sql, word, b.sql),
        isNullable: canBeNull || a.isNullable || b.isNullable
      )
    )
  }

  /// SQLite computes with integers and doubles of 64 bits, and with nothing else.
  fileprivate func checkArithmetic(_ type: Any.Type) throws {
    if type is any BinaryInteger.Type || type == Double.self { return }
    throw NacreError.untranslatable(
      "arithmetic of \(type), which SQLite does not round as Swift does",
      instead: "compute with Int or Double"
    )
  }
}
