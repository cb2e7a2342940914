import Foundation
import NacreCrypto
import NacreEngine

/// The key ring's tables: `nacre_key`, `nacre_slot` unless the home keeps the slots elsewhere, and
/// the two rows of `nacre_store` (Vectors/FORMAT.md).
package enum RingTable {
  /// Returns the ring in the file, or nil if there is none.
  package static func read(_ storeID: StoreID, on connection: any EngineConnection) throws
    -> RingRecord?
  {
    guard let generation = try connection.scalar(CatalogSQL.getValue, ["ringGeneration"]) else {
      // If such a store passed for one without a ring, it would get a new ring, under which no
      // value opens.
      guard try connection.scalar(RingSQL.remains) == .integer(0),
        try connection.home?.slotKeeper?.precedesRing == true || connection.keptSlots().isEmpty
      else {
        throw NacreError(.ringTampered, detail: "the ring's generation is missing")
      }
      return nil
    }
    guard case .integer(let generation) = generation, generation >= 0,
      case .blob(let mac) = try connection.scalar(CatalogSQL.getValue, ["ringMAC"])
    else { throw NacreError(.ringTampered, detail: "the ring's generation or MAC is missing") }
    let keys = try connection.rows(RingSQL.selectKeys) { row in
      try KeyRecord(
        id: row.int64(at: 0),
        purpose: row.int64(at: 1),
        suite: row.int64(at: 2),
        state: row.int64(at: 3),
        created: row.int64(at: 4),
        wrapped: row.optionalBytes(at: 5),
        check: row.optionalBytes(at: 6)
      )
    }
    return RingRecord(
      storeID: storeID,
      generation: UInt64(generation),
      mac: Array(mac),
      keys: keys
    )
  }

  /// Returns the slots on which a secret can be tried.
  package static func slots(on connection: any EngineConnection) throws -> [SlotRecord] {
    try connection.keptSlots().compactMap(SlotRecord.init)
  }

  /// Returns the ids of the other rows, which no secret can open, ordered by id.
  package static func oddSlots(on connection: any EngineConnection) throws -> [Int64] {
    try connection.keptSlots().filter { SlotRecord($0)?.isWellFormed != true }.map(\.id)
  }

  /// Writes a ring and reads it back; it is the store's first, or replaces an earlier state of the
  /// same ring.
  ///
  /// - Throws: `ringTampered` if something else is read back; the caller's transaction is rolled
  ///   back with this error.
  static func write(_ record: RingRecord, on connection: any EngineConnection) throws {
    try connection.withoutTriggers { try put(record, on: connection) }
    // The comparison includes the MAC.
    guard try read(record.storeID, on: connection) == record else {
      throw notAsWritten("the ring's keys")
    }
  }

  private static func put(_ record: RingRecord, on connection: any EngineConnection) throws {
    for key in record.keys {
      try connection.run(
        RingSQL.putKey,
        [
          .integer(Int64(key.id.rawValue)), .integer(Int64(key.purpose.rawValue)),
          .integer(Int64(key.suite.rawValue)), .integer(Int64(key.state.rawValue)),
          .integer(Int64(clamping: key.created)), key.wrapped.map { .blob(Data($0)) } ?? .null,
          key.check.map { .blob(Data($0)) } ?? .null,
        ]
      )
    }
    try writeMark(record, on: connection)
  }

  /// Writes only a ring's generation and MAC; its keys must be those in the file.
  static func writeMark(_ record: RingRecord, on connection: any EngineConnection) throws {
    let generation = Int64(clamping: record.generation)
    try connection.run(
      CatalogSQL.setValue(connection.dialect),
      ["ringGeneration", .integer(generation)]
    )
    try connection.run(
      CatalogSQL.setValue(connection.dialect),
      ["ringMAC", .blob(Data(record.mac))]
    )
  }
}

extension SlotRecord {
  /// Reads a slot as it is kept; nil if no secret can be tried on it.
  fileprivate init?(_ slot: KeptSlot) {
    guard let id = UInt32(exactly: slot.id), case .text(let name) = slot.kind,
      let kind = Kind(rawValue: name), case .text(let parameters) = slot.parameters,
      case .blob(let sealed) = slot.sealed
    else { return nil }
    self.init(id: id, kind: kind, parameters: parameters, sealed: Array(sealed))
  }

  /// The slot as it is kept.
  var kept: KeptSlot {
    KeptSlot(
      id: Int64(id),
      kind: .text(kind.rawValue),
      parameters: .text(parameters),
      sealed: .blob(Data(sealed))
    )
  }
}

extension PreparedStatement {
  fileprivate func optionalBytes(at index: Int32) -> [UInt8]? {
    storageClass(at: index) == .null ? nil : Array(blob(at: index))
  }
}
