import CSQLite
import NacreEngine

/// Reads the schema of a connection's file.
struct SQLiteSchema: EngineSchema {
  private let connection: Connection
  private let catalog: CatalogReader

  init(connection: Connection) {
    self.connection = connection
    catalog = CatalogReader(connection)
  }

  // MARK: Tables

  func objectNames() throws -> [String] { try catalog.texts(SchemaStatements.objectNames) }

  func hasTable(_ name: String) throws -> Bool {
    try catalog.hasRow(SchemaStatements.hasTable, name)
  }

  func hasTable(inAnyCase name: String) throws -> Bool {
    try catalog.hasRow(SchemaStatements.hasTableInAnyCase, name)
  }

  func tables() throws -> [EngineTable] { try catalog.tables(SchemaStatements.tables) }

  func table(inAnyCase name: String) throws -> EngineTable? {
    try catalog.tables(SchemaStatements.tableInAnyCase, name).last
  }

  func rowKeyRefusal(ofTable name: String) throws -> String? {
    let found = try catalog.rows(SchemaStatements.lacksRowID, [name]) { row in
      (isWithout: row.int64(at: 0) != 0, isHidden: row.int64(at: 1) != 0)
    }
    guard let found = found.last else { return nil }
    if found.isWithout { return "it is WITHOUT ROWID" }
    return found.isHidden ? "it has a column _rowid_" : nil
  }

  func tables(referredToBy table: String) throws -> [String] {
    try catalog.texts(SchemaStatements.references, table)
  }

  // MARK: Columns

  func columns(of table: String) throws -> [EngineColumn] {
    try catalog.columns(SchemaStatements.columns, of: table)
  }

  func storedColumns(of table: String) throws -> [EngineColumn] {
    try catalog.columns(SchemaStatements.storedColumns, of: table)
  }

  func columnsOfAllTables() throws -> [(table: String, column: String)] {
    try catalog.columnsOfTables(SchemaStatements.allColumns)
  }

  func comparesDecimals(column: String, of table: String) throws -> Bool? {
    let collation = try connection.collation(ofColumn: column, table: table)
    return collation.map { sqlite3_stricmp($0, EngineCollation.decimals) == 0 }
  }

  // MARK: Indexes

  func hasIndex(_ name: String) throws -> Bool {
    try catalog.hasRow(SchemaStatements.hasIndex, name)
  }

  func indexes(of table: String) throws -> [EngineIndex] {
    try catalog.indexes(SchemaStatements.indexTerms, of: table)
  }

  // MARK: Definitions

  func tableDefinitions() throws -> [SchemaObject] {
    try catalog.objects(SchemaStatements.tableDefinitions)
  }

  func indexDefinitions(of tables: [String]) throws -> [(table: String, index: SchemaObject)] {
    try tables.sorted().flatMap { table in
      try catalog.objects(SchemaStatements.indexDefinitions, table)
        .map { (table: table, index: $0) }
    }
  }

  func definitions(containing text: String, isTemporary: Bool) throws -> [SchemaObject] {
    try catalog.objects(
      isTemporary ? SchemaStatements.temporaryDefinitions : SchemaStatements.definitions,
      text
    )
  }

  func temporaryLayoutNumber() throws -> Int64 {
    try catalog.integer(SchemaStatements.temporaryLayoutNumber) ?? 0
  }

  // MARK: Faults

  func damage() throws -> [String] {
    var lines: [String] = []
    do {
      try catalog.each(SchemaStatements.integrity) { row in
        let line = row.text(at: 0)
        if line != "ok" { lines.append(line) }
      }
    } catch let error as SQLiteError where error.kind == .corrupt {
      lines.append(error.message)
    }
    return lines
  }

  func danglingReferences() throws -> [(table: String, target: String, count: Int64)] {
    try catalog.rows(SchemaStatements.danglingReferences) { row in
      (table: row.text(at: 0), target: row.text(at: 1), count: row.int64(at: 2))
    }
  }
}
