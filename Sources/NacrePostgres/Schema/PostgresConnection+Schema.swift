#if PostgreSQL
package import NacreEngine

extension PostgresConnection {
  /// The pieces of SQL that are PostgreSQL's own.
  package var dialect: any Dialect { ownDialect }

  /// Reads the tables, columns and indexes of the schema.
  package var schema: any EngineSchema { PostgresSchema(connection: self) }

  /// Returns a number that changes with each change of the schema's tables, columns, indexes and triggers.
  ///
  /// In a store it is ``LayoutTable``'s, which Nacre alone raises. In another database it is made of the server's
  /// catalog. A change by others makes this connection prepare its statements anew.
  ///
  /// - Throws: The server's error.
  package func layoutNumber() throws -> Int64 {
    let number = try currentLayoutNumber()
    session.layout.see(number)
    return number
  }

  /// Returns a number that changes when a transaction has changed the server's databases.
  ///
  /// - Throws: The server's error.
  package func dataNumber() throws -> Int64 { try number(CatalogStatements.dataNumber) }

  /// Lets the keys that the server generates for a table begin at 1 again.
  ///
  /// - Throws: The server's error.
  package func restartGeneratedKeys(of table: String) throws {
    let statement: PostgresStatement = try cached(CatalogStatements.restartKeys)
    try statement.bind(text: table, at: 1)
    try statement.run()
  }

  /// Returns the number that the server will give the next transaction that writes.
  package func stateNumber() throws -> Int64 {
    try CatalogReader(self).integer(CatalogStatements.nextTransaction) ?? 0
  }

  /// Returns whether a session of the same database, of any role, reads a state in which a transaction before that number
  /// has not ended.
  package func hasReaders(before state: Int64) throws -> Bool {
    try CatalogReader(self).hasRow(CatalogStatements.readersBefore, "\(state)")
  }

  /// In a transaction, the number as it will be once the transaction is committed: another one after each of its changes.
  private func currentLayoutNumber() throws -> Int64 {
    let isInTransaction = session.isInTransaction
    let changes = isInTransaction ? Int64(session.layout.changeCount) : 0
    guard session.layout.hasTable else {
      return try number(CatalogStatements.layoutNumber) &+ changes
    }
    let stored = isInTransaction ? session.layout.numberAtBeginning : nil
    let first = try stored ?? number(LayoutTable.select)
    let (number, isOverflow) = first.addingReportingOverflow(changes)
    guard !isOverflow else {
      throw PostgresError(
        .corrupt,
        "the number in \(LayoutTable.name) is \(first), and none above it is left"
      )
    }
    return number
  }

  private func number(_ sql: String) throws -> Int64 {
    let statement: PostgresStatement = try cached(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int64(at: 0) : 0
  }
}
#endif
