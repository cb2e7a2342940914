import NacreEngine

/// Something in the schema because of which a statement on one of the store's own tables could do
/// something else than it says.
package struct ForeignObject {
  /// The kind of the object, according to its definition.
  enum Kind: String {
    case trigger = "TRIGGER"
    case view = "VIEW"
    case index = "INDEX"
    case table = "TABLE"
  }

  /// The maximum length of a name that is shown, in characters.
  private static let longestName = 128

  let kind: Kind
  let object: SchemaObject
  /// The store's own table that it names.
  var table: String
  let dialect: any Dialect
  /// Whether only this connection has it.
  var isTemporary = false

  private var name: String { object.name }

  /// Whether it is one of the store's own tables, with another definition.
  ///
  /// Reading such a table may return anything, or fail.
  package var isOwnTable: Bool { kind == .table && name == table && !isTemporary }

  /// The description of the object, and the way to remove it.
  package var words: String {
    if kind == .table { return tableWords }
    let title = (isTemporary ? "temporary " : "") + kind.rawValue.lowercased()
    guard isNameShown else {
      return
        "a \(title) names \(table), and its own name can't be shown; run the statement that this "
        + "prints: "
        + dialect.printDrop(kind.rawValue, ofObject: object.number)
    }
    return "the \(title) \(SQLText.name(name)) names \(table); remove it: "
      + OwnTableSQL.drop(kind.rawValue, name)
  }

  private var tableWords: String {
    let shown = isNameShown ? SQLText.name(name) : dialect.place(ofObject: object.number)
    if isTemporary { return "a temporary table is named \(table); open the store anew" }
    return name == table
      ? "the table \(table) is not defined as Nacre defines it; take the store from a backup"
      : "the table \(shown) refers to \(table); make it again without that reference"
  }

  /// Whether the name can be shown: a name can hold characters that control a terminal, or that are
  /// invisible.
  private var isNameShown: Bool {
    name.unicodeScalars.count <= ForeignObject.longestName
      && name.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
          .unassigned:
          false
        default: true
        }
      }
  }
}
