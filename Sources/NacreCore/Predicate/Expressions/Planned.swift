import Foundation
import NacreEngine

// The expressions whose SQL can be kept for other captured values.

/// An expression for the row of the table, or for one of its properties.
protocol PlannedRow: PlannedExpression {}

extension PredicateExpressions.Variable: PlannedRow {
  func collect(_ parts: inout PredicateParts) {}
}

// A property of a captured value is none of these: it has to be read from that value.
extension PredicateExpressions.KeyPath: PlannedExpression, PlannedRow where Root: PlannedRow {
  func collect(_ parts: inout PredicateParts) {
    root.collect(&parts)
    parts.paths.append(keyPath)
  }
}

extension PredicateExpressions.Value: PlannedExpression where Output: StorableValue {
  func collect(_ parts: inout PredicateParts) { parts.values.append(value) }
}

extension PredicateExpressions.NilLiteral: PlannedExpression {
  func collect(_ parts: inout PredicateParts) {}
}

extension PredicateExpressions.Conjunction: PlannedExpression
where LHS: PlannedExpression, RHS: PlannedExpression {
  func collect(_ parts: inout PredicateParts) {
    lhs.collect(&parts)
    rhs.collect(&parts)
  }
}

extension PredicateExpressions.Disjunction: PlannedExpression
where LHS: PlannedExpression, RHS: PlannedExpression {
  func collect(_ parts: inout PredicateParts) {
    lhs.collect(&parts)
    rhs.collect(&parts)
  }
}

extension PredicateExpressions.Negation: PlannedExpression where Wrapped: PlannedExpression {
  func collect(_ parts: inout PredicateParts) { wrapped.collect(&parts) }
}

extension PredicateExpressions.Equal: PlannedExpression
where LHS: PlannedExpression, RHS: PlannedExpression {
  func collect(_ parts: inout PredicateParts) {
    lhs.collect(&parts)
    rhs.collect(&parts)
  }
}

extension PredicateExpressions.NotEqual: PlannedExpression
where LHS: PlannedExpression, RHS: PlannedExpression {
  func collect(_ parts: inout PredicateParts) {
    lhs.collect(&parts)
    rhs.collect(&parts)
  }
}

extension PredicateExpressions.Comparison: PlannedExpression
where LHS: PlannedExpression, RHS: PlannedExpression {
  func collect(_ parts: inout PredicateParts) {
    lhs.collect(&parts)
    rhs.collect(&parts)
    let comparison: UInt8 =
      switch op {
      case .lessThan: 0
      case .lessThanOrEqual: 1
      case .greaterThan: 2
      case .greaterThanOrEqual: 3
      // Nobody translates it, so that no plan has it.
      @unknown default: .max
      }
    parts.comparisons.append(comparison)
  }
}
