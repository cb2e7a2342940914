public import NacreCrypto
import NacreEngine

// The states of data keys; each call changes one state, and a rotation consists of these calls:
//
//   addKey ─▶ pending ─promoteKey─▶ primary ─promoteKey─▶ enabled ◀─enableKey, disableKey─▶ disabled
//                                            of another
//
// destroyKey ends every state except primary. No call touches a value: values stay sealed under
// their keys.

extension Store {
  /// Adds a fresh key, which is pending: it opens values, but seals none until ``promoteKey(_:)``.
  ///
  /// - Parameters:
  ///   - purpose: What the key is for.
  ///   - suite: The suite with which the key seals; nil for that of the present primary key.
  /// - Returns: The key's id.
  /// - Throws: ``NacreError`` with code `storeLocked` or `noKeyRing`; `noSuchKey` for a file key,
  ///   which no ring has; `transactionState` inside `read` or `write`.
  @discardableResult
  public func addKey(_ purpose: KeyPurpose, suite: Suite? = nil) throws -> KeyID {
    guard KeyPurpose.ofRing.contains(purpose) else {
      throw NacreError(.noSuchKey, detail: "the key ring has no keys of purpose \(purpose)")
    }
    return try changeRing { database, ring in
      let (next, id) = try ring.adding(
        purpose,
        suite: suite ?? ring.primary(purpose).suite,
        createdAt: CreationTime.now(),
        avoiding: fileKeys
      )
      try database.replaceRing(by: next)
      return id
    }
  }

