// The same for the tables of the file on which the DAO works.

extension DAOProtocol {
  /// The same for another table, with the same globals, crypt methods and event handler.
  ///
  /// - Parameter name: the table's name: letters, digits and underscores.
  /// - Returns: the DAO; what is set on one of the two is not set on the other.
  public func forTable(_ name: String) -> Self { Self(dao: dao.forTable(name)) }

  /// How many rows the last statement of the last call that writes has changed, without what triggers changed.
  ///
  /// Of a `foreach` it is the last element's; 0 before the first call, and where there was nothing to run.
  public var lastChangedRowCount: Int { dao.lastChangedRowCount }

  /// Whether the file has a table of that name, in any case.
  ///
  /// - Throws: ``NacreError``.
  public func tableExists(_ name: String) throws -> Bool { try dao.tableExists(name) }

  /// The statements that made the file's tables, by their names; those of entities and the store's own are left out.
  ///
  /// - Throws: ``NacreError``.
  public func schema() throws -> [String: String] { try dao.schema() }

  /// The statement that made a table; nil where there is none of that name, and for those of entities and the store's own.
  ///
  /// - Parameter name: its name, in any case.
  /// - Returns: the statement.
  /// - Throws: ``NacreError``.
  public func schema(ofTable name: String) throws -> String? { try dao.schema(ofTable: name) }

  /// Deletes one of the file's tables, but none of an entity and none of the store's own.
  ///
  /// - Parameter name: its name, in any case.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable(named name: String) -> DAOResult { dao.deleteTable(named: name) }

  /// Deletes every table that a closure names, but those of entities and the store's own.
  ///
  /// - Parameters:
  ///   - autovacuum: whether the file's free pages are given back afterwards.
  ///   - progress: told the part that is done, from 0 to 1.
  ///   - isDeleted: whether the table of that name is to go.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTables(
    autovacuum: Bool = false,
    progress: ((Double) -> Void)? = nil,
    where isDeleted: (_ name: String) throws -> Bool
  ) -> DAOResult {
    dao.deleteTables(autovacuum: autovacuum, progress: progress, where: isDeleted)
  }
}

// MARK: - Async

extension DAOProtocol {
  /// Whether the file has a table of that name, in any case.
  ///
  /// - Throws: ``NacreError``.
  public func tableExists(_ name: String) async throws -> Bool { try await dao.tableExists(name) }

  /// The statements that made the file's tables, by their names; those of entities and the store's own are left out.
  ///
  /// - Throws: ``NacreError``.
  public func schema() async throws -> [String: String] { try await dao.schema() }

  /// The statement that made a table; nil where there is none of that name, and for those of entities and the store's own.
  ///
  /// - Parameter name: its name, in any case.
  /// - Returns: the statement.
  /// - Throws: ``NacreError``.
  public func schema(ofTable name: String) async throws -> String? {
    try await dao.schema(ofTable: name)
  }

  /// Deletes one of the file's tables, but none of an entity and none of the store's own.
  ///
  /// - Parameter name: its name, in any case.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTable(named name: String) async -> sending DAOResult {
    await dao.deleteTable(named: name)
  }

  /// Deletes every table that a closure names, but those of entities and the store's own.
  ///
  /// - Parameters:
  ///   - autovacuum: whether the file's free pages are given back afterwards.
  ///   - progress: told the part that is done, from 0 to 1.
  ///   - isDeleted: whether the table of that name is to go.
  /// - Returns: whether it was done.
  @discardableResult
  public func deleteTables(
    autovacuum: Bool = false,
    progress: (@Sendable (Double) -> Void)? = nil,
    where isDeleted: @escaping @Sendable (_ name: String) throws -> Bool
  ) async -> sending DAOResult {
    await dao.deleteTables(autovacuum: autovacuum, progress: progress, where: isDeleted)
  }
}
