import Foundation
import NacreCore

private typealias PE = PredicateExpressions

/// Predicates with `keeper?.loaded?.boss?.loaded`, built in steps as `#Predicate` builds them at once.
///
/// The compiler takes ten seconds for each `#Predicate` with this chain. These stand apart from any `#Predicate`, because
/// Swift 6.3 mixes up the closures of both in one function.
enum ChainedPredicates {
  private static func boss(
    _ car: PE.Variable<Vehicle>
  ) -> some StandardPredicateExpression<Keeper?> {
    let keeper = PE.build_flatMap(PE.build_KeyPath(root: car, keyPath: \.keeper)) {
      PE.build_KeyPath(root: $0, keyPath: \.loaded)
    }
    let boss = PE.build_flatMap(keeper) { PE.build_KeyPath(root: $0, keyPath: \.boss) }
    return PE.build_flatMap(boss) { PE.build_KeyPath(root: $0, keyPath: \.loaded) }
  }

  static func bossIsNot(named name: String?) -> Predicate<Vehicle> {
    Predicate { car in
      let handle = PE.build_flatMap(boss(car)) { PE.build_KeyPath(root: $0, keyPath: \.handle) }
      return PE.build_NotEqual(lhs: handle, rhs: PE.build_Arg(name))
    }
  }

  static func bossHasNot(code: String?) -> Predicate<Vehicle> {
    Predicate { car in
      let found = PE.build_flatMap(boss(car)) { PE.build_KeyPath(root: $0, keyPath: \.code) }
      return PE.build_NotEqual(lhs: found, rhs: PE.build_Arg(code))
    }
  }

  /// The boss has no boss, and there is a keeper.
  static var bossIsTheLast: Predicate<Vehicle> {
    Predicate { car in
      let next = PE.build_flatMap(boss(car)) { PE.build_KeyPath(root: $0, keyPath: \.boss) }
      let isLast = PE.build_Equal(lhs: next, rhs: PE.build_NilLiteral())
      let keeper = PE.build_KeyPath(root: car, keyPath: \.keeper)
      let isKept = PE.build_NotEqual(lhs: keeper, rhs: PE.build_NilLiteral())
      return PE.build_Conjunction(lhs: isLast, rhs: isKept)
    }
  }
}
