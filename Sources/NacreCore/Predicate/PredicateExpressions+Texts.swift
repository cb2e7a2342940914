public import Foundation

/// A text with an order of its own, as a predicate's `caseInsensitiveCompare` and `localizedCompare` have it.
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

  /// Texts are equal when their order says so.
  public static func == (a: OrderedText, b: OrderedText) -> Bool { a.compare(b) == .orderedSame }

  /// Whether a text comes before another.
  public static func < (a: OrderedText, b: OrderedText) -> Bool {
    a.compare(b) == .orderedAscending
  }
}

extension String {
  /// The text, ordered whatever the case of its letters.
  var ignoringCase: OrderedText { OrderedText(text: self, order: .ignoringCase) }

  /// The text, ordered as the locale has it.
  var localized: OrderedText { OrderedText(text: self, order: .localized) }

  /// The text without case and accents, as the locale has them.
  var foldedForSearch: String {
    folding(options: [.caseInsensitive, .diacriticInsensitive], locale: .current)
  }
}

// `#Predicate` knows these three calls everywhere; what it makes of them is in Foundation on Apple's platforms alone. Here
// they are built from expressions that Foundation has, for it traps where it describes one that it does not know.
// Disfavoured, so that its own win where they come to be.
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

    /// What `#Predicate` makes of `caseInsensitiveCompare`.
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

    /// What `#Predicate` makes of `localizedCompare`.
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

    /// What `#Predicate` makes of `localizedStandardContains`: whatever the case, with or without accents.
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
