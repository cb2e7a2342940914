import Foundation
import NacreEngine
public import NacreStore
import NacreCrypto

/// Reads a store's own tables over a connection that is inside a transaction.
struct CatalogReader {
  let connection: any EngineConnection
  let path: String
  let storeID: StoreID

  /// Describes the whole store; with an unlocked ring, verifies the ring in the file and compares the anchor with one
  /// seen before.
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

  /// Describes one entity; throws `noSuchEntity` if it is unknown, `schemaMismatch` if its table is missing.
  func entity(named name: String) throws -> EntityDescription {
    try describe(CatalogEntity.named(name, on: connection))
  }

  private func describe(_ entity: CatalogEntity) throws -> EntityDescription {
    EntityDescription(
      name: entity.name,
      table: entity.table,
      version: Int(entity.version),
      rowCount: try entity.matching { try connection.rowCount(of: entity.table) },
      properties: entity.properties.map(PropertyDescription.init)
    )
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
