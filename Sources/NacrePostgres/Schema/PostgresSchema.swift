#if PostgreSQL
import NacreEngine

/// Reads the schema in which a connection's tables are.
struct PostgresSchema: EngineSchema {
  let connection: PostgresConnection

  // MARK: Tables

  func objectNames() throws -> [String] { try texts(CatalogStatements.objectNames) }

  func hasTable(_ name: String) throws -> Bool { try hasRow(CatalogStatements.hasTable, name) }

  func hasTable(inAnyCase name: String) throws -> Bool {
    try hasRow(CatalogStatements.hasTableInAnyCase, name)
  }

  func tables() throws -> [EngineTable] { try rows(CatalogStatements.tables, read: Self.table) }

  func table(inAnyCase name: String) throws -> EngineTable? {
    try rows(CatalogStatements.tableInAnyCase, name, read: Self.table).last
  }

  private static func table(_ row: PostgresStatement) -> EngineTable {
    EngineTable(
      name: row.text(at: 0),
      kind: EngineTable.Kind(rawValue: row.text(at: 1)) ?? .virtual,
      isInternal: false
    )
  }

  /// Returns nil: the dialect has no ``Dialect/rowKeyColumn``, so nobody asks.
  func rowKeyRefusal(ofTable name: String) throws -> String? { nil }

  func tables(referredToBy table: String) throws -> [String] {
    try texts(CatalogStatements.references, table)
  }

  // MARK: Columns

  func columns(of table: String) throws -> [EngineColumn] {
    try rows(CatalogStatements.columns, table) { row in
      EngineColumn(
        name: row.text(at: 0),
        type: Self.sharedType(row.text(at: 1)),
        isNotNull: row.int64(at: 2) != 0,
        keyPosition: row.isNull(at: 3) ? nil : Int(clamping: row.int64(at: 3)),
        defaultText: row.isNull(at: 4) ? nil : row.text(at: 4)
      )
    }
  }

  /// Returns a type by the word that all engines share; another one by the server's own.
  private static func sharedType(_ type: String) -> String {
    switch type {
    case "bigint": "INTEGER"
    case "double precision": "REAL"
    case "text": "TEXT"
    case "bytea", "uuid": "BLOB"
    case WireType.anyName: ""
    default: type
    }
  }

  func storedColumns(of table: String) throws -> [EngineColumn] { try columns(of: table) }

  func columnsOfAllTables() throws -> [(table: String, column: String)] {
    try rows(CatalogStatements.allColumns) { (table: $0.text(at: 0), column: $0.text(at: 1)) }
  }

  func comparesDecimals(column: String, of table: String) throws -> Bool? {
    try rows(CatalogStatements.isNumeric, table, column) { $0.int64(at: 0) != 0 }.first
  }

  // MARK: Indexes

  func hasIndex(_ name: String) throws -> Bool { try hasRow(CatalogStatements.hasIndex, name) }

  func indexes(of table: String) throws -> [EngineIndex] {
    var indexes: [EngineIndex] = []
    try each(CatalogStatements.indexTerms, [table]) { row in
      if row.int64(at: 6) == 1 {
        indexes.append(
          EngineIndex(
            name: row.text(at: 0),
            isUnique: row.int64(at: 1) != 0,
            isPartial: row.int64(at: 2) != 0
          )
        )
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

  // MARK: Definitions

  func tableDefinitions() throws -> [SchemaObject] {
    try rows(DefinitionStatements.tableDefinitions, read: Self.object)
  }

  func indexDefinitions(of table: String) throws -> [SchemaObject] {
    try rows(CatalogStatements.indexDefinitions, table, read: Self.object)
  }

  func definitions(containing text: String, isTemporary: Bool) throws -> [SchemaObject] {
    try rows(
      isTemporary ? DefinitionStatements.temporaryDefinitions : DefinitionStatements.definitions,
      text,
      read: Self.object
    )
  }

  private static func object(_ row: PostgresStatement) -> SchemaObject {
    SchemaObject(name: row.text(at: 0), definition: row.text(at: 1), number: row.int64(at: 2))
  }

  func temporaryLayoutNumber() throws -> Int64 {
    try rows(DefinitionStatements.temporaryLayoutNumber) { $0.int64(at: 0) }.first ?? 0
  }

  // MARK: Faults

  /// Returns nothing: the server has no check of its files without the extension amcheck.
  func damage() throws -> [String] { [] }

  /// Returns nothing: the server keeps its foreign keys.
  func danglingReferences() throws -> [(table: String, target: String, count: Int64)] { [] }

  // MARK: Reading

  private func each(
    _ sql: String,
    _ arguments: [String],
    _ body: (PostgresStatement) -> Void
  ) throws {
    let statement: PostgresStatement = try connection.cached(sql)
    for (index, argument) in arguments.enumerated() {
      try statement.bind(text: argument, at: Int32(index + 1))
    }
    defer { statement.reset() }
    while try statement.step() { body(statement) }
  }

  private func rows<Row>(
    _ sql: String,
    _ arguments: String...,
    read: (PostgresStatement) -> Row
  ) throws -> [Row] {
    var rows: [Row] = []
    try each(sql, arguments) { rows.append(read($0)) }
    return rows
  }

  private func texts(_ sql: String, _ argument: String? = nil) throws -> [String] {
    var texts: [String] = []
    try each(sql, argument.map { [$0] } ?? []) { texts.append($0.text(at: 0)) }
    return texts
  }

  private func hasRow(_ sql: String, _ name: String) throws -> Bool {
    try !rows(sql, name) { _ in true }.isEmpty
  }
}
#endif
