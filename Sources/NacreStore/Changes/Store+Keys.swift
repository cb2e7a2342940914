public import NacreCrypto
import NacreSQLite

// The data keys' states, one change at a time; a rotation is made of them:
//
//   addKey ─▶ pending ─promoteKey─▶ primary ─promoteKey─▶ enabled ◀─enableKey, disableKey─▶ disabled
//                                            of another
//
// destroyKey ends each of them but the primary one. No call touches a value: what a key has sealed stays under it.

extension Store {
  /// Adds a fresh key, which is pending: it opens, and seals nothing until ``promoteKey(_:)``.
  ///
  /// - Parameters:
  ///   - purpose: what the key is for.
  ///   - suite: the suite that it seals with; nil is that of the present primary key.
  /// - Returns: the key's id.
  /// - Throws: ``NacreError`` with code `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`.
  @discardableResult
  public func addKey(_ purpose: KeyPurpose, suite: Suite? = nil) throws -> KeyID {
    try changeRing { database, ring in
      let (next, id) = try ring.adding(
        purpose,
        suite: suite ?? ring.primary(purpose).suite,
        createdAt: StoreKeys.now()
      )
      try database.replaceRing(by: next)
      return id
    }
  }

  /// Makes a pending or enabled key the one that seals from now on; the one before it stays enabled, for what it has
  /// sealed.
  ///
  /// Every process seals with it from its next write transaction on. A field key takes the place of the primary key of
  /// its own suite.
  ///
  /// - Parameter id: the key.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `badKeyState` for a key that is primary, disabled or destroyed;
  ///   `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`.
  public func promoteKey(_ id: KeyID) throws {
    try changeKey(id, "promoted", from: [.pending, .enabled]) { try $0.promoting(id) }
  }

  /// Lets a disabled key open again.
  ///
  /// - Parameter id: the key.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `badKeyState` for a key that is not disabled; `storeLocked` or
  ///   `noKeyRing`; `transactionState` inside `read` or `write`.
  public func enableKey(_ id: KeyID) throws {
    try changeKey(id, "enabled", from: [.disabled]) { try $0.setting(id, to: .enabled) }
  }

  /// Keeps an enabled key from opening: what it has sealed is refused by name until ``enableKey(_:)``, and what it has
  /// indexed is not found.
  ///
  /// A field key is refused while a value names it, as by ``destroyKey(_:)``. A pending key is destroyed at once instead.
  ///
  /// - Parameter id: the key.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `badKeyState` for a key that is not enabled; `keyInUse`, which names
  ///   table, column and count, while cells begin as what the key has sealed, and for an index
  ///   key while anything is indexed; `unsuitableColumn` for values under it that a DAO has sealed and that SQL has
  ///   carried where no rotation reaches them; `schemaMismatch` when a table that the catalog names is missing;
  ///   `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`; `foreignSchema`.
  public func disableKey(_ id: KeyID) throws { try disableKey(id, ignoring: []) }

  /// The same whatever some columns hold: its values there are refused until the key is enabled again.
  ///
  /// - Parameters:
  ///   - id: the key.
  ///   - columns: where cells may name the key, because somebody has planted them there, or it is to be tried what needs it.
  /// - Throws: as ``disableKey(_:)``; `unsuitableColumn` for a column that is not there.
  public func disableKey(_ id: KeyID, ignoring columns: [StoredColumn]) throws {
    try changeKey(id, "disabled", from: [.enabled]) { key, database in
      // Quarantined cells wait for the key, which can be enabled again.
      try Store.refuseNamed(key, ignoring: columns, on: database) { $0.place != .quarantine }
    } _: { ring, key, database in
      // Under the lock, for what is written under an index key does not name it.
      if key.purpose == .index { try Store.refuseIndexed(key, on: database) }
      return try ring.setting(id, to: .disabled)
    }
  }

  /// Destroys a key that nothing needs any more; its id is never used again.
  ///
  /// A field key is refused while a stored value names it, which is looked for in every column of every table as it
  /// is when the key goes, whatever the catalog says; others write meanwhile. The tokens of a blind index name no key: an index key can be
  /// destroyed only once it is disabled, which a rotation does when it has made every token anew, or while it is
  /// pending. Copies of the file that were made before hold the key, wrapped as it was.
  ///
  /// - Parameter id: the key.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `keyInUse`, which names table, column and count; `badKeyState` for a key that is primary or destroyed;
  ///   `unsuitableColumn` as for ``disableKey(_:)``; `schemaMismatch` when a table that the catalog names is missing; `storeLocked` or `noKeyRing`;
  ///   `transactionState` inside `read` or `write`; `foreignSchema`.
  public func destroyKey(_ id: KeyID) throws { try destroyKey(id, ignoring: []) }

