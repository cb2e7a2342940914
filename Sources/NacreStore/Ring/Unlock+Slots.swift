import NacreCrypto
import NacreSQLite

extension Unlock {
  /// The same secret, tried on one slot of the store alone.
  /// ```swift
  /// let store = try Store.open(path, unlock: .passphrase(phrase).slot(2))
  /// ```
  /// Without it a passphrase is tried on one slot after the other, half a second each. Who may write to the file can add
  /// so many that the right one is never reached (`slotsNotTried`). Where a slot or a key ring is made with the secret, it
  /// says nothing.
  ///
  /// - Parameter id: the slot, as ``Store/addSlot(_:)`` has given it; a ring is made with slot 1.
  /// - Returns: the source of the secret.
  public func slot(_ id: Int64) -> Unlock {
    var one = self
    one.slotID = id
    return one
  }

  /// The slots that the secret is tried on.
  package func slots(among slots: [SlotRecord]) -> [SlotRecord] {
    guard let slotID else { return slots }
    return slots.filter { Int64($0.id) == slotID }
  }

  /// Unlocks the ring that is in the file.
  ///
  /// - Throws: `noSuchSlot`; `wrongSecret`, `slotsNotTried`, `ringTampered`; what the secret's source throws.
  package func ring(_ record: RingRecord, on connection: Connection) throws -> KeyRing {
    let slots = slots(among: try RingTable.slots(on: connection))
    // Nobody is asked for a passphrase for a slot that is not there.
    if let slotID, slots.isEmpty { throw NacreError(.noSuchSlot, detail: "slot \(slotID)") }
    return try KeyRing.unlock(record, slots: slots, with: secret(false))
  }
}
