import Foundation
import NacreEngine
import NacreStore

extension PredicateExpressions.CollectionContainsCollection: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    guard Base.Output.self == String.self && Other.Output.self == String.self else {
      throw NacreError.untranslatable("`contains` of a list in a list")
    }
    return .scalar(try context.ask(.contains, base, other))
  }
}

extension PredicateExpressions.SequenceStartsWith: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    guard Base.Output.self == String.self && Prefix.Output.self == String.self else {
      throw NacreError.untranslatable("`starts(with:)` of a list")
    }
    return .scalar(try context.ask(.starts, base, prefix))
  }
}

#if canImport(Darwin)
extension PredicateExpressions.StringCaseInsensitiveCompare: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    .scalar(try context.ask(.compareIgnoringCase, root, other, isCondition: false))
  }
}

extension PredicateExpressions.StringLocalizedCompare: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    .scalar(try context.ask(.compareLocalized, root, other, isCondition: false))
  }
}

extension PredicateExpressions.StringLocalizedStandardContains: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let (a, b) = try context.pair(context.term(root), context.term(other))
    let fold = try context.name(of: .fold)
    return .scalar(
      ScalarTerm(
        sql: PredicateSQL.call(
          try context.name(of: .contains),
          PredicateSQL.call(fold, a.sql),
          PredicateSQL.call(fold, b.sql)
        ),
        isNullable: a.isNullable || b.isNullable,
        isCondition: true
      )
    )
  }
}
#endif

extension PredicateContext {
  /// A function of two texts.
  fileprivate func ask(
    _ function: EngineFunction,
    _ text: some PredicateExpression,
    _ other: some PredicateExpression,
    isCondition: Bool = true
  ) throws -> ScalarTerm {
    let (a, b) = try pair(term(text), term(other))
    return ScalarTerm(
      sql: PredicateSQL.call(try name(of: function), a.sql, b.sql),
      isNullable: a.isNullable || b.isNullable,
      isCondition: isCondition
    )
  }
}
