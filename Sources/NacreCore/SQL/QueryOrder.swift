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

  /// The text, taken apart where it has the clause for decimals.
  private var parts: [String]

  init(_ text: String) { parts = [text] }

  init(_ terms: [Term]) {
    parts = [""]
    for (index, term) in terms.enumerated() {
      if index > 0 { parts[parts.count - 1] += ", " }
      parts[parts.count - 1] += term.text
      if term.holdsDecimals { parts.append("") }
      if term.isReverse { parts[parts.count - 1] += " DESC" }
    }
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
    if parts.count == 1 { return parts[0] }
    return parts.joined(separator: TableSQL.collate(dialect.decimalCollation))
  }
}