  /// The same whatever some columns hold, of which nothing opens any more then.
  ///
  /// - Parameters:
  ///   - id: the key.
  ///   - columns: where cells that name the key are given up, because somebody has planted them there; that of
  ///     quarantine may be among them, but none that the catalog calls sealed.
  /// - Throws: as ``destroyKey(_:)``; `unsuitableColumn` for a column that is not there, or is a sealed property's.
  public func destroyKey(_ id: KeyID, ignoring columns: [StoredColumn]) throws {
    let mayGo: Set<KeyState> = [.pending, .enabled, .disabled]
    try changeKey(id, "destroyed", from: mayGo) { key, database -> [DAOColumn] in
      switch key.purpose {
      case .field:
        // Values that are given up must not become the catalog's, for no later rotation could open them.
        _ = try Store.refuseNamed(key, ignoring: columns, on: database) { use in
          guard use.place == .sealed, [use].without(columns).isEmpty else { return true }
          throw NacreError(
            .unsuitableColumn,
            entity: use.column.table,
            property: use.column.column,
            detail:
              "the column belongs to a sealed property and can't be ignored; 'rotate' seals its "
              + "\(use.count == 1 ? "value" : "\(use.count) values") anew"
          )
        }
      case .index:
        guard key.state != .enabled else {
          throw NacreError(
            .keyInUse,
            detail: "index key \(id) is enabled; rotate the indexes first, which disables it"
          )
        }
      }
      return []
    } _: { ring, _, _ in
      try ring.destroying(id)
    }
    // The wrapped key would stay readable in it.
    _ = try? emptyLog()
  }

  /// Which columns hold cells that name a field key, of every table and whatever the catalog says.
  ///
  /// - Parameter id: the key.
  /// - Returns: the columns, by table; none for an index key, which no token names.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `schemaMismatch` when a table that the catalog names is missing;
  ///   `storeLocked` or `noKeyRing`.
  public func keyUses(of id: KeyID) throws -> [KeyUse] {
    try NacreError.wrapping {
      try read { database in
        let key = try Store.key(
          id,
          "looked for",
          from: Set(KeyState.allCases),
          in: followedRing(on: database)
        )
        return try KeySearch([key], on: database.connection).uses()
      }
    }
  }

  /// Tokens name no key: where there are any, some may be this key's, and a value that is unique would not be found twice.
  private static func refuseIndexed(_ key: KeyRecord, on database: Database) throws {
    try database.refuseForeignCatalog()
    for entity in try CatalogEntity.all(on: database.connection) {
      let columns = entity.sealed.compactMap(\.indexColumn)
      if columns.isEmpty { continue }
      let sql = RotationSQL.hasValue(table: entity.table, columns: columns)
      guard try entity.matching({ try database.scalar(sql) }) == .integer(1) else { continue }
      throw NacreError(
        .keyInUse,
        detail:
          "index key \(key.id) may have indexed \(entity.name); rotate the indexes, which disables it"
      )
    }
  }

  /// Refuses a field key that cells name.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - columns: the columns that are ignored.
  ///   - database: a connection in a transaction.
  ///   - isLive: whether a column's cells count; asked of the ignored ones, too.
  /// - Returns: the columns with a DAO's values that the catalog does not know and that are ignored.
  /// - Throws: `keyInUse`; `catalogTampered`; `unsuitableColumn` for an ignored column that is not there.
  private static func refuseNamed(
    _ key: KeyRecord,
    ignoring columns: [StoredColumn],
    on database: Database,
    _ isLive: (KeyUse) throws -> Bool
  ) throws -> [DAOColumn] {
    try database.refuseForeignCatalog()
    try KeySearch.refuseUnknown(columns, on: database.connection)
    let uses = try KeySearch([key], on: database.connection).uses()
    if uses.isEmpty { return [] }
    // Those of a DAO that SQL has carried are named with what to do about them.
    let isElsewhere = uses.contains { $0.place == .elsewhere }
    let noted =
      try isElsewhere ? database.unknownDAO(naming: { _ in [key] }, ignoring: columns) : []
    guard try !uses.filter(isLive).without(columns).isEmpty else { return noted }
    throw NacreError(.keyInUse, detail: uses.without(columns).words)
  }

  // MARK: -

  /// Writes the ring that `body` makes, for a key that is in one of the states.
  private func changeKey(
    _ id: KeyID,
    _ change: String,
    from states: Set<KeyState>,
    _ body: (KeyRing) throws -> KeyRing
  ) throws {
    try changeRing { database, ring in
      _ = try Store.key(id, change, from: states, in: ring)
      try database.replaceRing(by: body(ring))
    }
  }

  /// The same for a key that is to open nothing any more, after a look for what names it, which gives the columns that
  /// the catalog does not know.
  private func changeKey(
    _ id: KeyID,
    _ change: String,
    from states: Set<KeyState>,
    afterLook look: (KeyRecord, Database) throws -> [DAOColumn],
    _ body: (KeyRing, KeyRecord, Database) throws -> KeyRing
  ) throws {
    try changeRing(afterLookFor: { ring in
      ring.record(of: id).map { [$0] } ?? []
    }) { database in
      try look(Store.key(id, change, from: states, in: followedRing(on: database)), database)
    } _: { database, ring, columns in
      let key = try Store.key(id, change, from: states, in: ring)
      try database.followDAO(columns)
      try database.replaceRing(by: body(ring, key, database))
    }
  }

  /// A key that is in one of the states.
  private static func key(
    _ id: KeyID,
    _ change: String,
    from states: Set<KeyState>,
    in ring: KeyRing
  ) throws -> KeyRecord {
    guard let key = ring.record(of: id) else {
      throw NacreError(.noSuchKey, detail: "key \(id)")
    }
    guard states.contains(key.state) else {
      throw NacreError(
        .badKeyState,
        detail: "key \(id) is \(key.state) and can't be \(change)"
      )
    }
    return key
  }
}
