import Foundation

/// An expression of a predicate that can be put into SQL.
///
/// The conformances hold for every operand; whether an operand can be translated shows when it is.
protocol SQLTranslatable {
  /// What the expression is in SQL.
  ///
  /// - Throws: `untranslatablePredicate`, `sealedCondition`, `valueMismatch`.
  func term(_ context: PredicateContext) throws -> PredicateTerm
}

extension NacreError {
  /// What can't be translated, in words, and what to write in its place.
  static func untranslatable(_ what: String, instead advice: String? = nil) -> NacreError {
    NacreError(.untranslatablePredicate, detail: advice.map { "\(what); \($0)" } ?? what)
  }
}
