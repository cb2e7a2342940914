import Foundation
import NacreCrypto
import NacreSQLite

/// Reads a store's own tables over a connection that is inside a transaction.
struct CatalogReader {
  let connection: Connection
  let path: String
  let storeID: StoreID

  /// All of it; with an unlocked ring, the one in the file is verified.
  func describe(ring: KeyRing?) throws -> StoreDescription {
    StoreDescription(
      path: path,
      storeID: storeID,
      format: Int(StoreFoundation.format),
      ring: try describeRing(ring),
      slots: try slots(),
      entities: try entities()
    )
  }

  // MARK: Keys

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
    return RingDescription(generation: record.generation, isVerified: ring != nil, keys: keys)
  }

  /// Every row of the table: one of a kind that this version does not know is shown, too.
  private func slots() throws -> [SlotDescription] {
    var slots: [SlotDescription] = []
    try connection.each(CatalogSQL.selectSlots, []) { row in
      slots.append(SlotDescription(id: row.int64(at: 0), kind: row.text(at: 1)))
    }
    return slots
  }

  // MARK: Entities

  private func entities() throws -> [EntityDescription] {
    var names: [String] = []
    try connection.each(CatalogSQL.selectEntities, []) { names.append($0.text(at: 0)) }
    return try names.map { try entity(named: $0) }
  }

  /// One entity; an unknown one is `noSuchEntity`, one without its table `schemaMismatch`.
  func entity(named name: String) throws -> EntityDescription {
    var found: (table: String, version: Int64)?
    try connection.each(CatalogSQL.selectEntity, [.text(name)]) { row in
      found = (row.text(at: 0), row.int64(at: 1))
    }
    guard let found else { throw NacreError(.noSuchEntity, detail: name) }
    // Not a view, which could be endless.
    guard try connection.has(found.table) else {
      throw NacreError(
        .schemaMismatch,
        entity: name,
        detail: "the catalog names what is not in the file"
      )
    }
    let count = try matching(name) {
      try connection.scalar(InspectionSQL.count(table: found.table))
    }
    guard case .integer(let count) = count else { throw NacreError(.schemaMismatch, entity: name) }
    return EntityDescription(
      name: name,
      table: found.table,
      version: Int(found.version),
      rowCount: Int(count),
      properties: try properties(of: name)
    )
  }

  private func properties(of entity: String) throws -> [PropertyDescription] {
    var properties: [PropertyDescription] = []
    try connection.each(CatalogSQL.selectProperties, [.text(entity)]) { row in
      properties.append(
        PropertyDescription(
          name: row.text(at: 0),
          column: row.optionalText(at: 1),
          type: row.text(at: 2),
          isSealed: row.int64(at: 3) != 0,
          kind: row.text(at: 4),
          target: row.optionalText(at: 5),
          joinTable: row.optionalText(at: 6),
          inverseColumn: row.optionalText(at: 7)
        )
      )
    }
    return properties
  }

  /// Runs what relies on the catalog; a statement that can't be prepared means that the catalog is wrong.
  func matching<T>(_ entity: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError where error.code == 1 {
      throw NacreError(
        .schemaMismatch,
        entity: entity,
        detail: "the catalog names what is not in the file",
        cause: error
      )
    }
  }
}

extension Statement {
  fileprivate func optionalText(at index: Int32) -> String? {
    storageClass(at: index) == .null ? nil : text(at: index)
  }
}

extension Store {
  /// What the store's own tables say about it now, of entities of other programs too.
  ///
  /// - Throws: ``NacreError``, with ``NacreError/Code/ringTampered`` when the store is unlocked and its ring does not
  ///   match its MAC.
  public func inspect() throws -> StoreDescription {
    try read { database in
      let reader = CatalogReader(connection: database.connection, path: path, storeID: storeID)
      return try reader.describe(ring: keys.isUnlocked ? keys.unlocked() : nil)
    }
  }
}
