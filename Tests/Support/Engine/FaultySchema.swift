import NacreEngine

/// The schema of a connection at which the tests let calls fail or wait.
struct FaultySchema: EngineSchema {
  let base: any EngineSchema
  let connection: FaultyConnection

  private func read<T>(_ body: () throws -> T) throws -> T {
    try connection.perform(.step("schema"), body)
  }

  func objectNames() throws -> [String] { try read { try base.objectNames() } }
  func hasTable(_ name: String) throws -> Bool { try read { try base.hasTable(name) } }
  func hasTable(inAnyCase name: String) throws -> Bool {
    try read { try base.hasTable(inAnyCase: name) }
  }
  func tables() throws -> [EngineTable] { try read { try base.tables() } }
  func table(inAnyCase name: String) throws -> EngineTable? {
    try read { try base.table(inAnyCase: name) }
  }
  func rowKeyRefusal(ofTable name: String) throws -> String? {
    try read { try base.rowKeyRefusal(ofTable: name) }
  }
  func tables(referredToBy table: String) throws -> [String] {
    try read { try base.tables(referredToBy: table) }
  }

  func columns(of table: String) throws -> [EngineColumn] {
    try read { try base.columns(of: table) }
  }
  func storedColumns(of table: String) throws -> [EngineColumn] {
    try read { try base.storedColumns(of: table) }
  }
  func columnsOfAllTables() throws -> [(table: String, column: String)] {
    try read { try base.columnsOfAllTables() }
  }
  func comparesDecimals(column: String, of table: String) throws -> Bool? {
    try read { try base.comparesDecimals(column: column, of: table) }
  }

  func hasIndex(_ name: String) throws -> Bool { try read { try base.hasIndex(name) } }
  func indexes(of table: String) throws -> [EngineIndex] {
    try read { try base.indexes(of: table) }
  }

  func tableDefinitions() throws -> [SchemaObject] { try read { try base.tableDefinitions() } }
  func indexDefinitions(of tables: [String]) throws -> [(table: String, index: SchemaObject)] {
    try read { try base.indexDefinitions(of: tables) }
  }
  func definitions(containing text: String, isTemporary: Bool) throws -> [SchemaObject] {
    try read { try base.definitions(containing: text, isTemporary: isTemporary) }
  }
  func temporaryLayoutNumber() throws -> Int64 { try read { try base.temporaryLayoutNumber() } }

  func damage() throws -> [String] { try read { try base.damage() } }
  func danglingReferences() throws -> [(table: String, target: String, count: Int64)] {
    try read { try base.danglingReferences() }
  }
}
