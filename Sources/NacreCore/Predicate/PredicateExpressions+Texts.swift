public import Foundation
import NacreEngine

/// A text with its own order, for a predicate's `caseInsensitiveCompare` and `localizedCompare`.
public struct OrderedText: Comparable, Sendable {
  enum Order {
    case ignoringCase
    case localized
  }

  let text: String
  let order: Order

  private func compare(_ other: OrderedText) -> ComparisonResult {
    switch order {
    case .ignoringCase: text.caseInsensitiveCompare(other.text)
    case .localized: text.localizedCompare(other.text)
    }
  }

  /// Whether the order ranks two texts as the same.
  public static func == (a: OrderedText, b: OrderedText) -> Bool { a.compare(b) == .orderedSame }

  /// Whether a text comes before another.
  public static func < (a: OrderedText, b: OrderedText) -> Bool {
    a.compare(b) == .orderedAscending
  }
}

extension String {
  /// The text, ordered without regard to case.
  var ignoringCase: OrderedText { OrderedText(text: self, order: .ignoringCase) }

  /// The text, in the order of the locale.
  var localized: OrderedText { OrderedText(text: self, order: .localized) }
}

// `#Predicate` accepts these three calls on every platform, but Foundation has their expressions only on Apple's. Here
// they are built from expressions that Foundation has everywhere, because Foundation traps when it describes an
// expression that it does not know. They are disfavoured, so that Foundation's own win if it gets them.
#if !canImport(Darwin)
extension PredicateExpressions {
  /// The order of two texts: -1, 0 or 1.
  public typealias TextComparison<Root, Other> = Conditional<
    Comparison<KeyPath<Root, OrderedText>, KeyPath<Other, OrderedText>>, Value<ComparisonResult>,
    Conditional<
      Equal<KeyPath<Root, OrderedText>, KeyPath<Other, OrderedText>>, Value<ComparisonResult>,
      Value<ComparisonResult>
    >
  > where Root: PredicateExpression, Other: PredicateExpression

  /// The expression that `#Predicate` builds for `caseInsensitiveCompare`.
  @_disfavoredOverload
  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root,
    _ other: Other
  ) -> TextComparison<Root, Other> where Root.Output == String, Other.Output == String {
    compare(
      build_KeyPath(root: root, keyPath: \.ignoringCase),
      build_KeyPath(root: other, keyPath: \.ignoringCase)
    )
  }

  /// The expression that `#Predicate` builds for `localizedCompare`.
  @_disfavoredOverload
  public static func build_localizedCompare<Root, Other>(
    _ root: Root,
    _ other: Other
  ) -> TextComparison<Root, Other> where Root.Output == String, Other.Output == String {
    compare(
      build_KeyPath(root: root, keyPath: \.localized),
      build_KeyPath(root: other, keyPath: \.localized)
    )
  }

  /// The expression that `#Predicate` builds for `localizedStandardContains`, which ignores case and accents.
  @_disfavoredOverload
  public static func build_localizedStandardContains<Root, Other>(
    _ root: Root,
    _ other: Other
  ) -> CollectionContainsCollection<KeyPath<Root, String>, KeyPath<Other, String>>
  where Root.Output == String, Other.Output == String {
    build_contains(
      build_KeyPath(root: root, keyPath: \.foldedForSearch),
      build_KeyPath(root: other, keyPath: \.foldedForSearch)
    )
  }

  private static func compare<Root, Other>(
    _ a: KeyPath<Root, OrderedText>,
    _ b: KeyPath<Other, OrderedText>
  ) -> TextComparison<Root, Other> {
    build_Conditional(
      build_Comparison(lhs: a, rhs: b, op: .lessThan),
      build_Arg(.orderedAscending),
      build_Conditional(
        build_Equal(lhs: a, rhs: b),
        build_Arg(.orderedSame),
        build_Arg(.orderedDescending)
      )
    )
  }
}
#endif
