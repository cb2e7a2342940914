import NacreCore

// The tables of the file on which a DAO works.

extension DAO {
  /// Makes a DAO with the same configuration on another table, with the same globals, crypt methods and event handler.
  ///
  /// If you work on several tables at once, give each its own DAO; that costs far less than reading the configuration
  /// again.
  ///
  /// - Parameter name: the table's name: letters, digits and underscores.
  /// - Returns: the DAO; what is set on one of the two is not set on the other.
  public func forTable(_ name: String) -> DAO { DAO(self, tableName: name.trimmed) }
}

extension DAOBacked {
  /// Whether the file has a table with that name, in any case.
  ///
  /// - Throws: ``NacreError``.
  public func tableExists(_ name: String) throws -> Bool {
    try dao.source.withStore { store in try store.withReader { try $0.hasTable(name) } }
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
  public func schema() throws -> [String: String] {
    let tables = try dao.source.withStore { store in try store.read { try $0.ownTables() } }
    return Dictionary(
      tables.map { ($0.name, $0.definition) },
      uniquingKeysWith: { first, _ in first }
    )
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
  public func schema(ofTable name: String) throws -> String? {
    try dao.source.withStore { store in try store.read { try $0.ownTable(name)?.definition } }
  }

  /// The statement that made a table; nil if no table has that name, and for tables of entities and the store's own.
  ///
  /// - Parameter name: its name, in any case.
  /// - Returns: the statement.
  /// - Throws: ``NacreError``.
  public func schema(ofTable name: String) async throws -> String? {
    try await Store.onThread { [dao] in try dao.schema(ofTable: name) }
  }
}
