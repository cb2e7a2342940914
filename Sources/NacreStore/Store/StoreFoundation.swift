import Foundation
import NacreCrypto
import NacreEngine

/// The id and the keys of a store, read when its file is opened.
///
/// It uses its own connection. A new store is made in one transaction: if two processes make the
/// same store at once, the result is one store; if a process is killed half-way, the file holds
/// either no store or a whole one.
package struct StoreFoundation {
  /// The format of a store whose pages are not sealed (Vectors/FORMAT.md).
  package static let format: Int64 = 1
  /// The format of a sealed file (Vectors/SEALED-FILE.md).
  package static let sealedFormat: Int64 = 2

  let storeID: StoreID
  let keys: StoreKeys

  static func lay(
    _ home: any EngineHome,
    unlock: Unlock?,
    options: StoreOptions,
    expecting anchor: Anchor? = nil
  ) throws -> StoreFoundation {
    let path = home.path
    let sealer = home.fileHeader?.sealer
    // A store that is created now is older than any anchor.
    let creates = options.createIfMissing && !options.isOnlyLookedAt && anchor == nil
    let connection = try home.connect(.founder(creates: creates))
    defer { try? connection.close() }
    try checkIsStoreOrEmpty(
      connection,
      path,
      isStore: anchor != nil,
      // A plain file that is empty becomes a store, whoever has made it.
      canBeMade: sealer == nil ? !options.isOnlyLookedAt : creates,
      sealer
    )
    let refuseOther = { (storeID: StoreID) in
      guard let anchor else { return }
      try AnchorTable.refuseOther(than: anchor, storeID, isUnlocked: unlock != nil, on: connection)
    }
    let open = { (storeID: StoreID) in
      let keys = StoreKeys(storeID: storeID)
      try keys.open(on: connection, unlock: unlock, suite: options.suite)
      if keys.isUnlocked {
        try AnchorTable.follow(keys, expecting: anchor, on: connection)
      }
      return StoreFoundation(storeID: storeID, keys: keys)
    }
    // Open an existing store without the writers' lock: others may hold it, and a slow secret would
    // hold it for long.
    let existing = try connection.transaction(.deferred) { () throws -> StoreFoundation? in
      guard try connection.has("nacre_store") else { return nil }
      let storeID = try readOrMakeStoreID(connection, path, sealer)
      try refuseOther(storeID)
      if options.isOnlyLookedAt {
        guard try unlock == nil || RingTable.read(storeID, on: connection) != nil else {
          throw NacreError(
            .noKeyRing,
            detail: "a store that is opened only to be looked at is not given one"
          )
        }
        return try open(storeID)
      }
      try OwnTables.refuseForeignObjects(on: connection)
      if try !additions(on: connection).isEmpty { return nil }
      guard try unlock == nil || RingTable.read(storeID, on: connection) != nil else { return nil }
      return try open(storeID)
    }
    if let existing { return existing }
    return try connection.transaction(.immediate) {
      let storeID = try readOrMakeStoreID(connection, path, sealer)
      try refuseOther(storeID)
      try OwnTables.refuseForeignObjects(on: connection)
      for statement in try additions(on: connection) { try connection.execute(statement) }
      return try open(storeID)
    }
  }

  private static func checkIsStoreOrEmpty(
    _ connection: any EngineConnection,
    _ path: String,
    isStore: Bool,
    canBeMade: Bool,
    _ sealer: FileSealer?
  ) throws {
    // Check in one transaction: between two, somebody else may create the store.
    try connection.transaction(.deferred) {
      if try connection.has("nacre_store") { return }
      guard !isStore else { throw NacreError(.notAStore, detail: "\(path) holds no store") }
      guard try connection.schema.objectNames().isEmpty, canBeMade else {
        throw try noStore(at: path, sealedBy: sealer, connection)
      }
    }
  }

  /// Returns the error for a database without the tables of a store.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - sealer: The unlocked keys of a sealed file; nil if its pages are not sealed.
  ///   - connection: A connection to it.
  /// - Returns: `halfMade` for a sealed file whose maker was interrupted, `headerTampered` for one whose
  ///   pages are gone, `notAStore` for every other database.
  /// - Throws: `EngineError` if the schema can't be read.
  package static func noStore(
    at path: String,
    sealedBy sealer: FileSealer?,
    _ connection: any EngineConnection
  ) throws -> NacreError {
    guard try connection.schema.objectNames().isEmpty else {
      return NacreError.foreignDatabase(path)
    }
    guard let sealer else { return NacreError(.notAStore, detail: "\(path) holds no store") }
    // A header is changed only once there are pages.
    guard sealer.keys.sequence == 1 else {
      return NacreError(.headerTampered, detail: "\(path): the pages of the header are gone")
    }
    return NacreError(.halfMade, detail: path)
  }

  private static func readOrMakeStoreID(
    _ connection: any EngineConnection,
    _ path: String,
    _ sealer: FileSealer?
  ) throws -> StoreID {
    guard try connection.has("nacre_store") else {
      if let sealer, sealer.keys.sequence > 1 {
        throw try noStore(at: path, sealedBy: sealer, connection)
      }
      let storeID = try sealer?.keys.storeID ?? StoreID.random()
      try connection.execute(CatalogSQL.createStore(connection.dialect))
      let format = sealer == nil ? Self.format : sealedFormat
      try connection.run(CatalogSQL.setValue(connection.dialect), ["format", .integer(format)])
      if let sealer { try sealer.noteSequence(on: connection) }
      try connection.run(
        CatalogSQL.setValue(connection.dialect),
        ["storeID", .blob(Data(storeID.bytes))]
      )
      return storeID
    }
    return try readStoreID(connection, path, sealedBy: sealer)
  }

  /// Returns the statements that add what a store of an earlier version lacks.
  private static func additions(on connection: any EngineConnection) throws -> [String] {
    CatalogSQL.addMissing(
      Set(try connection.columnNames(of: "nacre_property")),
      journal: Set(try connection.columnNames(of: "nacre_rotation")),
      connection.dialect
    )
  }

  /// Checks the format of an existing store, and returns its id.
  package static func readStoreID(
    _ connection: any EngineConnection,
    _ path: String,
    sealedBy sealer: FileSealer? = nil
  ) throws -> StoreID {
    switch try connection.scalar(CatalogSQL.getValue, ["format"]) {
    case .integer(sealer == nil ? format : sealedFormat): break
    case .integer(sealedFormat):
      throw NacreError(.notSealed, detail: "\(path) holds the pages of a sealed file in plain")
    case .integer(let other) where other > sealedFormat:
      throw NacreError(
        .newerFormat,
        detail: "\(path) has format \(other), and this version knows format \(sealedFormat)"
      )
    default: throw NacreError(.notAStore, detail: "\(path) does not name a format")
    }
    // A view in place of one of these tables could be endless.
    for table in ["nacre_slot", "nacre_key", "nacre_entity", "nacre_property"] {
      guard try connection.has(table) else {
        throw NacreError(.notAStore, detail: "\(path) has no table \(table)")
      }
    }
    guard case .blob(let bytes) = try connection.scalar(CatalogSQL.getValue, ["storeID"]),
      let storeID = StoreID(bytes)
    else { throw NacreError(.notAStore, detail: "\(path) has no store id") }
    if let sealer { try sealer.check(storeID, on: connection) }
    return storeID
  }
}
