import Foundation

// What no SQL says, by name; a part that holds nothing but captured values is evaluated all the same.

extension PredicateExpressions.TypeCheck: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.constant(self, or: "a type check (`is`)", instead: "entities are final classes")
  }
}

extension PredicateExpressions.ConditionalCast: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.constant(self, or: "a cast (`as?`)", instead: "compare the property as it is")
  }
}

extension PredicateExpressions.ForceCast: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    try context.constant(self, or: "a cast (`as!`)", instead: "compare the property as it is")
  }
}

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
