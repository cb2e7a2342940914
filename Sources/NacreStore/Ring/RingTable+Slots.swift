import Foundation
import NacreCrypto
import NacreEngine

extension RingTable {
  /// A slot to write, with the secret that has to open it.
  struct NewSlot {
    let record: SlotRecord
    let secret: SlotSecret
  }

  /// Removes and writes slots, and reads all slots back.
  ///
  /// Each must be in the file as it was written or as it was before, and each that was written must
  /// open with its secret.
  ///
  /// - Parameters:
  ///   - removed: The ids of the slots to remove.
  ///   - written: The slots to write; each replaces the slot with its id.
  ///   - ring: The ring that the slots unlock.
  ///   - connection: A connection in the transaction that changes them.
  /// - Throws: `ringTampered` if something else is read back; the caller's transaction is rolled
  ///   back with this error.
  static func changeSlots(
    removing removed: [Int64] = [],
    writing written: [NewSlot] = [],
    of ring: KeyRing,
    on connection: any EngineConnection
  ) throws {
    var expected = try slotsByID(on: connection)
    try connection.withoutTriggers {
      for id in removed {
        try connection.removeSlot(id)
        expected[id] = nil
      }
      for slot in written {
        try connection.put(slot.record.kept)
        expected[Int64(slot.record.id)] = slot.record.kept
      }
    }
    guard try slotsByID(on: connection) == expected else { throw notAsWritten("the slots") }
    let found = try slots(on: connection)
    for slot in written {
      let own = found.filter { $0.id == slot.record.id }
      guard try ring.opens(own, with: slot.secret) else {
        throw notAsWritten("slot \(slot.record.id)")
      }
    }
  }

  /// Returns every slot in the file, including those that this version can't read as slots.
  private static func slotsByID(on connection: any EngineConnection) throws -> [Int64: KeptSlot] {
    Dictionary(try connection.keptSlots().map { ($0.id, $0) }) { _, last in last }
  }

  /// Returns the error for a change with which something in the file interfered.
  package static func notAsWritten(_ what: String) -> NacreError {
    NacreError(
      .ringTampered,
      detail: "reading back \(what) did not give what was written; nothing was changed"
    )
  }
}

extension KeyRing {
  /// Returns a slot of this ring to write, which a secret opens.
  func newSlot(id: UInt32, secret: SlotSecret) throws(CryptoError) -> RingTable.NewSlot {
    RingTable.NewSlot(record: try makeSlot(id: id, secret: secret), secret: secret)
  }

  /// Returns whether a secret opens all of the slots, and to this ring's store key.
  fileprivate func opens(_ slots: [SlotRecord], with secret: SlotSecret) throws -> Bool {
    do throws(CryptoError) {
      return try self.slots(slots, openedBy: secret) == Set(slots.map(\.id)) && !slots.isEmpty
    } catch {
      guard error.code == .wrongSecret else { throw error }
      return false
    }
  }
}
