import NacreCore

extension DAO {
  /// Deletes the DAO's table, and forgets its version; the next call makes it anew.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable() -> DAOResult {
    let table = tableName
    guard ReferencePath.isName(table) else {
      let error = NacreError.dao(.noTableName, "there is no table to delete")
      return DAOResult(error: face(error, "deleteTable"))
    }
    return result("deleteTable") { try delete(tables: [table], in: currentStore()) { _ in } }
  }

  /// Deletes every table whose whole name matches a regular expression, but those of entities and the store's own.
  ///
  /// - Parameters:
  ///   - pattern: the regular expression.
  ///   - autovacuum: whether the file's free pages are given back afterwards.
  ///   - progress: told the part that is done, from 0 to 1.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTables(
    withRegex pattern: String,
    autovacuum: Bool = false,
    progress: ((Double) -> Void)? = nil
  ) -> DAOResult {
    result("deleteTablesWithRegex") {
      guard let regex = try? Regex(pattern) else {
        throw NacreError.dao(.badArgument, "the pattern is no regular expression")
      }
      let store = try currentStore()
      let names = try store.read { try $0.query(DAOTableSQL.ownTables) }
        .compactMap { row in
          if case .text(let name) = row.first { name } else { nil }
        }
      let tables = try names.filter { try regex.wholeMatch(in: $0) != nil }
      progress?(0)
      // To give back the pages is about as much work as to free them.
      let whole = Double(tables.count) * (autovacuum ? 2 : 1)
      try delete(tables: tables, in: store) { progress?(Double($0) / whole) }
      if autovacuum { try store.vacuum() }
      progress?(1)
    }
  }

  private func delete(
    tables: [String],
    in store: Store,
    _ progress: (Int) -> Void
  ) throws {
    try store.write { database in
      let hasVersions =
        try database.first(
          DAOTableSQL.hasTable,
          [.text(DAOTableSQL.versionsTable)]
        ) != nil
      for (index, table) in tables.enumerated() {
        try database.run(DAOTableSQL.drop(table))
        try database.forgetDAO(table: table)
        if hasVersions { try database.run(DAOTableSQL.deleteVersion, [.text(table)]) }
        progress(index + 1)
      }
      // Now for this thread, and again when others see it.
      store.noteTableLoss()
      database.onCommit { store.noteTableLoss() }
    }
    for table in tables { eventHandler?(self, .tableDeleted(table: table)) }
  }

  /// Gives the file's free pages back.
  ///
  /// - Returns: whether it was done; not inside of a transaction.
  @discardableResult
  public func vacuumDatabase() -> DAOResult {
    result("vacuumDatabase") { try currentStore().vacuum() }
  }

  /// Opens a connection for selects ahead of time, so that the next one finds it open.
  ///
  /// The store keeps up to ``StoreOptions/readerLimit`` connections and closes them when it is closed.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func prepareParallelConnection() -> DAOResult {
    result("prepareParallelConnection") { try currentStore().warmReader() }
  }

  private func result(_ name: String, _ body: () throws -> Void) -> DAOResult {
    do {
      try body()
      return DAOResult()
    } catch {
      return DAOResult(error: face(error, name))
    }
  }
}
