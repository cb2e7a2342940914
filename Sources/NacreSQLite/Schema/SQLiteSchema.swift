import CSQLite
import NacreEngine

/// Reads the schema of a connection's file.
struct SQLiteSchema: EngineSchema {
  let connection: Connection

  // MARK: Tables

  func objectNames() throws -> [String] { try texts(SchemaStatements.objectNames) }

  func hasTable(_ name: String) throws -> Bool { try hasRow(SchemaStatements.hasTable, name) }

  func hasTable(inAnyCase name: String) throws -> Bool {
    try hasRow(SchemaStatements.hasTableInAnyCase, name)
  }

  func tables() throws -> [EngineTable] { try rows(SchemaStatements.tables, read: Self.table) }

  func table(inAnyCase name: String) throws -> EngineTable? {
    try rows(SchemaStatements.tableInAnyCase, name, read: Self.table).last
  }

  private static func table(_ row: Statement) -> EngineTable {
    EngineTable(
      name: row.text(at: 0),
      kind: EngineTable.Kind(rawValue: row.text(at: 1)) ?? .virtual,
      isInternal: row.int64(at: 2) != 0
    )
  }

  func rowKeyRefusal(ofTable name: String) throws -> String? {
    let found = try rows(SchemaStatements.lacksRowID, name) { row in
      (isWithout: row.int64(at: 0) != 0, isHidden: row.int64(at: 1) != 0)
    }
    guard let found = found.last else { return nil }
    if found.isWithout { return "it is WITHOUT ROWID" }
    return found.isHidden ? "it has a column _rowid_" : nil
  }

  func tables(referredToBy table: String) throws -> [String] {
    try texts(SchemaStatements.references, table)
  }

  // MARK: Columns

  func columns(of table: String) throws -> [EngineColumn] {
    try rows(SchemaStatements.columns, table, read: Self.column)
  }

  func storedColumns(of table: String) throws -> [EngineColumn] {
    try rows(SchemaStatements.storedColumns, table, read: Self.column)
  }

  private static func column(_ row: Statement) -> EngineColumn {
    let position = Int(clamping: row.int64(at: 3))
    return EngineColumn(
      name: row.text(at: 0),
      type: row.text(at: 1),
      isNotNull: row.int64(at: 2) != 0,
      keyPosition: position > 0 ? position : nil,
      defaultText: row.storageClass(at: 4) == .null ? nil : row.text(at: 4)
    )
  }

  func columnsOfAllTables() throws -> [(table: String, column: String)] {
    try rows(SchemaStatements.allColumns) { (table: $0.text(at: 0), column: $0.text(at: 1)) }
  }

  func comparesDecimals(column: String, of table: String) throws -> Bool? {
    let collation = try connection.collation(ofColumn: column, table: table)
    return collation.map { sqlite3_stricmp($0, EngineCollation.decimals) == 0 }
  }

  // MARK: Indexes

  func hasIndex(_ name: String) throws -> Bool { try hasRow(SchemaStatements.hasIndex, name) }

  func indexes(of table: String) throws -> [EngineIndex] {
    var indexes: [EngineIndex] = []
    try each(SchemaStatements.indexTerms, table) { row in
      if row.int64(at: 6) == 0 {
        let (isUnique, isPartial) = (row.int64(at: 1) != 0, row.int64(at: 2) != 0)
        indexes.append(
          EngineIndex(name: row.text(at: 0), isUnique: isUnique, isPartial: isPartial)
        )
      }
      let term = EngineIndex.Term(
        column: row.storageClass(at: 3) == .null ? nil : row.text(at: 3),
        collation: row.text(at: 4),
        isDescending: row.int64(at: 5) != 0
      )
      indexes[indexes.count - 1].terms.append(term)
    }
    return indexes
  }

  // MARK: Definitions

  func tableDefinitions() throws -> [SchemaObject] {
    try rows(SchemaStatements.tableDefinitions, read: Self.object)
  }

  func indexDefinitions(of table: String) throws -> [SchemaObject] {
    try rows(SchemaStatements.indexDefinitions, table, read: Self.object)
  }

  func definitions(containing text: String, isTemporary: Bool) throws -> [SchemaObject] {
    try rows(
      isTemporary ? SchemaStatements.temporaryDefinitions : SchemaStatements.definitions,
      text,
      read: Self.object
    )
  }

  private static func object(_ row: Statement) -> SchemaObject {
    SchemaObject(name: row.text(at: 0), definition: row.text(at: 1), number: row.int64(at: 2))
  }

  func temporaryLayoutNumber() throws -> Int64 {
    try rows(SchemaStatements.temporaryLayoutNumber) { $0.int64(at: 0) }.first ?? 0
  }

  // MARK: Faults

  func damage() throws -> [String] {
    var lines: [String] = []
    do {
      try each(SchemaStatements.integrity) { row in
        let line = row.text(at: 0)
        if line != "ok" { lines.append(line) }
      }
    } catch let error as SQLiteError where error.kind == .corrupt {
      lines.append(error.message)
    }
    return lines
  }

  func danglingReferences() throws -> [(table: String, target: String, count: Int64)] {
    try rows(SchemaStatements.danglingReferences) { row in
      (table: row.text(at: 0), target: row.text(at: 1), count: row.int64(at: 2))
    }
  }

  // MARK: Reading

  private func each(_ sql: String, _ argument: String? = nil, _ body: (Statement) -> Void) throws {
    let statement: Statement = try connection.cached(sql)
    if let argument { try statement.bind(text: argument, at: 1) }
    defer { statement.reset() }
    while try statement.step() { body(statement) }
  }

  private func rows<Row>(
    _ sql: String,
    _ argument: String? = nil,
    read: (Statement) -> Row
  ) throws -> [Row] {
    var rows: [Row] = []
    try each(sql, argument) { rows.append(read($0)) }
    return rows
  }

  private func texts(_ sql: String, _ argument: String? = nil) throws -> [String] {
    try rows(sql, argument) { $0.text(at: 0) }
  }

  private func hasRow(_ sql: String, _ name: String) throws -> Bool {
    try !rows(sql, name) { _ in true }.isEmpty
  }
}
