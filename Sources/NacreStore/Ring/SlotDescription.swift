import NacreEngine
import NacreSQLite

/// A slot: one secret that unlocks the store.
public struct SlotDescription: Sendable {
  /// The slot's number.
  public let id: Int64
  /// The kind of secret: `secret` for 32 bytes, `passphrase`.
  public let kind: String

  /// Returns every row of the table, including those of a kind that this version does not know.
  package static func all(on connection: any EngineConnection) throws -> [SlotDescription] {
    var slots: [SlotDescription] = []
    try connection.each(RingSQL.selectSlots, []) { row in
      slots.append(SlotDescription(id: row.int64(at: 0), kind: row.text(at: 1)))
    }
    return slots
  }
}
