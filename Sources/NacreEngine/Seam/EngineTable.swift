/// A table or view of a database.
package struct EngineTable: Sendable {
  /// A kind of table.
  package enum Kind: String, Sendable {
    /// An ordinary table.
    case table
    /// A view, which stores nothing.
    case view
    /// A table whose content a module of the engine makes.
    case virtual
    /// A table in which a virtual table keeps its rows.
    case shadow
  }

  /// The name, in the case in which the table was made.
  package let name: String
  /// The kind of table.
  package let kind: Kind
  /// Whether the table is the engine's own.
  package let isInternal: Bool

  package init(name: String, kind: Kind, isInternal: Bool) {
    self.name = name
    self.kind = kind
    self.isInternal = isInternal
  }
}
