import Foundation
import NacreCrypto
import NacreSQLite

/// An existing store, opened to be looked at and never written, without the classes of its entities.
///
/// What it reads it reads by the catalog alone. It is used by one thread at a time. SQLite may leave an empty
/// write-ahead log and its index beside the file, as every reader of a store does that nobody else has open.
public final class StoreInspection {
  /// The path of the file.
  public let path: String
  let connection: Connection
  private let reader: CatalogReader
  private let ring: KeyRing?

  /// Opens a store for reading; nothing is made, neither the file nor tables nor a key ring.
  ///
  /// - Parameters:
  ///   - path: the file of a store.
  ///   - unlock: where the secret comes from; without it sealed values stay sealed and the ring unverified.
  /// - Throws: ``NacreError``: `cannotOpen` where there is no file, `notAStore`, `newerFormat`, `wrongSecret`,
  ///   `ringTampered`, and `noKeyRing` when a secret is given for a store that has no ring.
  public init(path: String, unlock: Unlock? = nil) throws {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      !isDirectory.boolValue
    else {
      throw NacreError(.cannotOpen, detail: "there is no file at \(path)")
    }
    self.path = path
    do {
      connection = try Connection(path: path, mode: .readOnly)
    } catch {
      throw StoreFoundation.located(error, path)
    }
    (reader, ring) = try NacreError.wrapping { [connection] in
      try connection.transaction(.deferred) {
        guard try connection.has("nacre_store") else {
          throw NacreError(.notAStore, detail: "\(path) is a database of something else")
        }
        let storeID = try StoreFoundation.readStoreID(connection, path)
        let reader = CatalogReader(connection: connection, path: path, storeID: storeID)
        return (reader, try unlock.map { try reader.unlock($0) })
      }
    }
  }

  deinit { try? connection.close() }

  /// What the store's own tables say about it.
  ///
  /// - Throws: ``NacreError``.
  public func describe() throws -> StoreDescription {
    try NacreError.wrapping {
      try connection.transaction(.deferred) { try reader.describe(ring: ring) }
    }
  }

  /// One entity as the catalog has it.
  ///
  /// - Throws: ``NacreError`` with code `noSuchEntity`, or `schemaMismatch` when its table is not there.
  public func entity(named name: String) throws -> EntityDescription {
    try NacreError.wrapping {
      try connection.transaction(.deferred) { try reader.entity(named: name) }
    }
  }

  /// How many values stand under which key, as ``Store/sealedCounts()`` gives it; no secret is needed.
  ///
  /// - Throws: ``NacreError`` with code `schemaMismatch` when a table or column of the catalog is missing.
  public func sealedCounts() throws -> [SealedCount] {
    try NacreError.wrapping {
      try connection.transaction(.deferred) { try SealedCells.counts(on: connection) }
    }
  }

  /// Reads an entity's rows in the order of their objectIDs, one at a time.
  ///
  /// - Parameters:
  ///   - entity: the entity's name.
  ///   - limit: how many rows at most.
  ///   - opensSealed: whether sealed values are opened; one that does not open is a cell of its row, not an error.
  ///   - body: called with each row.
  /// - Throws: ``NacreError``: `noSuchEntity`, `storeLocked` when sealed values are to be opened without a secret;
  ///   or what `body` throws.
  public func rows(
    of entity: String,
    limit: Int,
    opensSealed: Bool = false,
    _ body: (InspectedRow) throws -> Void
  ) throws {
    try NacreError.wrapping {
      try connection.transaction(.deferred) {
        let rows = RowInspection(
          entity: try reader.entity(named: entity),
          opener: opensSealed ? try opener() : nil
        )
        try CatalogEntity.matching(entity) {
          try connection.each(rows.sql, [.integer(Int64(limit))]) { try body(rows.row($0)) }
        }
      }
    }
  }

  private func opener() throws -> CellOpener {
    guard let ring else { throw NacreError(.storeLocked) }
    return CellOpener(ring: ring)
  }
}

extension CatalogReader {
  /// Unlocks the ring in the file, which is never made here.
  fileprivate func unlock(_ unlock: Unlock) throws -> KeyRing {
    guard let record = try RingTable.read(storeID, on: connection) else {
      throw NacreError(.noKeyRing, detail: "it can't be unlocked")
    }
    let secret = try unlock.secret(false)
    return try KeyRing.unlock(record, slots: RingTable.slots(on: connection), with: secret)
  }
}
