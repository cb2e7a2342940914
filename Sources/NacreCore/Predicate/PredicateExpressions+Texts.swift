public import Foundation

// `#Predicate` knows these three calls everywhere; what it makes of them is in Foundation on Apple's platforms alone.
// Disfavoured, so that Foundation's own win where they come to be.
#if !canImport(Darwin)
  extension PredicateExpressions {
    /// `$0.name.caseInsensitiveCompare("audi")`.
    public struct StringCaseInsensitiveCompare<Root, Other>: PredicateExpression
    where
      Root: PredicateExpression, Other: PredicateExpression, Root.Output: StringProtocol,
      Other.Output: StringProtocol
    {
      /// The text.
      public let root: Root
      /// What it is compared with.
      public let other: Other

      /// The order of the two in memory.
      public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
        try root.evaluate(bindings).caseInsensitiveCompare(other.evaluate(bindings))
      }
    }

    /// `$0.name.localizedCompare("audi")`.
    public struct StringLocalizedCompare<Root, Other>: PredicateExpression
    where
      Root: PredicateExpression, Other: PredicateExpression, Root.Output: StringProtocol,
      Other.Output: StringProtocol
    {
      /// The text.
      public let root: Root
      /// What it is compared with.
      public let other: Other

      /// The order of the two in memory.
      public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
        try root.evaluate(bindings).localizedCompare(other.evaluate(bindings))
      }
    }

    /// `$0.name.localizedStandardContains("audi")`: whatever the case, with or without accents.
    public struct StringLocalizedStandardContains<Root, Other>: PredicateExpression
    where
      Root: PredicateExpression, Other: PredicateExpression, Root.Output: StringProtocol,
      Other.Output: StringProtocol
    {
      /// The text.
      public let root: Root
      /// What is looked for.
      public let other: Other

      /// Whether the text contains it, in memory.
      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        try root.evaluate(bindings).localizedStandardContains(other.evaluate(bindings))
      }
    }

    /// What `#Predicate` makes of `caseInsensitiveCompare`.
    @_disfavoredOverload
    public static func build_caseInsensitiveCompare<Root, Other>(
      _ root: Root,
      _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
      StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// What `#Predicate` makes of `localizedCompare`.
    @_disfavoredOverload
    public static func build_localizedCompare<Root, Other>(
      _ root: Root,
      _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
      StringLocalizedCompare(root: root, other: other)
    }

    /// What `#Predicate` makes of `localizedStandardContains`.
    @_disfavoredOverload
    public static func build_localizedStandardContains<Root, Other>(
      _ root: Root,
      _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
      StringLocalizedStandardContains(root: root, other: other)
    }
  }

  extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable
  where Root: Sendable, Other: Sendable {}

  extension PredicateExpressions.StringCaseInsensitiveCompare: Codable
  where Root: Codable, Other: Codable {}

  extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.StringLocalizedCompare: Sendable
  where Root: Sendable, Other: Sendable {}

  extension PredicateExpressions.StringLocalizedCompare: Codable
  where Root: Codable, Other: Codable {}

  extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.StringLocalizedStandardContains: Sendable
  where Root: Sendable, Other: Sendable {}

  extension PredicateExpressions.StringLocalizedStandardContains: Codable
  where Root: Codable, Other: Codable {}

  extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
#endif
