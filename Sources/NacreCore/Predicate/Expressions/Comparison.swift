import Foundation
import NacreStore

extension PredicateExpressions.Comparison: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let word =
      switch op {
      case .lessThan: "<"
      case .lessThanOrEqual: "<="
      case .greaterThan: ">"
      case .greaterThanOrEqual: ">="
      @unknown default: throw NacreError.untranslatable("a comparison of a later Foundation")
      }
    let terms = (try context.term(lhs), try context.term(rhs))
    return .scalar(try context.compare(terms.0, word, terms.1, LHS.Output.self))
  }
}

extension PredicateContext {
  /// A comparison by order; NULL, which can only come from a forced unwrap of nil or from a NaN,
  /// means false.
  func compare(
    _ lhs: PredicateTerm,
    _ word: String,
    _ rhs: PredicateTerm,
    _ type: Any.Type
  ) throws -> ScalarTerm {
    let (a, b) = try pair(lhs, rhs)
    var sql = PredicateSQL.operation(a.sql, word, b.sql)
    if let function = try a.comparison ?? b.comparison ?? StoredComparison.order(of: type) {
      let order = PredicateSQL.call(try name(of: function), a.sql, b.sql)
      sql = PredicateSQL.operation(order, word, "0")
    }
    return ScalarTerm(sql: sql, isNullable: a.mayBeNull || b.mayBeNull, isCondition: true)
  }
}
