import Foundation
import NacreCrypto
import NacreSQLite

/// The key ring's tables: `nacre_key`, `nacre_slot` and the two rows of `nacre_store` (Vectors/FORMAT.md).
enum RingTable {
  /// The ring in the file, or nil where there is none.
  static func read(_ storeID: StoreID, on connection: Connection) throws -> RingRecord? {
    guard let generation = try connection.scalar(CatalogSQL.getValue, ["ringGeneration"]) else {
      // Taken for a store without a ring, it would be given a new one, under which nothing opens any more.
      guard try connection.scalar(CatalogSQL.ringRemains) == .integer(0) else {
        throw NacreError(.ringTampered, detail: "the ring's generation is missing")
      }
      return nil
    }
    guard case .integer(let generation) = generation, generation >= 0,
      case .blob(let mac) = try connection.scalar(CatalogSQL.getValue, ["ringMAC"])
    else { throw NacreError(.ringTampered, detail: "the ring's generation or MAC is missing") }
    var keys: [KeyRecord] = []
    try connection.each(CatalogSQL.selectKeys, []) { row in
      keys.append(
        try KeyRecord(
          id: row.int64(at: 0),
          purpose: row.int64(at: 1),
          suite: row.int64(at: 2),
          state: row.int64(at: 3),
          created: row.int64(at: 4),
          wrapped: row.optionalBytes(at: 5),
          check: row.optionalBytes(at: 6)
        )
      )
    }
    return RingRecord(
      storeID: storeID,
      generation: UInt64(generation),
      mac: Array(mac),
      keys: keys
    )
  }

  static func slots(on connection: Connection) throws -> [SlotRecord] {
    var slots: [SlotRecord] = []
    try connection.each(CatalogSQL.selectSlots, []) { row in
      guard let id = UInt32(exactly: row.int64(at: 0)),
        let kind = SlotRecord.Kind(rawValue: row.text(at: 1))
      else { return }
      slots.append(
        SlotRecord(
          id: id,
          kind: kind,
          parameters: row.text(at: 2),
          sealed: Array(row.blob(at: 3))
        )
      )
    }
    return slots
  }

  /// Writes a ring into a store that has none.
  static func write(_ record: RingRecord, on connection: Connection) throws {
    for key in record.keys {
      try connection.run(
        CatalogSQL.insertKey,
        [
          .integer(Int64(key.id.rawValue)), .integer(Int64(key.purpose.rawValue)),
          .integer(Int64(key.suite.rawValue)), .integer(Int64(key.state.rawValue)),
          .integer(Int64(clamping: key.created)), key.wrapped.map { .blob(Data($0)) } ?? .null,
          key.check.map { .blob(Data($0)) } ?? .null,
        ]
      )
    }
    let generation = Int64(clamping: record.generation)
    try connection.run(CatalogSQL.setValue, ["ringGeneration", .integer(generation)])
    try connection.run(CatalogSQL.setValue, ["ringMAC", .blob(Data(record.mac))])
  }

  static func write(_ slot: SlotRecord, on connection: Connection) throws {
    try connection.run(
      CatalogSQL.insertSlot,
      [
        .integer(Int64(slot.id)), .text(slot.kind.rawValue), .text(slot.parameters),
        .blob(Data(slot.sealed)),
      ]
    )
  }
}

extension Statement {
  fileprivate func optionalBytes(at index: Int32) -> [UInt8]? {
    storageClass(at: index) == .null ? nil : Array(blob(at: index))
  }
}
