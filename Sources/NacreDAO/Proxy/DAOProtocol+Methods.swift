// The same for the DAO's methods.

extension DAOProtocol {
  /// Calls the method of that id and number of arguments, in one transaction.
  ///
  /// - Parameters:
  ///   - id: the method's id in the configuration.
  ///   - arguments: its arguments in order; nil is NULL.
  /// - Returns: what a select gives, or how the call ended; a call that failed has changed nothing.
  @discardableResult
  public func call(_ id: String, _ arguments: [Any?] = []) -> DAOResult { dao.call(id, arguments) }

  /// Begins, commits or rolls back a transaction over several calls, also of other DAOs and entities of the same file.
  ///
  /// - Parameter transaction: what to do; commit and rollback come on the thread that began.
  /// - Returns: whether it was done.
  @available(*, noasync, message: "a task can go on on another thread; use store.write { }")
  @discardableResult
  public func daoTransaction(_ transaction: DAOTransaction) -> DAOResult {
    dao.daoTransaction(transaction)
  }

  /// Deletes the DAO's table, and forgets its version; the next call makes it anew.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable() -> DAOResult { dao.deleteTable() }

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
    dao.deleteTables(withRegex: pattern, autovacuum: autovacuum, progress: progress)
  }

  /// Gives the file's free pages back.
  ///
  /// - Returns: whether it was done; not inside of a transaction.
  @discardableResult
  public func vacuumDatabase() -> DAOResult { dao.vacuumDatabase() }

  /// Opens one more connection for selects ahead of time, so that selects at the same time find one each.
  ///
  /// - Parameter seconds: for how long at least a connection is idle before it is closed; 0 is a minute.
  /// - Returns: whether it was done.
  @discardableResult
  public func prepareParallelConnection(autoclose seconds: Double = 0) -> DAOResult {
    dao.prepareParallelConnection(autoclose: seconds)
  }
}

// MARK: - Async

extension DAOProtocol {
  /// Calls the method of that id and number of arguments, in one transaction.
  ///
  /// - Parameters:
  ///   - id: the method's id in the configuration.
  ///   - arguments: its arguments in order; nil is NULL.
  /// - Returns: what a select gives, or how the call ended; a call that failed has changed nothing.
  @discardableResult
  public func call(_ id: String, _ arguments: sending [Any?] = []) async -> sending DAOResult {
    await dao.call(id, arguments)
  }

  /// Deletes the DAO's table, and forgets its version; the next call makes it anew.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable() async -> sending DAOResult { await dao.deleteTable() }

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
    progress: (@Sendable (Double) -> Void)? = nil
  ) async -> sending DAOResult {
    await dao.deleteTables(withRegex: pattern, autovacuum: autovacuum, progress: progress)
  }

  /// Gives the file's free pages back.
  ///
  /// - Returns: whether it was done; not inside of a transaction.
  @discardableResult
  public func vacuumDatabase() async -> sending DAOResult { await dao.vacuumDatabase() }

  /// Opens one more connection for selects ahead of time, so that selects at the same time find one each.
  ///
  /// - Parameter seconds: for how long at least a connection is idle before it is closed; 0 is a minute.
  /// - Returns: whether it was done.
  @discardableResult
  public func prepareParallelConnection(
    autoclose seconds: Double = 0
  ) async -> sending DAOResult {
    await dao.prepareParallelConnection(autoclose: seconds)
  }
}
