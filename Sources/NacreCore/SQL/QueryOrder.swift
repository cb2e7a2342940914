import NacreEngine
import NacreStore

/// The order of a query, as its caller wrote it in SQL or as columns.
///
/// The clause by which a column of decimals is ordered is the dialect's, which a query learns only
/// when it runs.
package struct QueryOrder: Sendable {
  /// A column of an order.
  struct Term {
    let table: String
    let column: String
    let holdsDecimals: Bool
    let isReverse: Bool
    /// The link of the query's own table, if the column is that of the object behind it.
    var link: (table: String, column: String)?

    /// The expression that the order is by.
    fileprivate var text: String {
      guard let link else { return SQLText.name(table) + "." + SQLText.name(column) }
      // The alias tells the two apart where a table links to itself.
      let holder = SQLText.name(link.table) + "." + SQLText.name(link.column)
      return """
        (SELECT "nacre_of".\(SQLText.name(column)) FROM \(SQLText.name(table)) "nacre_of" \
        WHERE "nacre_of"."objectID" = \(holder))
        """
    }
  }

  /// A piece of the order.
  private enum Piece {
    case text(String)
    /// An expression of decimals, which each engine orders in a way of its own.
    case decimals(String)
  }

  private let pieces: [Piece]

  init(_ text: String) { pieces = [.text(text)] }

  init(_ terms: [Term]) {
    var pieces: [Piece] = []
    var text = ""
    for (index, term) in terms.enumerated() {
      if index > 0 { text += ", " }
      if term.holdsDecimals {
        pieces += [.text(text), .decimals(term.text)]
        text = ""
      } else {
        text += term.text
      }
      if term.isReverse { text += " DESC" }
    }
    self.pieces = pieces + [.text(text)]
  }

  /// Makes the order of a table's primary key.
  package init(keyOf schema: RowSchema, isDescending: Bool = false) {
    let keys = schema.keys.map { schema.properties[$0] }.map { ($0.column, $0.holdsDecimals) }
    self.init(
      (keys.isEmpty ? [("objectID", false)] : keys).map { column, holdsDecimals in
        Term(
          table: schema.table,
          column: column,
          holdsDecimals: holdsDecimals,
          isReverse: isDescending
        )
      }
    )
  }

  /// Returns the order in SQL.
  func text(_ dialect: any Dialect) -> String {
    if pieces.count == 1, case .text(let text) = pieces[0] { return text }
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .decimals(let expression): dialect.orderedDecimal(expression)
      }
    }.joined()
  }
}
