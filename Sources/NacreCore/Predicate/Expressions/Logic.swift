import Foundation

extension PredicateExpressions.Conjunction: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let (a, b) = (try context.condition(lhs), try context.condition(rhs))
    // NULL means false, and AND leaves it NULL or makes it false.
    return .condition(PredicateSQL.and(a.sql, b.sql), isNullable: a.isNullable || b.isNullable)
  }
}

extension PredicateExpressions.Disjunction: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let (a, b) = (try context.condition(lhs), try context.condition(rhs))
    return .condition(PredicateSQL.or(a.sql, b.sql), isNullable: a.isNullable || b.isNullable)
  }
}

extension PredicateExpressions.Negation: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    .scalar(try context.condition(wrapped).negated)
  }
}

extension PredicateExpressions.Conditional: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let test = try context.condition(test)
    let (a, b) = try context.pair(context.term(trueBranch), context.term(falseBranch))
    return .scalar(
      ScalarTerm(
        sql: PredicateSQL.choice(test.sql, a.sql, b.sql),
        isNullable: a.isNullable || b.isNullable,
        mayBeNaN: a.mayBeNaN || b.mayBeNaN,
        form: a.form
      )
    )
  }
}
