package import NacreEngine

// Questions of the modules above about the tables in the file.

extension EngineConnection {
  /// Returns whether there is a table of that name, whatever the case of its ASCII letters.
  package func has(_ table: String) throws -> Bool { try schema.hasTable(inAnyCase: table) }

  /// Returns the names of a table's columns, in order; empty if there is no such table.
  package func columnNames(of table: String) throws -> [String] {
    try schema.columns(of: table).map(\.name)
  }

  /// Returns the columns with an index of their own over all rows of a table, and whether the index
  /// is unique, in the order of names.
  package func indexedColumns(of table: String) throws -> [(column: String, isUnique: Bool)] {
    try schema.indexes(of: table).compactMap { index in
      guard !index.isPartial, index.terms.count == 1, let column = index.terms[0].column else {
        return nil
      }
      return (column, index.isUnique)
    }
    .sorted { one, other in
      one.column.hasSameBytes(as: other.column)
        ? !one.isUnique && other.isUnique
        : one.column.utf8.lexicographicallyPrecedes(other.column.utf8)
    }
  }

  /// Returns whether a column compares decimals as numbers.
  package func comparesDecimals(_ column: String, of table: String) throws -> Bool {
    try schema.comparesDecimals(column: column, of: table) ?? false
  }

  /// Returns the tables that can hold values, by name: those behind virtual tables, too, but neither
  /// the engine's own nor the store's own.
  ///
  /// - Parameter kept: One of the store's own tables to return as well.
  /// - Returns: The tables' names.
  /// - Throws: The errors of reading.
  func valueTables(with kept: String? = nil) throws -> [String] {
    try schema.tables().filter { table in
      if table.isInternal || table.kind == .view || table.kind == .virtual { return false }
      let name = SQLName(table.name).text
      return name == kept || !OwnTableSQL.names.contains(name)
    }
    .map(\.name)
  }

  /// Returns those of the tables that belong neither to an entity nor to a relationship.
  package func withoutEntities<T>(
    _ tables: [T],
    name: (T) -> String
  ) throws -> [T] {
    let others = Set(try texts(CatalogSQL.entityTables).map(SQLName.init))
    return tables.filter { !others.contains(SQLName(name($0))) }
  }
}
