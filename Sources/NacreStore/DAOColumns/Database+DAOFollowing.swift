import NacreCrypto
import NacreEngine

// The catalog follows when SQL renames, drops or copies columns of DAOs.

extension Database {
  /// Finds the columns with a DAO's values under some keys that the catalog does not have; it
  /// writes nothing.
  ///
  /// - Parameters:
  ///   - keys: Picks the keys from the ring.
  ///   - ignored: Columns to leave out if no rotation reaches their values, because somebody has
  ///     planted them.
  /// - Returns: The columns; empty, without a search, if the catalog has never had a column of a
  ///   DAO.
  /// - Throws: `storeLocked`; the errors of reading.
  package func daoStrays(
    naming keys: (KeyRing) -> [KeyRecord],
    ignoring ignored: [StoredColumn]
  ) throws -> [DAOStray] {
    try refuseForeignCatalog()
    guard try knowsDAO() else { return [] }
    let ring = try home.followedRing(on: self)
    let strays = try DAOSearch(naming: keys(ring), ring: ring, on: connection).strays()
    return strays.filter { !$0.isOutOfReach || !ignored.names($0.column) }
  }

  /// Returns new catalog entries for those columns, which it searches in all of the application's
  /// tables.
  ///
  /// - Parameters:
  ///   - keys: Picks the keys from the ring.
  ///   - ignored: The same as for `daoStrays`.
  /// - Returns: The columns.
  /// - Throws: `unsuitableColumn`, with table and column, for values that no rotation reaches.
  package func unknownDAO(
    naming keys: (KeyRing) -> [KeyRecord],
    ignoring ignored: [StoredColumn]
  ) throws -> [DAOColumn] {
    try daoStrays(naming: keys, ignoring: ignored).map { try $0.noted() }
  }

  /// Makes sure that the catalog has every column with a DAO's values under keys that are being
  /// given up.
  ///
  /// Call it in the transaction that gives them up, or before.
  ///
  /// - Parameter columns: The columns that the catalog lacks, in the state in which the transaction
  ///   began.
  /// - Throws: The errors of reading and writing.
  func followDAO(_ columns: [DAOColumn]) throws {
    try forgetGoneDAO()
    for noted in columns { try noteDAO(noted) }
  }

  /// A value that changes with every change of the schema.
  package var shape: Int64 {
    get throws { try NacreError.wrapping { try connection.layoutNumber() } }
  }

  /// Updates the catalog after an upgrade of a DAO's table, in the transaction of the upgrade.
  ///
  /// It ignores values that no rotation reaches; the next rotation reports them.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - former: The value of `shape` before the upgrade.
  /// - Throws: ``NacreError``.
  package func followDAO(table: String, from former: Int64) throws {
    try NacreError.wrapping {
      guard try knowsDAO() else { return }
      let isLookedAt = try home.keys.isUnlocked && isDAOTable(table)
      let search = try isLookedAt ? daoSearch(table) : nil
      let columns = try search?.strays(ofUpgraded: table).compactMap { stray -> DAOColumn? in
        guard case .values(let place) = stray.finding else { return nil }
        return stray.noted(as: place)
      }
      try forgetGoneDAO(of: table)
      // Other connections look at the catalog again only if the schema has changed.
      if try shape != former { try forget(emptyDAO(of: table)) }
      // Forget all of them before noting any, because columns may have swapped places.
      for noted in columns ?? [] { try forgetDAO(noted) }
      for noted in columns ?? [] { try noteDAO(noted) }
    }
  }

  /// Removes columns that are no longer in the file from the catalog, which remembers their classes
  /// and properties.
  ///
  /// - Parameter table: The only table to look at; nil for all tables.
  /// - Throws: The errors of reading and writing.
  package func forgetGoneDAO(of table: String? = nil) throws {
    try forget(goneDAO(of: table))
  }

  private func forget(_ gone: [(String, String)]) throws {
    if gone.isEmpty { return }
    for (entity, column) in gone {
      try changeCatalog(DAOSQL.remember(connection.dialect), [.text(entity)])
      try changeCatalog(CatalogSQL.deleteProperty, [.text(entity), .text(column)])
    }
    try changeCatalog(DAOSQL.deleteEmpty)
    try noteDAOChange()
  }

  /// Returns the entity and property of each column of a DAO in the catalog that is no longer in
  /// the file.
  func goneDAO(of table: String? = nil) throws -> [(String, String)] {
    try NotedDAOColumn.all(of: table, on: connection).filter { $0.column != nil && !$0.isInFile }
      .map { ($0.entity, $0.name) }
  }

  /// Returns the entity and property of each column of a table in the catalog that holds nothing.
  ///
  /// An upgrade may have given the name of one to another column, which is noted again when a value
  /// is stored there.
  private func emptyDAO(of table: String) throws -> [(String, String)] {
    try NotedDAOColumn.all(of: table, on: connection).compactMap { noted in
      guard let column = noted.column, noted.isInFile else { return nil }
      let sql = RotationSQL.hasValue(table: noted.table, columns: [column])
      return try scalar(sql) == .integer(0) ? (noted.entity, noted.name) : nil
    }
  }

  /// Returns whether the catalog has, or had, a column of a DAO.
  package func knowsDAO() throws -> Bool { try scalar(DAOSQL.isKnown) == .integer(1) }

  private func isDAOTable(_ table: String) throws -> Bool {
    guard let found = try FoundTable(table, on: connection) else { return false }
    return try connection.applicationTables().contains { $0.hasSameBytes(as: found.name) }
  }

  private func daoSearch(_ table: String) throws -> DAOSearch {
    let ring = try home.followedRing(on: self)
    return try DAOSearch(naming: ring.keys, ring: ring, table: table, on: connection)
  }

  private func forgetDAO(_ noted: DAOColumn) throws {
    let entity = CatalogEntity.daoName(ofTable: noted.table)
    try changeCatalog(DAOSQL.remember(connection.dialect), [.text(entity)])
    try changeCatalog(DAOSQL.deleteColumn, [.text(entity), .text(noted.column)])
    try noteDAOChange()
  }
}

extension Store {
  /// Makes sure that the catalog has every column with a DAO's values under keys that will be given
  /// up.
  ///
  /// - Parameters:
  ///   - keys: Picks the keys from the ring.
  ///   - ignored: Columns in which values that no rotation reaches are left as they are.
  /// - Throws: `unsuitableColumn`, with table and column, for values that no rotation reaches.
  package func followDAO(
    naming keys: (KeyRing) -> [KeyRecord],
    ignoring ignored: [StoredColumn]
  ) throws {
    try write(afterLookFor: keys) {
      try $0.unknownDAO(naming: keys, ignoring: ignored)
    } _: {
      try $0.followDAO($1)
    }
  }
}
