import NacreCore

extension DAOBacked {
  /// Deletes the DAO's table, and forgets its version; the next call makes it anew.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable() -> DAOResult {
    let table = tableName
    guard ReferencePath.isName(table) else {
      let error = NacreError.dao(.noTableName, "there is no table to delete")
      return DAOResult(error: dao.face(error, "deleteTable"))
    }
    return dao.result("deleteTable") { try dao.delete(tables: [table], in: $0) { _ in } }
  }

  /// Deletes the DAO's table, and forgets its version; the next call makes it anew.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable() async -> sending DAOResult { await dao.offTask { $0.deleteTable() } }

  /// Deletes one of the file's tables; entities' tables and the store's own are refused.
  ///
  /// - Parameter name: its name, in any case.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable(named name: String) -> DAOResult {
    dao.result("deleteTableWithName") { store in
      guard let table = try store.read({ try $0.ownTable(name) }) else {
        throw NacreError.dao(.noTableName, "there is no table “\(name)” to delete")
      }
      try dao.delete(tables: [table.name], in: store) { _ in }
    }
  }

  /// Deletes one of the file's tables; entities' tables and the store's own are refused.
  ///
  /// - Parameter name: its name, in any case.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable(named name: String) async -> sending DAOResult {
    await dao.offTask { $0.deleteTable(named: name) }
  }

  /// Deletes every table whose whole name matches a regular expression, except those of entities and the store's own.
  ///
  /// - Parameters:
  ///   - pattern: the regular expression.
  ///   - autovacuum: whether the file's free pages are given back afterwards.
  ///   - progress: receives the part that is done, from 0 to 1.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTables(
    withRegex pattern: String,
    autovacuum: Bool = false,
    progress: ((Double) -> Void)? = nil
  ) -> DAOResult {
    dao.result("deleteTablesWithRegex") { store in
      guard let regex = try? Regex(pattern) else {
        throw NacreError.dao(.badArgument, "the pattern is not a regular expression")
      }
      try dao.deleteTables(of: store, autovacuum, progress) { try regex.wholeMatch(in: $0) != nil }
    }
  }

  /// Deletes every table whose whole name matches a regular expression, except those of entities and the store's own.
  ///
  /// - Parameters:
  ///   - pattern: the regular expression.
  ///   - autovacuum: whether the file's free pages are given back afterwards.
  ///   - progress: receives the part that is done, from 0 to 1.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTables(
    withRegex pattern: String,
    autovacuum: Bool = false,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async -> sending DAOResult {
    await dao.offTask {
      $0.deleteTables(withRegex: pattern, autovacuum: autovacuum, progress: progress)
    }
  }

  /// Deletes every table that a closure picks, except those of entities and the store's own.
  ///
  /// - Parameters:
  ///   - autovacuum: whether the file's free pages are given back afterwards.
  ///   - progress: receives the part that is done, from 0 to 1.
  ///   - isDeleted: says whether to delete the table with that name.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTables(
    autovacuum: Bool = false,
    progress: ((Double) -> Void)? = nil,
    where isDeleted: (_ name: String) throws -> Bool
  ) -> DAOResult {
    dao.result("deleteTablesWithPredicate") { store in
      try dao.deleteTables(of: store, autovacuum, progress, isDeleted)
    }
  }

  /// Deletes every table that a closure picks, except those of entities and the store's own.
  ///
  /// - Parameters:
  ///   - autovacuum: whether the file's free pages are given back afterwards.
  ///   - progress: receives the part that is done, from 0 to 1.
  ///   - isDeleted: says whether to delete the table with that name.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTables(
    autovacuum: Bool = false,
    progress: (@Sendable (Double) -> Void)? = nil,
    where isDeleted: @escaping @Sendable (_ name: String) throws -> Bool
  ) async -> sending DAOResult {
    await dao.offTask {
      $0.deleteTables(autovacuum: autovacuum, progress: progress, where: isDeleted)
    }
  }

  /// Gives the file's free pages back.
  ///
  /// - Returns: whether it was done; it fails inside of a transaction.
  @discardableResult
  public func vacuumDatabase() -> DAOResult {
    dao.result("vacuumDatabase") { try $0.vacuum() }
  }

  /// Gives the file's free pages back.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func vacuumDatabase() async -> sending DAOResult {
    await dao.offTask { $0.vacuumDatabase() }
  }

  /// Opens one more connection for selects ahead of time, so that each of several simultaneous selects finds one.
  ///
  /// There are up to ``StoreOptions/readerLimit`` connections. Connections that nobody needs are closed, and opened
  /// again when somebody needs them.
  ///
  /// - Parameter seconds: the least time for which a connection is idle before it is closed; 0 is a minute.
  /// - Returns: whether it was done.
  @discardableResult
  public func prepareParallelConnection(autoclose seconds: Double = 0) -> DAOResult {
    dao.result("prepareParallelConnection") { store in
      let usual = 60.0
      try store.prepareReader(autoclose: seconds > 0 ? seconds : usual)
    }
  }

  /// Opens one more connection for selects ahead of time, so that each of several simultaneous selects finds one.
  ///
  /// - Parameter seconds: the least time for which a connection is idle before it is closed; 0 is a minute.
  /// - Returns: whether it was done.
  @discardableResult
  public func prepareParallelConnection(
    autoclose seconds: Double = 0
  ) async -> sending DAOResult {
    await dao.offTask { $0.prepareParallelConnection(autoclose: seconds) }
  }
}

extension DAO {
  fileprivate func deleteTables(
    of store: Store,
    _ autovacuum: Bool,
    _ progress: ((Double) -> Void)?,
    _ isDeleted: (String) throws -> Bool
  ) throws {
    let tables = try store.read { try $0.ownTables() }.map(\.name).filter(isDeleted)
    progress?(0)
    // Giving the pages back is about as much work as freeing them.
    let whole = Double(tables.count) * (autovacuum ? 2 : 1)
    try delete(tables: tables, in: store) { progress?(Double($0) / whole) }
    if autovacuum { try store.vacuum() }
    progress?(1)
  }

  fileprivate func delete(
    tables: [String],
    in store: Store,
    _ progress: (Int) -> Void
  ) throws {
    try store.write { database in
      let hasVersions = try database.hasTable(DAOTableSQL.versionsTable)
      var deleted: [String] = []
      for (index, table) in tables.enumerated() {
        if try database.takeAway(table: table) { deleted.append(table) }
        if hasVersions { try database.run(DAOTableSQL.deleteVersion, [.text(table)]) }
        progress(index + 1)
      }
      // Once now for this thread, and again at the commit, when others see it.
      store.noteTableLoss()
      database.onCommit { store.noteTableLoss() }
      database.afterCommit {
        for table in deleted { self.eventHandler?(self, .tableDeleted(table: table)) }
      }
    }
  }

  fileprivate func result(_ name: String, _ body: (Store) throws -> Void) -> DAOResult {
    do {
      try source.withStore(body)
      return DAOResult()
    } catch {
      return DAOResult(error: face(error, name))
    }
  }
}
