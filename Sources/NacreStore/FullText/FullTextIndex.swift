package import NacreEngine

/// The full-text index of an entity's table: which columns it has, and how it tells words apart.
package struct FullTextIndex: Sendable, Hashable {
  /// The entity's table.
  package let table: String
  /// The columns whose texts can be searched, in the order of their bytes.
  package let columns: [String]
  /// How it tells words apart.
  package let tokenizer: Tokenizer

  /// Makes the index of some columns; returns nil if there are none.
  package init?(table: String, columns: [String], tokenizer: Tokenizer?) {
    guard let tokenizer, !columns.isEmpty else { return nil }
    self.table = table
    self.columns = columns.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self.tokenizer = tokenizer
  }

  /// Makes the index that the catalog has for a table; returns nil if it has none.
  package init?(table: String, _ properties: [CatalogProperty]) {
    let found = properties.filter { $0.fullText != nil && !$0.isHidden && $0.column != nil }
    self.init(
      table: table,
      columns: found.compactMap(\.column),
      tokenizer: found.first?.fullText
    )
  }

  /// The names of the tables that the index consists of, without those that the engine makes for it.
  package var tables: [String] { FullTextNames(table: table).tables }

  /// Returns the statements of the index.
  ///
  /// - Throws: `badDeclaration` if the engine has no full-text search.
  package func sql(_ dialect: any Dialect) throws -> FullTextSQL {
    guard let engine = dialect.fullText else {
      throw NacreError(.badDeclaration, detail: "the store's engine has no full-text search")
    }
    return FullTextSQL(table: table, columns: columns, tokenizer, dialect, engine)
  }
}

// MARK: - Making and dropping

extension FullTextIndex {
  /// Makes the index, with the texts of the rows that the table has.
  package func make(on connection: any EngineConnection) throws {
    let sql = try sql(connection.dialect)
    for (_, definition) in sql.definitions { try connection.execute(definition) }
    for statement in sql.fill { try connection.execute(statement) }
  }

  /// Removes a table's index, whatever is left of it.
  package static func drop(ofTable table: String, on connection: any EngineConnection) throws {
    for statement in FullTextSQL.drop(table: table) { try connection.execute(statement) }
  }

  /// Removes a table's index if it has a column, or any column for nil.
  ///
  /// The use of the class makes the index again.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - column: The column that is about to change.
  ///   - connection: The writer.
  /// - Throws: The errors of the engine.
  package static func drop(
    ofTable table: String,
    with column: String?,
    on connection: any EngineConnection
  ) throws {
    let columns = try connection.columnNames(of: FullTextNames(table: table).index)
    guard
      column.map({ name in columns.contains { SQLName($0) == SQLName(name) } })
        ?? !columns.isEmpty
    else { return }
    try drop(ofTable: table, on: connection)
  }
}
