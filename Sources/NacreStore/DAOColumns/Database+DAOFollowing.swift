import NacreCrypto
import NacreSQLite

// The catalog follows what SQL has done with the columns of DAOs: renamed, dropped or copied them.

extension Database {
  /// The columns with a DAO's values under some keys that the catalog does not know; nothing is written.
  ///
  /// - Parameters:
  ///   - keys: which of the ring's keys.
  ///   - ignored: columns that are left out where no rotation reaches their values, because somebody has planted them.
  /// - Returns: the columns; none, and nothing was looked at, where the catalog has never known one of a DAO.
  /// - Throws: `storeLocked`; what reading throws.
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

  /// Returns the entries that the catalog is to get for those columns, which are looked for in all
  /// of the application's tables.
  ///
  /// - Parameters:
  ///   - keys: which of the ring's keys.
  ///   - ignored: as for `daoStrays`.
  /// - Returns: the columns.
  /// - Throws: `unsuitableColumn`, with table and column, for values that no rotation reaches.
  package func unknownDAO(
    naming keys: (KeyRing) -> [KeyRecord],
    ignoring ignored: [StoredColumn]
  ) throws -> [DAOColumn] {
    try daoStrays(naming: keys, ignoring: ignored).map { try $0.noted() }
  }

  /// Makes sure that the catalog knows every value of a DAO under keys that are to be given up, in the transaction in which
  /// they are, or before.
  ///
  /// - Parameter columns: what it does not know, in the state in which the transaction began.
  /// - Throws: what reading and writing throw.
  func followDAO(_ columns: [DAOColumn]) throws {
    try forgetGoneDAO()
    try note(columns)
  }

  /// Another value after each change of the schema.
  package var shape: Value? {
    get throws { try NacreError.wrapping { try scalar(CatalogSQL.schemaVersion) } }
  }

  /// Lets the catalog follow what an upgrade has done with a DAO's table, in the transaction of the upgrade.
  ///
  /// Values that no rotation reaches are left to the next rotation to name.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - former: `shape` before the upgrade.
  /// - Throws: ``NacreError``.
  package func followDAO(table: String, from former: Value?) throws {
    try NacreError.wrapping {
      guard try knowsDAO() else { return }
      let isLookedAt = try home.keys.isUnlocked && isDAOTable(table)
      let search = try isLookedAt ? daoSearch(table) : nil
      let columns = try search?.strays(ofUpgraded: table).compactMap { stray -> DAOColumn? in
        guard case .values(let place) = stray.finding else { return nil }
        return stray.noted(as: place)
      }
      try forgetGoneDAO(of: table)
      // Other connections look at the catalog again when the schema has changed, and then alone.
      if try shape != former { try forget(emptyDAO(of: table)) }
      // All of them first: columns may have changed places.
      for noted in columns ?? [] { try forgetDAO(noted) }
      try note(columns ?? [])
    }
  }

  /// Takes what is not in the file any more out of the catalog, which remembers classes and properties.
  ///
  /// - Parameter table: the only table that is looked at; nil where it is all.
  /// - Throws: what reading and writing throw.
  package func forgetGoneDAO(of table: String? = nil) throws {
    try forget(goneDAO(of: table))
  }

  private func forget(_ gone: [(String, String)]) throws {
    if gone.isEmpty { return }
    for (entity, column) in gone {
      try changeCatalog(DAOSQL.remember, [.text(entity)])
      try changeCatalog(CatalogSQL.deleteProperty, [.text(entity), .text(column)])
    }
    try changeCatalog(DAOSQL.deleteEmpty)
    try noteDAOChange()
  }

  /// The catalog's columns of DAOs that are not in the file any more: entity, property.
  func goneDAO(of table: String? = nil) throws -> [(String, String)] {
    var gone: [(String, String)] = []
    try connection.each(DAOSQL.columns, [table.map(Value.text) ?? .null]) { row in
      if row.int64(at: 6) == 0, !row.isNull(at: 3) {
        gone.append((row.text(at: 0), row.text(at: 1)))
      }
    }
    return gone
  }

  /// The catalog's columns of a table that hold nothing: an upgrade may have given one's name to another, which is noted
  /// again for whatever is stored there next.
  private func emptyDAO(of table: String) throws -> [(String, String)] {
    var columns: [(String, String, table: String, column: String)] = []
    try connection.each(DAOSQL.columns, [.text(table)]) { row in
      if row.int64(at: 6) == 0 || row.isNull(at: 3) { return }
      columns.append((row.text(at: 0), row.text(at: 1), row.text(at: 2), row.text(at: 3)))
    }
    return try columns.compactMap { column in
      let sql = RotationSQL.hasValue(table: column.table, columns: [column.column])
      return try scalar(sql) == .integer(0) ? (column.0, column.1) : nil
    }
  }

  /// Whether the catalog knows a column of a DAO, or has known one.
  package func knowsDAO() throws -> Bool { try scalar(DAOSQL.isKnown) == .integer(1) }

  private func isDAOTable(_ table: String) throws -> Bool {
    guard let found = try FoundTable(table, on: connection) else { return false }
    return try scalar(DAOSQL.isOwnTable, [.text(found.name)]) == .integer(1)
  }

  private func daoSearch(_ table: String) throws -> DAOSearch {
    let ring = try home.followedRing(on: self)
    return try DAOSearch(naming: ring.keys, ring: ring, table: table, on: connection)
  }

  fileprivate func note(_ columns: [DAOColumn]) throws {
    for noted in columns {
      try noteDAO(
        table: noted.table,
        column: noted.column,
        type: noted.type,
        property: noted.property
      )
    }
  }

  private func forgetDAO(_ noted: DAOColumn) throws {
    let entity = CatalogEntity.daoName(ofTable: noted.table)
    try changeCatalog(DAOSQL.remember, [.text(entity)])
    try changeCatalog(DAOSQL.deleteColumn, [.text(entity), .text(noted.column)])
    try noteDAOChange()
  }
}

extension Store {
  /// Makes sure that the catalog knows every value of a DAO under keys that will be given up.
  ///
  /// - Parameters:
  ///   - keys: which of the ring's keys.
  ///   - ignored: columns in which values that no rotation reaches are left as they are.
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
