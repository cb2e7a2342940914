package import NacreEngine

extension Connection {
  /// The pieces of SQL that are SQLite's own.
  package var dialect: any Dialect { SQLiteDialect.shared }

  /// Reads the tables, columns and indexes of the file.
  package var schema: any EngineSchema { SQLiteSchema(connection: self) }

  /// Returns a number that changes with each change of the file's schema.
  ///
  /// - Throws: SQLite's error.
  package func layoutNumber() throws(SQLiteError) -> Int64 {
    let statement = try keptLayoutStatement()
    defer { statement.reset() }
    return try statement.step() ? statement.int64(at: 0) : 0
  }

  /// Returns a statement that is kept apart from the cache, because every read runs it: a look-up by
  /// its text would cost as much as the query.
  private func keptLayoutStatement() throws(SQLiteError) -> Statement {
    if let layoutStatement { return layoutStatement }
    let statement: Statement = try prepare(SchemaStatements.layoutNumber)
    layoutStatement = statement
    return statement
  }

  /// Returns a number that changes when another connection has changed the file.
  ///
  /// - Throws: SQLite's error.
  package func dataNumber() throws(SQLiteError) -> Int64 {
    let statement: Statement = try cached(SchemaStatements.dataNumber)
    defer { statement.reset() }
    return try statement.step() ? statement.int64(at: 0) : 0
  }

  /// Lets the keys that SQLite generates for a table begin at 1 again.
  ///
  /// - Throws: SQLite's error.
  package func restartGeneratedKeys(of table: String) throws {
    guard try schema.hasTable(SchemaStatements.sequenceTable) else { return }
    let statement: Statement = try cached(SchemaStatements.restartSequence)
    try statement.bind(text: table, at: 1)
    try statement.run()
  }
}
