/// An index of a table that somebody made by a statement.
package struct EngineIndex: Sendable {
  /// One of the terms by which an index sorts.
  package struct Term: Sendable {
    /// The column; nil for an expression.
    package let column: String?
    /// The collation by which the index compares the term's texts.
    package let collation: String
    /// Whether greater values come first.
    package let isDescending: Bool

    package init(column: String?, collation: String, isDescending: Bool) {
      self.column = column
      self.collation = collation
      self.isDescending = isDescending
    }
  }

  /// The index's name.
  package let name: String
  /// Whether no two rows may have the same values in all terms.
  package let isUnique: Bool
  /// Whether the index has only the rows that meet a condition.
  package let isPartial: Bool
  /// The terms, in order.
  package var terms: [Term] = []

  package init(name: String, isUnique: Bool, isPartial: Bool) {
    self.name = name
    self.isUnique = isUnique
    self.isPartial = isPartial
  }
}
