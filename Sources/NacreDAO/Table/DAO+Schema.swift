import NacreCore

// The tables of the file on which a DAO works.

extension DAO {
  /// A DAO of the same configuration on another table, with the same globals, crypt methods and event handler.
  ///
  /// Where several tables are worked on at once each has a DAO of its own; that costs far less than to read the
  /// configuration again.
  ///
  /// - Parameter name: the table's name: letters, digits and underscores.
  /// - Returns: the DAO; what is set on one of the two is not set on the other.
  public func forTable(_ name: String) -> DAO { DAO(self, tableName: name.trimmed) }
}

extension DAOBacked {
  /// Whether the file has a table of that name, in any case.
  ///
  /// - Throws: ``NacreError``.
  public func tableExists(_ name: String) throws -> Bool {
    try dao.source.withStore { store in try store.withReader { try $0.hasTable(name) } }
  }

  /// The statements that made the file's tables, by their names; those of entities and the store's own are left out.
  ///
  /// - Throws: ``NacreError``.
  public func schema() throws -> [String: String] {
    let tables = try dao.source.withStore { try dao.schema(of: $0) }
    return Dictionary(tables, uniquingKeysWith: { first, _ in first })
  }

  /// The statement that made a table; nil where there is none of that name, and for those of entities and the store's own.
  ///
  /// - Parameter name: its name, in any case.
  /// - Returns: the statement.
  /// - Throws: ``NacreError``.
  public func schema(ofTable name: String) throws -> String? {
    try dao.source.withStore { try dao.ownTable(name, of: $0)?.sql }
  }
}

extension DAO {
  /// The names of the file's tables but those of entities and the store's own, in alphabetical order.
  func ownTables(of store: Store) throws -> [String] { try schema(of: store).map(\.name) }

  /// The one of these tables that has a name in any case; nil where there is none.
  func ownTable(_ name: String, of store: Store) throws -> (name: String, sql: String)? {
    try store.read { try $0.query(DAOTableSQL.ownTable, name) }.compactMap(Self.table).first
  }

  fileprivate func schema(of store: Store) throws -> [(name: String, sql: String)] {
    try store.read { try $0.query(DAOTableSQL.ownSchema) }.compactMap(Self.table)
  }

  private static func table(_ row: [Value]) -> (name: String, sql: String)? {
    guard case .text(let name) = row[0], case .text(let sql) = row[1] else { return nil }
    return (name, sql)
  }
}
