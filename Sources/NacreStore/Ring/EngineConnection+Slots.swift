import NacreEngine

// The slots are where the engine's home keeps them, or else in `nacre_slot`.

extension EngineConnection {
  /// Returns every slot by its id, including those that this version can't read.
  func keptSlots() throws -> [KeptSlot] {
    if let keeper = home?.slotKeeper { return try keeper.slots(on: self) }
    return try rows(RingSQL.selectSlots) { row in
      KeptSlot(
        id: row.int64(at: 0),
        kind: row.value(at: 1),
        parameters: row.value(at: 2),
        sealed: row.value(at: 3)
      )
    }
  }

  /// Writes a slot, and replaces the slot that has its id.
  func put(_ slot: KeptSlot) throws {
    if let keeper = home?.slotKeeper { return try keeper.put(slot, on: self) }
    try run(RingSQL.putSlot(dialect), [.integer(slot.id), slot.kind, slot.parameters, slot.sealed])
  }

  /// Removes the slot of that id, if there is one.
  func removeSlot(_ id: Int64) throws {
    if let keeper = home?.slotKeeper { return try keeper.remove(id, on: self) }
    try run(RingSQL.deleteSlot, [.integer(id)])
  }
}
