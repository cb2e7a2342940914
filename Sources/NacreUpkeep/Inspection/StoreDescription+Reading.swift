import Foundation
import NacreEngine
public import NacreStore
import NacreCrypto

// What a store's own tables say, read over a connection that is inside a transaction.

extension StoreDescription {
  /// Describes the whole store; with an unlocked ring, verifies the ring in the file and compares the anchor with one
  /// seen before.
  init(
    of storeID: StoreID,
    at path: String,
    _ ring: KeyRing?,
    seenBefore seen: SeenNumbers.Mark,
    on connection: any EngineConnection
  ) throws {
    self.path = path
    self.storeID = storeID
    let format = try connection.scalar(CatalogSQL.getValue, ["format"])
    self.format = if case .integer(let number)? = format { Int(clamping: number) } else { 0 }
    let version = try connection.scalar(CatalogSQL.getValue, ["schemaVersion"])
    schemaVersion = if case .text(let name)? = version { name } else { nil }
    let record = try RingTable.read(storeID, on: connection)
    self.ring = try record.map { try RingDescription($0, ring) }
    let header = try connection.home?.fileHeader?.keys().header
    fileKeys = (header?.keys ?? []).map(KeyDescription.init)
    anchor = try AnchorTable.describe(storeID, ring, seenBefore: seen.anchor, on: connection)
    slots = try SlotDescription.all(on: connection)
    entities = try CatalogEntity.all(on: connection).map {
      try EntityDescription($0, on: connection)
    }
  }
}

extension RingDescription {
  /// Describes the ring in the file; verifies it with an unlocked ring.
  fileprivate init(_ record: RingRecord, _ ring: KeyRing?) throws {
    if let ring { _ = try ring.reloading(record) }
    generation = RingRecord.changeNumber(record.generation)
    isVerified = ring != nil
    keys = record.keys.map(KeyDescription.init)
  }
}

extension KeyDescription {
  init(_ key: KeyRecord) {
    id = key.id
    purpose = key.purpose
    suite = key.suite
    state = key.state
    created = Date(timeIntervalSince1970: Double(key.created) / 1000)
  }
}

extension EntityDescription {
  /// Describes one entity; throws `schemaMismatch` if its table is missing.
  init(_ entity: CatalogEntity, on connection: any EngineConnection) throws {
    name = entity.name
    table = entity.table
    version = Int(entity.version)
    rowCount = try entity.matching { try connection.rowCount(of: entity.table) }
    properties = entity.properties.map(PropertyDescription.init)
  }
}

extension Store {
  /// The content of the store's own tables now, including entities of other programs.
  ///
  /// - Throws: ``NacreError``, with ``NacreError/Code/ringTampered`` if the store is unlocked and its ring does not
  ///   match its MAC.
  public func inspect() throws -> StoreDescription {
    try read { database in
      // Another process may have changed the ring, or rewrapped it.
      if keys.isUnlocked { try database.followRing() }
      let store = try StoreDescription(
        of: storeID,
        at: path,
        keys.isUnlocked ? keys.unlocked() : nil,
        seenBefore: database.seenBefore,
        on: database.connection
      )
      if store.anchor?.state == .verified { store.anchor?.anchor.map(keys.seen.note) }
      return store
    }
  }
}
