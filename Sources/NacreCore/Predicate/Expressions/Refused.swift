import Foundation

// What no SQL says, by name; a part that holds nothing but captured values is evaluated all the same.

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
