import Foundation

extension PredicateExpressions.Equal: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    .scalar(try context.equality(lhs, rhs))
  }
}

extension PredicateExpressions.NotEqual: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    .scalar(try context.equality(lhs, rhs, isNegated: true))
  }
}

extension PredicateContext {
  /// Whether two values are equal; never NULL, because in Swift nil equals nil and nothing else.
  fileprivate func equality<A: PredicateExpression, B: PredicateExpression>(
    _ lhs: A,
    _ rhs: B,
    isNegated: Bool = false
  ) throws -> ScalarTerm {
    let (a, b) = (try term(lhs), try term(rhs))
    switch (a, b) {
    case (.sealed(let sealed), .captured(let value)), (.captured(let value), .sealed(let sealed)):
      let condition = try sealed.isOneOf([value], self)
      return isNegated ? condition.negated : condition.settled
    case (.object(let object), .captured(let value)), (.captured(let value), .object(let object)),
      (.link(let object), .captured(let value)), (.captured(let value), .link(let object)):
      if unwrapped(value) == nil {
        return comparison(ScalarTerm(sql: object.identity), .missing, isNegated)
      }
    case (.link(let one), .link(let other)):
      return comparison(
        ScalarTerm(sql: one.identity, isNullable: true),
        ScalarTerm(sql: other.identity, isNullable: true),
        isNegated
      )
    default: break
    }
    let (one, other) = try pair(a, b)
    if let function = one.comparison ?? other.comparison {
      let order = PredicateSQL.call(try name(of: function), one.sql, other.sql)
      return comparison(ScalarTerm(sql: order, isNullable: true), ScalarTerm(sql: "0"), isNegated)
    }
    if !one.isMissing && !other.isMissing { try StoredComparison.checkEquality(A.Output.self) }
    if one.mayBeNaN || other.mayBeNaN { return try computed(one, other, isNegated) }
    return comparison(one, other, isNegated)
  }

  /// A comparison with a number that may be NaN, which is equal to nothing.
  private func computed(_ a: ScalarTerm, _ b: ScalarTerm, _ isNegated: Bool) throws -> ScalarTerm {
    if b.isNullable { try a.checkNil() }
    if a.isNullable { try b.checkNil() }
    let equal = PredicateSQL.equal(a.sql, b.sql, mayBeNull: false, isNegated: false)
    let condition = ScalarTerm(sql: equal, isNullable: true, isCondition: true)
    return isNegated ? condition.negated : condition.settled
  }

  private func comparison(_ a: ScalarTerm, _ b: ScalarTerm, _ isNegated: Bool) -> ScalarTerm {
    let sql = PredicateSQL.equal(
      a.sql,
      b.sql,
      mayBeNull: a.isNullable || b.isNullable,
      isNegated: isNegated
    )
    return ScalarTerm(sql: sql, isCondition: true)
  }
}
