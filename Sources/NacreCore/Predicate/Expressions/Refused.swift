import Foundation

// Expressions that have no SQL, each with its name for the error. One that contains only captured values is evaluated
// instead.

extension PredicateExpressions.StringContainsRegex: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.constant(
      self,
      or: "a regular expression",
      instead: "use contains or starts(with:)"
    )
  }
}

extension PredicateExpressions.CollectionIndexSubscript: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.constant(self, or: "a subscript", instead: "a relationship has first and last")
  }
}

extension PredicateExpressions.CollectionRangeSubscript: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.constant(self, or: "a subscript by a range")
  }
}

extension PredicateExpressions.DictionaryKeySubscript: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.constant(self, or: "a subscript of a dictionary")
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.constant(self, or: "a subscript of a dictionary")
  }
}
