import NacreEngine

/// A row of the catalog for a DAO's table, and whether the column that it names is in the file.
struct NotedDAOColumn {
  /// The catalog's name of the table.
  let entity: String
  /// The catalog's name of the column.
  let name: String
  let table: String
  /// Nil in a row that only remembers a class and property.
  let column: String?
  let place: DAOPlace
  /// Whether a table of exactly this name has the column; a view stores nothing, so it does not
  /// count.
  let isInFile: Bool

  /// Returns the columns of DAOs in the catalog.
  ///
  /// - Parameters:
  ///   - table: The only table, in any case; nil for all tables.
  ///   - connection: A connection in a transaction.
  /// - Returns: The columns, and what is only remembered of columns that are gone.
  /// - Throws: The errors of reading.
  static func all(
    of table: String? = nil,
    on connection: any EngineConnection
  ) throws -> [NotedDAOColumn] {
    var noted: [NotedDAOColumn] = []
    try connection.each(DAOSQL.columns, [table.map(Value.text) ?? .null]) { row in
      let table = row.text(at: 2)
      let column = row.isNull(at: 3) ? nil : row.text(at: 3)
      noted.append(
        NotedDAOColumn(
          entity: row.text(at: 0),
          name: row.text(at: 1),
          table: table,
          column: column,
          place: DAOPlace(type: row.text(at: 4), property: row.text(at: 5)),
          isInFile: try column.map { try isInFile($0, of: table, on: connection) } ?? false
        )
      )
    }
    return noted
  }

  private static func isInFile(
    _ column: String,
    of table: String,
    on connection: any EngineConnection
  ) throws -> Bool {
    guard try connection.schema.hasTable(table) else { return false }
    return try connection.columnNames(of: table).contains { SQLName($0) == SQLName(column) }
  }
}

extension EngineConnection {
  /// Returns the tables that the application's statements have filled, by name: those behind virtual
  /// tables, too, but neither the store's own nor those of entities.
  func applicationTables() throws -> [String] {
    try withoutEntities(try valueTables()) { $0 }
  }
}
