import NacreCrypto
import NacreEngine

extension Unlock {
  /// Returns the same secret, to be tried on one slot of the store alone.
  /// ```swift
  /// let store = try Store.open(path, unlock: .passphrase(phrase).slot(2))
  /// ```
  /// Without this a passphrase is tried on one slot after the other, half a second each. An
  /// attacker who can write to the file can add so many slots that the right one is never reached
  /// (`slotsNotTried`). If the secret is used to create a slot or a key ring, the number has no
  /// effect.
  ///
  /// - Parameter id: The slot, as ``Store/addSlot(_:)`` returned it; a new ring has slot 1.
  /// - Returns: The source of the secret.
  public func slot(_ id: Int64) -> Unlock {
    var one = self
    one.slotID = id
    return one
  }

  /// Returns the slots on which the secret is tried.
  package func slots(among slots: [SlotRecord]) -> [SlotRecord] {
    guard let slotID else { return slots }
    return slots.filter { Int64($0.id) == slotID }
  }

  /// Unlocks the ring in the file.
  ///
  /// - Throws: `noSuchSlot`; `wrongSecret`, `slotsNotTried`, `ringTampered`; the error of the
  ///   secret's source.
  package func ring(_ record: RingRecord, on connection: any EngineConnection) throws -> KeyRing {
    let slots = slots(among: try RingTable.slots(on: connection))
    // Check first, so that nobody is asked for the passphrase of a missing slot.
    if let slotID, slots.isEmpty { throw NacreError(.noSuchSlot, detail: "slot \(slotID)") }
    return try KeyRing.unlock(record, slots: slots, with: secret(false))
  }
}
