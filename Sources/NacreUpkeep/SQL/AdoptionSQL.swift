import NacreEngine
import NacreStore

/// The statements of adoptions: those on a foreign file only read, and name no view.
enum AdoptionSQL {
  // MARK: The foreign file

  /// Selects the number of each row, or NULL if the table has none, and these columns.
  ///
  /// The order is that of the table itself, so nothing is sorted, and no text of the file gets into a temporary file.
  static func rows(table: String, columns: [String], number: String?) -> String {
    let number = number.map { "r.\(SQLText.name($0))" }
    let columns = [number ?? "NULL"] + columns.map { "r.\(SQLText.name($0))" }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.main(table)) r"
      + (number.map { " ORDER BY \($0)" } ?? "")
  }

  /// Counts the rows of a table, but not further than parameter 1.
  ///
  /// A damaged file can have rows without end, and a store so many that counting them takes long.
  static func count(table: String) -> String {
    "SELECT count(*) FROM (SELECT 1 FROM \(SQLText.main(table)) r LIMIT ?1) AS n"
  }

  // MARK: The store

  /// Returns the statement that stores a row of a table that is no entity's.
  static func insert(table: String, columns: [String]) -> String {
    let names = columns.map(SQLText.name).joined(separator: ", ")
    let values = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return "INSERT INTO \(SQLText.main(table)) (\(names)) VALUES (\(values))"
  }

  /// Returns an insert that does nothing if a unique column has the row's value already.
  static func unlessTaken(_ insert: String) -> String { insert + " ON CONFLICT DO NOTHING" }

  /// Whether a row has the parameters in these columns, compared as a unique index compares them.
  static func isTaken(
    table: String,
    columns: [(name: String, isDecimal: Bool)],
    _ dialect: any Dialect
  )
    -> String
  {
    let terms = columns.enumerated().map { place, column in
      "\(TableSQL.indexed(column.name, isText: column.isDecimal, dialect)) = ?\(place + 1)"
    }
    return "SELECT 1 FROM \(SQLText.main(table)) WHERE \(terms.joined(separator: " AND "))"
  }

  /// Whether the object in parameter 1 refers to the one in parameter 2 by a column.
  static func refers(table: String, column: String) -> String {
    "SELECT 1 FROM \(SQLText.main(table)) r WHERE r.\"objectID\" = ?1 AND r.\(SQLText.name(column)) = ?2"
  }

  /// Sets columns of the object in parameter 1 to NULL.
  static func clear(table: String, columns: [String]) -> String {
    let terms = columns.map { "\(SQLText.name($0)) = NULL" }.joined(separator: ", ")
    return "UPDATE \(SQLText.main(table)) SET \(terms) WHERE \"objectID\" = ?1"
  }

  /// Whether the owner in parameter 1 has the child, or a child at the position, in parameter 2.
  static func hasElement(join: String, isOrdered: Bool) -> String {
    "SELECT 1 FROM \(SQLText.main(join)) j WHERE j.\"owner\" = ?1 "
      + "AND j.\(isOrdered ? "\"position\"" : "\"child\"") = ?2"
  }
}
