public import Foundation

// `#Predicate` turns `$0.drivers.contains { … }` and the like into calls of these functions. `Links` is not a sequence,
// because reading it can fail. The functions therefore build Foundation's own expressions, so that a predicate
// evaluated in memory reads the elements, and throws if it can't read them.
//
// There is no function for `count` and `isEmpty`: a second `build_KeyPath` would make every predicate slow to compile.

extension PredicateExpressions {
  /// The elements of a predicate's links.
  public typealias LinkedElements<Base, Target> = ForcedUnwrap<KeyPath<Base, [Target]?>, [Target]>
  where Base: PredicateExpression, Target: Entity

  /// The expression that `#Predicate` builds for `$0.drivers.contains { … }`.
  public static func build_contains<Base, Target, Test>(
    _ links: Base,
    where test: (Variable<Target>) -> Test
  ) -> SequenceContainsWhere<LinkedElements<Base, Target>, Test>
  where
    Base: PredicateExpression, Base.Output == Links<Target>, Test: PredicateExpression,
    Test.Output == Bool
  {
    build_contains(elements(links), where: test)
  }

  /// The expression that `#Predicate` builds for `$0.drivers.allSatisfy { … }`.
  public static func build_allSatisfy<Base, Target, Test>(
    _ links: Base,
    _ test: (Variable<Target>) -> Test
  ) -> SequenceAllSatisfy<LinkedElements<Base, Target>, Test>
  where
    Base: PredicateExpression, Base.Output == Links<Target>, Test: PredicateExpression,
    Test.Output == Bool
  {
    build_allSatisfy(elements(links), test)
  }

  /// The expression that `#Predicate` builds for `$0.drivers.filter { … }`.
  public static func build_filter<Base, Target, Test>(
    _ links: Base,
    _ test: (Variable<Target>) -> Test
  ) -> Filter<LinkedElements<Base, Target>, Test>
  where
    Base: PredicateExpression, Base.Output == Links<Target>, Test: PredicateExpression,
    Test.Output == Bool
  {
    build_filter(elements(links), test)
  }

  private static func elements<Base, Target>(_ links: Base) -> LinkedElements<Base, Target>
  where Base: PredicateExpression, Base.Output == Links<Target> {
    build_ForcedUnwrap(build_KeyPath(root: links, keyPath: Links<Target>.readablePath))
  }
}

extension Links {
  /// The elements for a predicate that is evaluated in memory; nil if they can't be read or have unsaved changes.
  var readable: [Target]? { hasPendingChanges ? nil : try? fetch(FetchRequest()) }

  /// The key path is formed here only, because equal-looking key paths formed in several places need not be equal.
  static var readablePath: any KeyPath<Links, [Target]?> & Sendable { \.readable }
}

/// The key path that a predicate uses in place of a link's elements.
protocol LinksPaths {
  static var elementsPath: AnyKeyPath { get }
}

extension Links: LinksPaths {
  static var elementsPath: AnyKeyPath { readablePath }
}
