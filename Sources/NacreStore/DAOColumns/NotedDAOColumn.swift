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
    // By the bytes of the table's name: SQLite takes two Unicode forms of a letter for two names.
    var columns: [[UInt8]: Set<SQLName>] = [:]
    return try connection.rows(DAOSQL.columns, [table.map(Value.text) ?? .null]) { row in
      let table = row.text(at: 2)
      let column = row.isNull(at: 3) ? nil : row.text(at: 3)
      let key = Array(table.utf8)
      if column != nil, columns[key] == nil {
        columns[key] = try Self.columns(of: table, on: connection)
      }
      return NotedDAOColumn(
        entity: row.text(at: 0),
        name: row.text(at: 1),
        table: table,
        column: column,
        place: DAOPlace(type: row.text(at: 4), property: row.text(at: 5)),
        isInFile: column.map { columns[key, default: []].contains(SQLName($0)) } ?? false
      )
    }
  }

  /// Returns the columns of the table of exactly this name; none if there is none.
  private static func columns(
    of table: String,
    on connection: any EngineConnection
  ) throws -> Set<SQLName> {
    guard try connection.schema.hasTable(table) else { return [] }
    return Set(try connection.columnNames(of: table).map(SQLName.init))
  }
}

extension EngineConnection {
  /// Returns the tables that the application's statements have filled, by name: those behind virtual
  /// tables, too, but neither the store's own nor those of entities.
  func applicationTables() throws -> [String] {
    try withoutEntities(try valueTables()) { $0 }
  }
}
