import Foundation
public import NacreCore
import NacreCrypto
import NacreSQLite

/// Reads a store's own tables over a connection that is inside a transaction.
struct CatalogReader {
  let connection: Connection
  let path: String
  let storeID: StoreID

  /// All of it; with an unlocked ring, the one in the file is verified, and the anchor held against one that was seen.
  func describe(ring: KeyRing?, seenBefore seen: SeenNumbers.Mark) throws -> StoreDescription {
    StoreDescription(
      path: path,
      storeID: storeID,
      format: Int(StoreFoundation.format),
      schemaVersion: try schemaVersion(),
      ring: try describeRing(ring),
      anchor: try AnchorTable.describe(
        storeID,
        ring,
        seenBefore: seen.anchor,
        on: connection
      ),
      slots: try SlotDescription.all(on: connection),
      entities: try entities()
    )
  }

  private func schemaVersion() throws -> String? {
    let found = try connection.scalar(CatalogSQL.getValue, ["schemaVersion"])
    return if case .text(let name)? = found { name } else { nil }
  }

  // MARK: Keys

  func hasKeyRing() throws -> Bool { try RingTable.read(storeID, on: connection) != nil }

  private func describeRing(_ ring: KeyRing?) throws -> RingDescription? {
    guard let record = try RingTable.read(storeID, on: connection) else { return nil }
    if let ring { _ = try ring.reloading(record) }
    let keys = record.keys.map { key in
      KeyDescription(
        id: key.id,
        purpose: key.purpose,
        suite: key.suite,
        state: key.state,
        created: Date(timeIntervalSince1970: Double(key.created) / 1000)
      )
    }
    return RingDescription(
      generation: RingRecord.changeNumber(record.generation),
      isVerified: ring != nil,
      keys: keys
    )
  }

  // MARK: Entities

  private func entities() throws -> [EntityDescription] {
    try CatalogEntity.all(on: connection).map(describe)
  }

  /// One entity; an unknown one is `noSuchEntity`, one without its table `schemaMismatch`.
  func entity(named name: String) throws -> EntityDescription {
    try describe(CatalogEntity.named(name, on: connection))
  }

  private func describe(_ entity: CatalogEntity) throws -> EntityDescription {
    let count = try entity.matching {
      try connection.scalar(InspectionSQL.count(table: entity.table))
    }
    guard case .integer(let count) = count else {
      throw NacreError(.schemaMismatch, entity: entity.name)
    }
    return EntityDescription(
      name: entity.name,
      table: entity.table,
      version: Int(entity.version),
      rowCount: Int(count),
      properties: entity.properties.map(PropertyDescription.init)
    )
  }
}

extension Store {
  /// What the store's own tables say about it now, of entities of other programs too.
  ///
  /// - Throws: ``NacreError``, with ``NacreError/Code/ringTampered`` when the store is unlocked and its ring does not
  ///   match its MAC.
  public func inspect() throws -> StoreDescription {
    try read { database in
      // Another process may have changed the ring, or wrapped it anew.
      if keys.isUnlocked { try database.followRing() }
      let reader = CatalogReader(connection: database.connection, path: path, storeID: storeID)
      let store = try reader.describe(
        ring: keys.isUnlocked ? keys.unlocked() : nil,
        seenBefore: database.seenBefore
      )
      if store.anchor?.state == .verified { store.anchor?.anchor.map(keys.seen.note) }
      return store
    }
  }
}
