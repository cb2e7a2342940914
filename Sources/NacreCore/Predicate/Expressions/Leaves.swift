import Foundation

extension PredicateExpressions.Variable: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm { try context.term(of: self) }
}

extension PredicateExpressions.Value: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm { .captured(value) }
}

extension PredicateExpressions.NilLiteral: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    .captured(Wrapped?.none as Any)
  }
}

extension PredicateExpressions.ForcedUnwrap: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    // NULL goes on: what is compared with it is false, where `evaluate` would throw.
    try context.term(inner)
  }
}

extension PredicateExpressions.ExpressionEvaluate: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    guard case .captured(let value) = try context.term(expression),
      let transformation = value as? Transformation.Output
    else { throw NacreError.untranslatable("an Expression that is not captured") }
    let called = transformation as Expression<repeat (each Input).Output, Output>
    repeat context.bind(each called.variable, to: try context.term(each input))
    return try context.term(called.expression)
  }
}
