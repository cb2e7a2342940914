/// The SQL that predicates of one shape have in common.
///
/// The shape is the type of the expression, its key paths and its comparisons. Predicates of one
/// shape differ only in the values that they captured.
struct PredicatePlan {
  /// The key paths, which are compared by identity: each place in the source has its own.
  let paths: [AnyKeyPath]
  let comparisons: [UInt8]
  /// The condition, with a `?` for each captured value.
  let text: String
  /// For each captured value, the property in whose form it is stored; nil for the form of its own
  /// type.
  let forms: [Property?]

  fileprivate func fits(_ parts: PredicateParts) -> Bool {
    comparisons == parts.comparisons && paths.elementsEqual(parts.paths, by: ===)
  }
}

/// The plans of the predicates that were translated for one table on one connection.
struct PredicatePlans {
  /// The plans of the predicates whose expressions have one type.
  struct Kind {
    /// The type, if its SQL depends on the shape alone; finding that out costs more than the rest.
    let type: (any PlannedExpression.Type)?
    fileprivate var plans: [PredicatePlan] = []

    /// Returns the plan for the parts of a predicate, or nil if there is none.
    func plan(_ parts: PredicateParts) -> PredicatePlan? { plans.first { $0.fits(parts) } }
  }

  private var kinds: [ObjectIdentifier: Kind] = [:]
  /// How many plans there are.
  private(set) var planCount = 0
  /// Code that makes its key paths anew each time would keep plans without end.
  private static let limit = 500

  /// Returns what is known of predicates whose expressions have a type.
  mutating func kind(_ type: Any.Type) -> Kind {
    let identifier = ObjectIdentifier(type)
    if let known = kinds[identifier] { return known }
    let made = Kind(type: type as? any PlannedExpression.Type)
    kinds[identifier] = made
    return made
  }

  /// Keeps a plan for the predicates whose expressions have a type.
  mutating func keep(_ plan: PredicatePlan, _ type: Any.Type) {
    if planCount == Self.limit { (kinds, planCount) = ([:], 0) }
    var kind = kind(type)
    kind.plans.append(plan)
    kinds[ObjectIdentifier(type)] = kind
    planCount += 1
  }
}