  /// Adds a fresh key, which is pending.
  ///
  /// - Returns: The key's id.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func addKey(_ purpose: KeyPurpose, suite: Suite? = nil) async throws -> KeyID {
    try await Self.onThread { try self.addKey(purpose, suite: suite) }
  }

  /// Makes a pending or enabled key the one that seals from now on.
  ///
  /// The former primary key stays enabled, for the values that it has sealed. Every process seals
  /// with the new key from its next write transaction on. A field key replaces the primary key of
  /// its own suite.
  ///
  /// - Parameter id: The key.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `badKeyState` for a key that is primary,
  ///   disabled or destroyed; `storeLocked` or `noKeyRing`; `transactionState` inside `read` or
  ///   `write`.
  public func promoteKey(_ id: KeyID) throws {
    if try changeFileKey(id, "promoted", from: [], { $0 }) { return }
    try changeKey(id, "promoted", from: [.pending, .enabled]) { try $0.promoting(id) }
  }

  /// Makes a pending or enabled key the one that seals from now on.
  ///
  /// - Throws: ``NacreError``.
  public func promoteKey(_ id: KeyID) async throws {
    try await Self.onThread { try self.promoteKey(id) }
  }

  /// Lets a disabled key open again.
  ///
  /// - Parameter id: The key.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `badKeyState` for a key that is not disabled;
  ///   `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`.
  public func enableKey(_ id: KeyID) throws {
    let isOfFile = try changeFileKey(id, "enabled", from: [.disabled]) {
      try $0.setting(id, to: .enabled)
    }
    if isOfFile { return }
    try changeKey(id, "enabled", from: [.disabled]) { try $0.setting(id, to: .enabled) }
  }

  /// Lets a disabled key open again.
  ///
  /// - Throws: ``NacreError``.
  public func enableKey(_ id: KeyID) async throws {
    try await Self.onThread { try self.enableKey(id) }
  }

  /// Keeps an enabled key from opening values.
  ///
  /// Until ``enableKey(_:)``, values that the key has sealed fail with an error that names the key,
  /// and entries that it has indexed are not found. A field key can't be disabled while a value
  /// names it, just as it can't be destroyed by ``destroyKey(_:ignoring:)``. Destroy a pending key
  /// directly instead.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - columns: Columns whose cells may name the key, because somebody has planted them there, or
  ///     because you want to find out what needs the key. Their values under the key do not open
  ///     until it is enabled again.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `badKeyState` for a key that is not enabled;
  ///   `keyInUse`, which names table, column and count, while cells begin like values that the key
  ///   has sealed, and for an index key while anything is indexed; `unsuitableColumn` for a DAO's
  ///   values under the key that SQL has moved to where no rotation reaches them, and for an ignored
  ///   column that does not exist; `schemaMismatch` if a table that the catalog names is missing;
  ///   `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`; `foreignSchema`.
  public func disableKey(_ id: KeyID, ignoring columns: [StoredColumn] = []) throws {
    if try changeFileKey(id, "disabled", from: [], { $0 }) { return }
    try changeKey(id, "disabled", from: [.enabled]) { key, database in
      // Quarantined cells can wait for the key, because it can be enabled again.
      try Store.refuseNamed(key, ignoring: columns, on: database) { $0.place != .quarantine }
    } _: { ring, key, database in
      // Check under the lock, because values that are written under an index key do not name it.
      if key.purpose == .index { try Store.refuseIndexed(key, on: database) }
      return try ring.setting(id, to: .disabled)
    }
  }

  /// Keeps an enabled key from opening.
  ///
  /// - Throws: ``NacreError``.
  public func disableKey(_ id: KeyID, ignoring columns: [StoredColumn] = []) async throws {
    try await Self.onThread { try self.disableKey(id, ignoring: columns) }
  }

  /// Destroys a key that nothing needs any more; its id is never used again.
  ///
  /// A field key can't be destroyed while a stored value names it. The store searches every column
  /// of every table for such values in the state in which the key is destroyed, whatever the
  /// catalog says; others can write meanwhile. The tokens of a blind index name no key. So an index
  /// key can be destroyed only while it is pending, or once it is disabled, which a rotation does
  /// after it has computed every token again. Copies of the file that were made before hold the
  /// key, wrapped as it was. The key of a sealed file can be destroyed once a rotation has disabled
  /// it.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - columns: Columns whose cells that name the key are given up, because somebody has planted
  ///     them there; they never open again. The quarantine's column may be among them, but no
  ///     column that the catalog calls sealed.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `keyInUse`, which names table, column and
  ///   count; `badKeyState` for a key that is primary or destroyed; `unsuitableColumn` as for
  ///   ``disableKey(_:ignoring:)``, and for an ignored column that belongs to a sealed property;
  ///   `schemaMismatch` if a table that the catalog names is missing; `storeLocked` or `noKeyRing`;
  ///   `transactionState` inside `read` or `write`; `foreignSchema`.
  public func destroyKey(_ id: KeyID, ignoring columns: [StoredColumn] = []) throws {
    let isOfFile = try changeFileKey(id, "destroyed", from: [.disabled]) { try $0.destroying(id) }
    if isOfFile { return }
    let mayGo: Set<KeyState> = [.pending, .enabled, .disabled]
    try changeKey(id, "destroyed", from: mayGo) { key, database -> [DAOColumn] in
      switch key.purpose {
      case .field:
        // Values that are given up must not get into the catalog, because no later rotation could
        // open them.
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
      case .file:
        // No key of the ring has this purpose.
        break
      }
      return []
    } _: { ring, _, _ in
      try ring.destroying(id)
    }
    // The wrapped key would stay readable in the log.
    _ = try? emptyLog()
  }

  /// Destroys a key that nothing needs any more.
  ///
  /// - Throws: ``NacreError``.
  public func destroyKey(_ id: KeyID, ignoring columns: [StoredColumn] = []) async throws {
    try await Self.onThread { try self.destroyKey(id, ignoring: columns) }
  }

  /// Returns the columns of all tables with cells that name a field key, whatever the catalog says.
  ///
  /// - Parameter id: The key.
  /// - Returns: The columns, by table; empty for an index key, because no token names its key.
  /// - Throws: ``NacreError`` with code `noSuchKey`; `schemaMismatch` if a table that the catalog
  ///   names is missing; `storeLocked` or `noKeyRing`.
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

  /// Returns the columns of all tables with cells that name a field key, whatever the catalog says.
  ///
  /// - Throws: ``NacreError``.
  public func keyUses(of id: KeyID) async throws -> [KeyUse] {
    try await Self.onThread { try self.keyUses(of: id) }
  }

  /// Throws if any column has tokens of a blind index: tokens name no key, so some may be this
  /// key's.
  ///
  /// Without the key a unique value that is stored twice would not be detected.
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

  /// Throws if cells name a field key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - columns: The columns to ignore.
  ///   - database: A connection in a transaction.
  ///   - isLive: Returns whether a column's cells count; called for the ignored columns, too.
  /// - Returns: The columns with a DAO's values that the catalog does not have; all of them are
  ///   ignored ones.
  /// - Throws: `keyInUse`; `catalogTampered`; `unsuitableColumn` for an ignored column that does
  ///   not exist.
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
    // A DAO's values that SQL has moved get an error that says what to do about them.
    let isElsewhere = uses.contains { $0.place == .elsewhere }
    let noted =
      try isElsewhere ? database.unknownDAO(naming: { _ in [key] }, ignoring: columns) : []
    guard try !uses.filter(isLive).without(columns).isEmpty else { return noted }
    throw NacreError(.keyInUse, detail: uses.without(columns).words)
  }

  // MARK: -

  /// Writes the ring that `body` makes, for a key that must be in one of the states.
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

  /// Does the same for a key that will open nothing any more, after a search for cells that name
  /// it.
  ///
  /// `look` returns the columns that the catalog does not have yet.
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

  /// Returns a key, which must be in one of the states.
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
