import Foundation
import NacreEngine
import NacreStore

extension PredicateExpressions.SequenceContainsWhere: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    .condition(try context.isAny(of: sequence, variable, test))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let fails = try context.isAny(of: sequence, variable, test, isNegated: true)
    return .condition(PredicateSQL.not(fails))
  }
}

extension PredicateExpressions.Filter: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    switch try context.term(sequence) {
    case .collection(var collection):
      context.bind(variable, to: .object(collection.element))
      collection.condition = PredicateSQL.and(
        collection.condition,
        try context.condition(filter).sql
      )
      return .collection(collection)
    case .captured: return try context.constant(self, or: "a filter of captured values")
    case let other: throw context.refusal(ofClosureOver: other)
    }
  }
}

extension PredicateExpressions.SequenceContains: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let list = try context.term(sequence)
    // A range of integers is a sequence as well.
    if let range = RangeTerm(list) {
      return .scalar(try context.contains(range, try context.term(element), RHS.Output.self))
    }
    guard case .captured(let value) = list, let values = value as? LHS.Output else {
      if case .scalar = list {
        throw NacreError.untranslatable("`contains` of a property that is a list stored as JSON")
      }
      return .scalar(try context.scalar(list))
    }
    switch try context.term(element) {
    case .sealed(let sealed):
      return .scalar(try sealed.isOneOf(values.map { $0 as Any }, context))
    case let element:
      return .scalar(try context.isOneOf(context.value(try context.scalar(element)), values))
    }
  }
}

extension PredicateContext {
  /// Whether a test, or its contrary, is true of an element of a sequence.
  fileprivate func isAny<S: PredicateExpression, X: PredicateExpression>(
    of sequence: S,
    _ variable: PredicateExpressions.Variable<S.Output.Element>,
    _ test: X,
    isNegated: Bool = false
  ) throws -> SQLFragment where S.Output: Sequence, X.Output == Bool {
    switch try term(sequence) {
    case .collection(let collection):
      bind(variable, to: .object(collection.element))
      let tested = try condition(test)
      let sql = isNegated ? tested.negated.sql : tested.sql
      return PredicateSQL.exists(collection.rows, PredicateSQL.and(collection.condition, sql))
    case .captured(let value):
      let tests = try each(value as? S.Output, variable, test)
      let conditions = tests.map { isNegated ? $0.negated.sql : $0.settled.sql }
      return PredicateSQL.any(conditions[...])
    case let other: throw refusal(ofClosureOver: other)
    }
  }

  /// Returns the error of a closure over something whose elements SQL can't see, such as a list
  /// that is stored as JSON.
  fileprivate func refusal(ofClosureOver term: PredicateTerm) -> any Error {
    do {
      _ = try scalar(term)
      return NacreError.untranslatable("a closure over a list or text that is stored as one value")
    } catch {
      return error
    }
  }

  /// The maximum number of captured values for which a condition is written out.
  private static let writtenOut = 500

  /// Makes a condition for each captured value.
  private func each<S: Sequence, X: PredicateExpression>(
    _ values: S?,
    _ variable: PredicateExpressions.Variable<S.Element>,
    _ test: X
  ) throws -> [ScalarTerm] where X.Output == Bool {
    var conditions: [ScalarTerm] = []
    for value in values.map({ Array($0.prefix(Self.writtenOut + 1)) }) ?? [] {
      bind(variable, to: .captured(value))
      conditions.append(try condition(test))
    }
    guard conditions.count <= Self.writtenOut else {
      throw NacreError.untranslatable(
        "a closure over more than \(Self.writtenOut) captured values",
        instead: "use `contains` of the value itself"
      )
    }
    return conditions
  }

  /// Whether a value is among captured values; NULL, which means false, if it is nil and no captured value is nil.
  fileprivate func isOneOf<S: Sequence>(
    _ element: ScalarTerm,
    _ values: S
  ) throws -> ScalarTerm {
    try StoredComparison.checkEquality(S.Element.self)
    let element = element.settled
    var stored: Set<Value> = []
    var list: [Value] = []
    for value in values {
      let value = try element.form.encode(value)
      if stored.insert(value).inserted && value != .null { list.append(value) }
    }
    let sql = try isOneOf(element.sql, list)
    let isNullable = element.mayBeNull && !list.isEmpty
    guard stored.contains(.null) && element.isNullable else {
      return ScalarTerm(sql: sql, isNullable: isNullable, isCondition: true)
    }
    try element.checkNil()
    return ScalarTerm(
      sql: PredicateSQL.or(PredicateSQL.settled(sql), PredicateSQL.isNull(element.sql)),
      isCondition: true
    )
  }
}
