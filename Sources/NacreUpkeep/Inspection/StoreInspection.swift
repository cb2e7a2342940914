import Foundation
import NacreEngine
public import NacreStore
import NacreCrypto

/// An existing store, opened only for reading, without the classes of its entities.
///
/// It uses only the catalog. Use it from one thread at a time. SQLite may leave an empty write-ahead log and its index
/// beside the file, as it does for every reader of a store that nobody else has open. If SQLite may not, because the
/// directory can't be written, a store without a log can still be read.
public final class StoreInspection {
  /// The path of the file.
  public let path: String
  let connection: any EngineConnection
  private let storeID: StoreID
  private let ring: KeyRing?

  /// Opens a store for reading; never creates the file, tables or a key ring.
  ///
  /// - Parameters:
  ///   - home: the database of a store.
  ///   - unlock: where the secret comes from; without it, sealed values stay sealed and the ring stays unverified.
  ///   - anchor: the anchor that the file must not be older than.
  /// - Throws: ``NacreError``: `cannotOpen` if there is no file, `notAStore`, `halfMade`, `newerFormat`, `wrongSecret`,
  ///   `ringTampered`, and `noKeyRing` if a secret is given for a store that has no ring; with an anchor also
  ///   `otherStore`, `olderThanAnchor`, `ringOlderThanAnchor`, `anchorTampered` and `storeLocked`.
  package init(
    _ home: any EngineHome,
    unlock: Unlock? = nil,
    expecting anchor: Anchor? = nil
  ) throws {
    let path = home.path
    let sealer = home.fileHeader?.sealer
    self.path = path
    connection = try NacreError.wrapping { try home.connect(.inspector) }
    (storeID, ring) = try NacreError.wrapping { [connection] in
      try connection.transaction(.deferred) {
        guard try connection.has("nacre_store") else {
          throw try StoreFoundation.noStore(at: path, sealedBy: sealer, connection)
        }
        let storeID = try StoreFoundation.readStoreID(connection, path, sealedBy: sealer)
        if let anchor {
          let isUnlocked = unlock != nil
          try AnchorTable.refuseOther(than: anchor, storeID, isUnlocked: isUnlocked, on: connection)
        }
        let ring = try unlock.map { try StoreInspection.ring(storeID, $0, sealer, on: connection) }
        if let anchor, let ring {
          try AnchorTable.refuseOlder(than: anchor, ring, on: connection)
        }
        return (storeID, ring)
      }
    }
  }

  /// Unlocks the ring in the file; never makes one.
  private static func ring(
    _ storeID: StoreID,
    _ unlock: Unlock,
    _ sealer: FileSealer?,
    on connection: any EngineConnection
  ) throws -> KeyRing {
    guard let record = try RingTable.read(storeID, on: connection) else {
      throw NacreError(.noKeyRing, detail: "without a key ring it can't be unlocked")
    }
    return try sealer?.keys.openRing(record) ?? unlock.ring(record, on: connection)
  }

  deinit { try? connection.close() }

  /// Whether the store has a key ring, whatever its catalog says.
  ///
  /// - Throws: ``NacreError``.
  package func hasKeyRing() throws -> Bool {
    try reading { try RingTable.read(storeID, on: connection) != nil }
  }

  /// The content of the store's own tables.
  ///
  /// - Throws: ``NacreError``.
  public func describe() throws -> StoreDescription {
    try reading {
      try StoreDescription(
        of: storeID,
        at: path,
        ring,
        seenBefore: SeenNumbers.Mark(),
        on: connection
      )
    }
  }

  /// Describes one entity as the catalog has it.
  ///
  /// - Throws: ``NacreError`` with code `noSuchEntity`, or `schemaMismatch` if its table does not exist.
  public func entity(named name: String) throws -> EntityDescription {
    try reading {
      try EntityDescription(CatalogEntity.named(name, on: connection), on: connection)
    }
  }

  /// Counts the values under each key, as ``Store/sealedCounts()`` does; no secret is needed.
  ///
  /// - Throws: ``NacreError`` with code `schemaMismatch` if a table or column of the catalog is missing.
  public func sealedCounts() throws -> [SealedCount] {
    try reading { try SealedCells.counts(on: connection) }
  }

  /// The slots that a secret opens, by id.
  ///
  /// - Parameter unlock: where the secret comes from; its source is asked, but never makes a key file here.
  /// - Returns: their numbers; empty if the secret opens no slot.
  /// - Throws: ``NacreError`` with code `storeLocked` if the inspection itself was opened without a secret; what the
  ///   secret's source throws.
  public func slots(openedBy unlock: Unlock) throws -> [Int64] {
    try NacreError.wrapping {
      guard let ring else { throw NacreError(.storeLocked) }
      let secret = try unlock.secret(false)
      let all = try connection.transaction(.deferred) { try RingTable.slots(on: connection) }
      let slots = unlock.slots(among: all)
      do {
        return try ring.slots(slots, openedBy: secret).map(Int64.init).sorted()
      } catch let error as CryptoError where error.code == .wrongSecret {
        return []
      }
    }
  }

  /// Reads an entity's rows one at a time in the order of their objectIDs, or in the order of rowids for a DAO's table.
  ///
  /// - Parameters:
  ///   - entity: the entity's name.
  ///   - limit: how many rows at most.
  ///   - opensSealed: whether to open sealed values; a value that does not open becomes a cell of its row, not an
  ///     error.
  ///   - body: called with each row.
  /// - Throws: ``NacreError``: `noSuchEntity`, `storeLocked` if sealed values are to be opened without a secret; or
  ///   what `body` throws.
  public func rows(
    of entity: String,
    limit: Int,
    opensSealed: Bool = false,
    _ body: (InspectedRow) throws -> Void
  ) throws {
    try reading {
      let rows = RowInspection(
        entity: try CatalogEntity.named(entity, on: connection),
        session: opensSealed ? try session() : nil
      )
      try CatalogEntity.matching(entity) {
        let sql = rows.sql(connection.dialect)
        try connection.each(sql, [.integer(Int64(limit))]) { try body(rows.row($0)) }
      }
    }
  }

  /// Runs `body` in one state of the store, and maps its errors to ``NacreError``.
  func reading<T>(_ body: () throws -> T) throws -> T {
    try NacreError.wrapping { try connection.transaction(.deferred, body) }
  }

  private func session() throws -> RingSession {
    guard let ring else { throw NacreError(.storeLocked) }
    return RingSession(ring: ring)
  }
}
