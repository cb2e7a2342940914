/// Reads an engine's catalog of tables, columns and indexes.
///
/// The statements are the engine's own. Their rows have the same columns on every engine, which the
/// functions name, and their parameters are texts.
package struct CatalogReader {
  private let connection: any EngineConnection

  /// Makes a reader.
  package init(_ connection: any EngineConnection) { self.connection = connection }

  // MARK: Objects

  /// Reads tables: the name, the kind, whether it is the engine's own.
  package func tables(_ sql: String, _ arguments: String...) throws -> [EngineTable] {
    try rows(sql, arguments) { row in
      EngineTable(
        name: row.text(at: 0),
        kind: EngineTable.Kind(rawValue: row.text(at: 1)) ?? .virtual,
        isInternal: row.int64(at: 2) != 0
      )
    }
  }

  /// Reads columns: the name, the type, whether it refuses NULL, the place in the primary key from 1, the default.
  package func columns(_ sql: String, of table: String) throws -> [EngineColumn] {
    try rows(sql, [table]) { row in
      let position = Int(clamping: row.int64(at: 3))
      return EngineColumn(
        name: row.text(at: 0),
        type: row.text(at: 1),
        isNotNull: row.int64(at: 2) != 0,
        keyPosition: position > 0 ? position : nil,
        defaultText: row.isNull(at: 4) ? nil : row.text(at: 4)
      )
    }
  }

  /// Reads columns of tables: the table's name and the column's.
  package func columnsOfTables(_ sql: String) throws -> [(table: String, column: String)] {
    try rows(sql, []) { (table: $0.text(at: 0), column: $0.text(at: 1)) }
  }

  /// Reads the terms of indexes in their order: the index's name, whether it is unique, whether it is partial; the column,
  /// NULL for an expression; the collation; whether the term descends.
  package func indexes(_ sql: String, of table: String) throws -> [EngineIndex] {
    var indexes: [EngineIndex] = []
    try each(sql, [table]) { row in
      let name = row.text(at: 0)
      if indexes.last?.name != name {
        let (isUnique, isPartial) = (row.int64(at: 1) != 0, row.int64(at: 2) != 0)
        indexes.append(EngineIndex(name: name, isUnique: isUnique, isPartial: isPartial))
      }
      let term = EngineIndex.Term(
        column: row.isNull(at: 3) ? nil : row.text(at: 3),
        collation: row.text(at: 4),
        isDescending: row.int64(at: 5) != 0
      )
      indexes[indexes.count - 1].terms.append(term)
    }
    return indexes
  }

  /// Reads objects: the name, the definition, the number.
  package func objects(_ sql: String, _ arguments: String...) throws -> [SchemaObject] {
    try rows(sql, arguments) { row in
      SchemaObject(name: row.text(at: 0), definition: row.text(at: 1), number: row.int64(at: 2))
    }
  }

  /// Reads definitions of indexes: the table's name; the index's name, definition, number.
  package func indexDefinitions(
    _ sql: String,
    of tables: String
  ) throws -> [(table: String, index: SchemaObject)] {
    try rows(sql, [tables]) { row in
      let (name, definition) = (row.text(at: 1), row.text(at: 2))
      let object = SchemaObject(name: name, definition: definition, number: row.int64(at: 3))
      return (table: row.text(at: 0), index: object)
    }
  }

  // MARK: Values

  /// Reads the first column as texts.
  package func texts(_ sql: String, _ arguments: String...) throws -> [String] {
    try rows(sql, arguments) { $0.text(at: 0) }
  }

  /// Reads the first column of the first row as an integer; nil if there is no row.
  package func integer(_ sql: String, _ arguments: String...) throws -> Int64? {
    try rows(sql, arguments) { $0.int64(at: 0) }.first
  }

  /// Returns whether there is a row.
  package func hasRow(_ sql: String, _ arguments: String...) throws -> Bool {
    try !rows(sql, arguments) { _ in true }.isEmpty
  }

  // MARK: Rows

  /// Calls a closure with each row.
  ///
  /// - Throws: An `EngineError`.
  package func each(
    _ sql: String,
    _ arguments: [String] = [],
    _ body: (any PreparedStatement) -> Void
  ) throws {
    let statement: any PreparedStatement = try connection.cached(sql)
    for (index, argument) in arguments.enumerated() {
      try statement.bind(text: argument, at: Int32(index + 1))
    }
    defer { statement.reset() }
    while try statement.step() { body(statement) }
  }

  /// Reads all rows.
  ///
  /// - Throws: An `EngineError`.
  package func rows<Row>(
    _ sql: String,
    _ arguments: [String] = [],
    read: (any PreparedStatement) -> Row
  ) throws -> [Row] {
    var rows: [Row] = []
    try each(sql, arguments) { rows.append(read($0)) }
    return rows
  }
}
