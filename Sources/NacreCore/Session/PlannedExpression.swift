import NacreEngine

/// An expression of a predicate whose SQL depends on its shape alone, and not on the values that it
/// captured.
///
/// The conformances are conditional: a whole predicate has one if all of its parts have.
protocol PlannedExpression {
  /// Adds the parts that the expression's type does not tell.
  func collect(_ parts: inout PredicateParts)
}

extension PlannedExpression {
  /// Adds the parts of an expression that is known to be of this type.
  static func collect<X>(from expression: X, _ parts: inout PredicateParts) {
    (expression as? Self)?.collect(&parts)
  }
}

/// The parts of a predicate that the type of its expression does not tell, in order.
struct PredicateParts {
  var paths: [AnyKeyPath] = []
  var comparisons: [UInt8] = []
  var values: [any StorableValue] = []

  /// Makes room for the parts of most predicates.
  init() {
    paths.reserveCapacity(4)
    comparisons.reserveCapacity(4)
    values.reserveCapacity(4)
  }
}
