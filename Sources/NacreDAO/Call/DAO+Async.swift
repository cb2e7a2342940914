import NacreCore

// The async twins: they run on threads that no task is waiting for.

extension DAO {
  /// Calls the method of that id and number of arguments, in one transaction.
  ///
  /// - Parameters:
  ///   - id: the method's id in the configuration.
  ///   - arguments: its arguments in order; nil is NULL.
  /// - Returns: what a select gives, or how the call ended; a call that failed has changed nothing.
  @discardableResult
  public func call(_ id: String, _ arguments: sending [Any?] = []) async -> sending DAOResult {
    nonisolated(unsafe) let given = arguments
    return await offTask { self.call(id, given) }
  }

  /// Deletes the DAO's table, and forgets its version; the next call makes it anew.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable() async -> sending DAOResult { await offTask { self.deleteTable() } }

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
    await offTask {
      self.deleteTables(withRegex: pattern, autovacuum: autovacuum, progress: progress)
    }
  }

  /// Gives the file's free pages back.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func vacuumDatabase() async -> sending DAOResult {
    await offTask { self.vacuumDatabase() }
  }

  /// Opens a connection for selects ahead of time, so that the next one finds it open.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  public func prepareParallelConnection() async -> sending DAOResult {
    await offTask { self.prepareParallelConnection() }
  }

  private func offTask(_ body: @escaping @Sendable () -> DAOResult) async -> sending DAOResult {
    do {
      return try await Store.onThread {
        // Made on that thread, and handed over.
        nonisolated(unsafe) let result = body()
        return result
      }
    } catch {
      return DAOResult(error: error)
    }
  }
}
