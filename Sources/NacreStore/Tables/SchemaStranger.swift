import NacreSQLite

/// Something in the schema by which a statement on a table of the store's own would do other than it says.
package struct SchemaStranger {
  /// The kind of the stranger, by the text of its definition.
  enum Kind: String {
    case trigger = "TRIGGER"
    case view = "VIEW"
    case index = "INDEX"
    case table = "TABLE"
  }

  /// The most characters of a name that is shown.
  private static let longestName = 128

  let kind: Kind
  let name: String
  /// The table of the store's own that it names.
  let table: String
  /// Its row in the schema.
  let row: Int64
  /// Whether only the connection has it.
  var isTemporary = false

  /// Whether it is a table of the store's own that is defined otherwise: what reads it may find anything, or fail.
  package var isOwnTable: Bool { kind == .table && name == table && !isTemporary }

  /// The description of the stranger, and the way to remove it.
  package var words: String {
    if kind == .table { return tableWords }
    let title = (isTemporary ? "temporary " : "") + kind.rawValue.lowercased()
    guard isNameShown else {
      return
        "a \(title) names \(table), and its own name can't be shown; run the statement that this "
        + "prints: "
        + OwnTableSQL.printDrop(kind.rawValue, row: row)
    }
    return "the \(title) \(SQLText.name(name)) names \(table); remove it: "
      + OwnTableSQL.drop(kind.rawValue, name)
  }

  private var tableWords: String {
    let shown = isNameShown ? SQLText.name(name) : "in row \(row) of sqlite_schema"
    if isTemporary { return "a temporary table is named \(table); open the store anew" }
    return name == table
      ? "the table \(table) is not defined as Nacre defines it; take the store from a backup"
      : "the table \(shown) refers to \(table); make it again without that reference"
  }

  /// A name can hold what a terminal acts on, or hides.
  private var isNameShown: Bool {
    name.unicodeScalars.count <= SchemaStranger.longestName
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
