import NacreCore

extension Database {
  /// Whether there is a table with that name, in any case.
  func hasTable(_ name: String) throws -> Bool {
    try first(DAOTableSQL.hasTable, [.text(name)]) != nil
  }

  /// Deletes a table, and the catalog's notes on its columns; returns whether there was one.
  ///
  /// - Throws: `noTableName` for an entity's table and the store's own.
  func takeAway(table: String) throws -> Bool {
    let isThere = try hasTable(table)
    if isThere, try first(DAOTableSQL.ownTable, [.text(table)]) == nil {
      throw NacreError.dao(.noTableName, "“\(table)” is an entity's table or the store's own")
    }
    try run(DAOTableSQL.drop(table))
    try forgetDAO(table: table)
    return isThere
  }
}
