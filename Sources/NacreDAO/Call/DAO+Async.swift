import NacreCore

// The async twins run on threads that no task is waiting for.

extension DAOBacked {
  /// Calls the method with that id and number of arguments, in one transaction.
  ///
  /// - Parameters:
  ///   - id: the method's id in the configuration.
  ///   - arguments: its arguments in order; nil is NULL.
  /// - Returns: the select's value, or how the call ended. A call that failed has changed no row; a table that it had
  ///   to make or upgrade first stays.
  @discardableResult
  public func call(_ id: String, _ arguments: sending [Any?] = []) async -> sending DAOResult {
    nonisolated(unsafe) let given = arguments
    return await dao.offTask { $0.call(id, given) }
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
  public func deleteTable(named name: String) async -> sending DAOResult {
    await dao.offTask { $0.deleteTable(named: name) }
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

  /// Whether the file has a table with that name, in any case.
  ///
  /// - Throws: ``NacreError``.
  public func tableExists(_ name: String) async throws -> Bool {
    try await Store.onThread { [dao] in try dao.tableExists(name) }
  }

  /// The statements that made the file's tables, by the tables' names; without those of entities and the store's own.
  ///
  /// - Throws: ``NacreError``.
  public func schema() async throws -> [String: String] {
    try await Store.onThread { [dao] in try dao.schema() }
  }

  /// The statement that made a table; nil if no table has that name, and for tables of entities and the store's own.
  ///
  /// - Parameter name: its name, in any case.
  /// - Returns: the statement.
  /// - Throws: ``NacreError``.
  public func schema(ofTable name: String) async throws -> String? {
    try await Store.onThread { [dao] in try dao.schema(ofTable: name) }
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

  /// Gives the file's free pages back.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func vacuumDatabase() async -> sending DAOResult {
    await dao.offTask { $0.vacuumDatabase() }
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
  fileprivate func offTask(
    _ body: @escaping @Sendable (DAO) -> DAOResult
  ) async -> sending DAOResult {
    do {
      return try await Store.onThread {
        // Made on that thread, and handed over.
        nonisolated(unsafe) let result = body(self)
        return result
      }
    } catch {
      return DAOResult(error: error)
    }
  }
}
