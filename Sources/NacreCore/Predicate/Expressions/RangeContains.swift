import Foundation
import NacreStore

extension PredicateExpressions.Range: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let (lower, upper) = (try context.term(lower), try context.term(upper))
    return .range(RangeTerm(lower: lower, upper: upper, includesUpper: false))
  }
}

extension PredicateExpressions.ClosedRange: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let (lower, upper) = (try context.term(lower), try context.term(upper))
    return .range(RangeTerm(lower: lower, upper: upper, includesUpper: true))
  }
}

extension PredicateExpressions.RangeExpressionContains: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    guard let range = RangeTerm(try context.term(range)) else {
      throw NacreError.untranslatable(
        "a range that is neither written in the predicate nor captured"
      )
    }
    return .scalar(try context.contains(range, try context.term(element), Element.Output.self))
  }
}

extension PredicateContext {
  func contains(
    _ range: RangeTerm,
    _ element: PredicateTerm,
    _ type: Any.Type
  ) throws -> ScalarTerm {
    var conditions: [ScalarTerm] = []
    if let lower = range.lower { conditions.append(try compare(lower, "<=", element, type)) }
    if let upper = range.upper {
      conditions.append(try compare(element, range.includesUpper ? "<=" : "<", upper, type))
    }
    guard let first = conditions.first else { return ScalarTerm(sql: "1", isCondition: true) }
    return ScalarTerm(
      sql: conditions.dropFirst().reduce(first.sql) { PredicateSQL.and($0, $1.sql) },
      isNullable: conditions.contains(where: \.isNullable),
      isCondition: true
    )
  }
}

extension RangeTerm {
  /// A range that is written out, or captured.
  init?(_ term: PredicateTerm) {
    switch term {
    case .range(let range): self = range
    case .captured(let value as any CapturedRange): self = value.term
    default: return nil
    }
  }
}

/// A range among the captured values.
private protocol CapturedRange {
  var term: RangeTerm { get }
}

extension Range: CapturedRange {
  fileprivate var term: RangeTerm {
    RangeTerm(lower: .captured(lowerBound), upper: .captured(upperBound), includesUpper: false)
  }
}

extension ClosedRange: CapturedRange {
  fileprivate var term: RangeTerm {
    RangeTerm(lower: .captured(lowerBound), upper: .captured(upperBound), includesUpper: true)
  }
}

extension PartialRangeFrom: CapturedRange {
  fileprivate var term: RangeTerm {
    RangeTerm(lower: .captured(lowerBound), upper: nil, includesUpper: false)
  }
}

extension PartialRangeThrough: CapturedRange {
  fileprivate var term: RangeTerm {
    RangeTerm(lower: nil, upper: .captured(upperBound), includesUpper: true)
  }
}

extension PartialRangeUpTo: CapturedRange {
  fileprivate var term: RangeTerm {
    RangeTerm(lower: nil, upper: .captured(upperBound), includesUpper: false)
  }
}
