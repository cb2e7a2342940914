import Foundation
import NacreEngine

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
    // NULL is passed on: a comparison with it is false, where `evaluate` would throw.
    try context.term(inner)
  }
}
