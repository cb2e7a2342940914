import Foundation
import NacreStore

/// An expression of a predicate that Nacre can translate to SQL.
///
/// A conformance covers every operand; an operand that can't be translated shows only during translation.
protocol SQLTranslatable {
  /// Translates the expression to SQL.
  ///
  /// - Throws: `untranslatablePredicate`, `sealedCondition`, `valueMismatch`.
  func term(_ context: PredicateContext) throws -> PredicateTerm
}

extension NacreError {
  /// The error for an expression that can't be translated, with advice on what to write instead.
  static func untranslatable(_ what: String, instead advice: String? = nil) -> NacreError {
    NacreError(.untranslatablePredicate, detail: advice.map { "\(what); \($0)" } ?? what)
  }
}
