import NacreCore

extension Database {
  /// Whether there is a table with that name, in any case.
  func hasTable(_ name: String) throws -> Bool {
    try NacreError.wrapping { try connection.schema.hasTable(inAnyCase: name) }
  }

  /// The application's own tables by name, each with the statement that created it; without those of
  /// SQLite, of the store, of entities and of the versions.
  func ownTables() throws -> [SchemaObject] {
    try NacreError.wrapping {
      let tables = try connection.schema.tableDefinitions().filter { table in
        !SQLText.isReserved(table: table.name)
          && SQLName(table.name) != SQLName(DAOTableSQL.versionsTable)
      }
      return try connection.withoutEntities(tables) { $0.name }
    }
  }

  /// The one of these tables that has a name, in any case; nil if there is none.
  func ownTable(_ name: String) throws -> SchemaObject? {
    try ownTables().first { SQLName($0.name) == SQLName(name) }
  }

  /// Deletes a table, and the catalog's notes on its columns; returns whether there was one.
  ///
  /// - Throws: `noTableName` for an entity's table and the store's own.
  func takeAway(table: String) throws -> Bool {
    let isThere = try hasTable(table)
    if isThere, try ownTable(table) == nil {
      throw NacreError.dao(.noTableName, "“\(table)” is an entity's table or the store's own")
    }
    try run(MigrationSQL.dropTable(table))
    try forgetDAO(table: table)
    return isThere
  }
}
