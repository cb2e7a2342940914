#if PostgreSQL
import NacreEngine

/// Reads the schema in which a connection's tables are.
struct PostgresSchema: EngineSchema {
  private let catalog: CatalogReader

  init(connection: PostgresConnection) { catalog = CatalogReader(connection) }

  // MARK: Tables

  func objectNames() throws -> [String] { try catalog.texts(CatalogStatements.objectNames) }

  func hasTable(_ name: String) throws -> Bool {
    try catalog.hasRow(CatalogStatements.hasTable, name)
  }

  func hasTable(inAnyCase name: String) throws -> Bool {
    try catalog.hasRow(CatalogStatements.hasTableInAnyCase, name)
  }

  func tables() throws -> [EngineTable] { try catalog.tables(CatalogStatements.tables) }

  func table(inAnyCase name: String) throws -> EngineTable? {
    try catalog.tables(CatalogStatements.tableInAnyCase, name).last
  }

  /// Returns nil: the dialect has no ``Dialect/rowKeyColumn``, so nobody asks.
  func rowKeyRefusal(ofTable name: String) throws -> String? { nil }

  func tables(referredToBy table: String) throws -> [String] {
    try catalog.texts(CatalogStatements.references, table)
  }

  // MARK: Columns

  func columns(of table: String) throws -> [EngineColumn] {
    var columns = try catalog.columns(CatalogStatements.columns, of: table)
    for index in columns.indices { columns[index].type = Self.sharedType(columns[index].type) }
    return columns
  }

  /// Returns a type by the word that all engines share; another one by the server's own.
  private static func sharedType(_ type: String) -> String {
    switch type {
    case "bigint": "INTEGER"
    case "double precision": "REAL"
    case "text", ServerFunctions.decimalType: "TEXT"
    case "bytea", "uuid": "BLOB"
    case WireType.anyName: ""
    default: type
    }
  }

  func storedColumns(of table: String) throws -> [EngineColumn] { try columns(of: table) }

  func columnsOfAllTables() throws -> [(table: String, column: String)] {
    try catalog.columnsOfTables(CatalogStatements.allColumns)
  }

  func comparesDecimals(column: String, of table: String) throws -> Bool? {
    try catalog.integer(CatalogStatements.isNumeric, table, column).map { $0 != 0 }
  }

  // MARK: Indexes

  func hasIndex(_ name: String) throws -> Bool {
    try catalog.hasRow(CatalogStatements.hasIndex, name)
  }

  func indexes(of table: String) throws -> [EngineIndex] {
    try catalog.indexes(CatalogStatements.indexTerms, of: table)
  }

  // MARK: Definitions

  func tableDefinitions() throws -> [SchemaObject] {
    try catalog.objects(DefinitionStatements.tableDefinitions)
  }

  func indexDefinitions(of tables: [String]) throws -> [(table: String, index: SchemaObject)] {
    guard let names = ArrayText(tables.map { .text($0) }) else { return [] }
    return try catalog.indexDefinitions(CatalogStatements.indexDefinitions, of: names.text)
  }

  func definitions(containing text: String, isTemporary: Bool) throws -> [SchemaObject] {
    guard isTemporary else { return try catalog.objects(DefinitionStatements.definitions, text) }
    // Few sessions have temporary tables, and to plan the statement takes the server milliseconds.
    guard try catalog.hasRow(DefinitionStatements.hasTemporarySchema) else { return [] }
    return try catalog.objects(DefinitionStatements.temporaryDefinitions, text)
  }

  func temporaryLayoutNumber() throws -> Int64 {
    try catalog.integer(DefinitionStatements.temporaryLayoutNumber) ?? 0
  }

  // MARK: Faults

  /// Returns nothing: the server has no check of its files without the extension amcheck.
  func damage() throws -> [String] { [] }

  /// Returns nothing: the server keeps its foreign keys.
  func danglingReferences() throws -> [(table: String, target: String, count: Int64)] { [] }
}
#endif
