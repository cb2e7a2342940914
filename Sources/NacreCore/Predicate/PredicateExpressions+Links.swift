public import Foundation

// `#Predicate` makes calls of these names from `$0.drivers.contains { … }` and the like. Links are no sequence, because
// reading them can fail: here they are built from parts of Foundation's own, so that a predicate that is evaluated in
// memory reads the elements, and throws where they can't be read.
//
// There is none for `count` and `isEmpty`: a second `build_KeyPath` would make every predicate slow to compile.

extension PredicateExpressions {
  /// The elements of a predicate's links.
  public typealias LinkedElements<Base, Target> = ForcedUnwrap<KeyPath<Base, [Target]?>, [Target]>
  where Base: PredicateExpression, Target: Entity

  /// What `#Predicate` makes of `$0.drivers.contains { … }`.
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

  /// What `#Predicate` makes of `$0.drivers.allSatisfy { … }`.
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

  /// What `#Predicate` makes of `$0.drivers.filter { … }`.
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
  /// The elements as a predicate in memory asks for them; nil where they can't be read or changes wait for a save.
  var readable: [Target]? { hasPendingChanges ? nil : try? fetch(FetchRequest()) }

  /// Formed in one place, for key paths that are formed in several need not be equal.
  static var readablePath: any KeyPath<Links, [Target]?> & Sendable { \.readable }
}

/// What a predicate asks of links in place of their elements.
protocol LinksPaths {
  static var elementsPath: AnyKeyPath { get }
}

extension Links: LinksPaths {
  static var elementsPath: AnyKeyPath { readablePath }
}
