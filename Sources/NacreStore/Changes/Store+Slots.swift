import NacreCrypto
import NacreSQLite

// The slots, by which secrets unlock the store. A slot is the store key under one secret. Changing
// slots takes milliseconds, touches no value and no key, and needs nothing of other processes.

extension Store {
  /// The slots: which kinds of secrets unlock the store, for which no secret is needed.
  ///
  /// - Returns: the slots by id; none where the store has no key ring.
  /// - Throws: ``NacreError``.
  public func slots() throws -> [SlotDescription] {
    try read { try SlotDescription.all(on: $0.connection) }
  }

  /// Lets one more secret unlock the store.
  ///
  /// - Parameter secret: the new secret; `.keyFile(…, createIfMissing: true)` makes its file.
  /// - Returns: the new slot's id, one more than the highest there is.
  /// - Throws: ``NacreError`` with code `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`;
  ///   `foreignSchema`; what the secret's source throws.
  @discardableResult
  public func addSlot(_ secret: Unlock) throws -> Int64 {
    let secret = try newSecret(secret)
    return try changeRing { database, ring in
      let all = try SlotDescription.all(on: database.connection)
      // An id beyond the slots' range can only have been put there by something else.
      let highest = all.compactMap { UInt32(exactly: $0.id) }.max() ?? 0
      guard highest < .max else {
        throw NacreError(.constraint, detail: "there is no id beyond slot \(highest)")
      }
      let slot = RingTable.NewSlot(
        record: try ring.makeSlot(id: highest + 1, secret: secret),
        secret: secret
      )
      try RingTable.changeSlots(writing: [slot], of: ring, on: database.connection)
      database.noteSlots([slot], of: ring)
      return Int64(highest) + 1
    }
  }

  /// Takes a slot away: its secret unlocks this file no more.
  ///
  /// Somebody who had the secret may have kept the slot, or the store key that was in it, and this
  /// call changes neither. Only ``rewrap(keeping:dropsOthers:)`` shuts them out for good.
  ///
  /// Nothing authenticates that a row is a slot: whoever may write to the file can add any number of them. So one that
  /// stays has to be known to open: by one of `others`, by the secret that this store was opened with, or because this
  /// store has written it since it was opened, and it lies there as it was written.
  ///
  /// - Parameters:
  ///   - id: the slot.
  ///   - others: secrets of which one opens a slot that stays; needed only where that of this store opens the removed one
  ///     alone.
  /// - Throws: ``NacreError`` with code `noSuchSlot`; `lastSlot` when no other is known to unlock the store;
  ///   `slotsNotTried`; `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`; `foreignSchema`; what
  ///   a secret's source throws.
  public func removeSlot(_ id: Int64, keeping others: [Unlock] = []) throws {
    try checkRingCanChange()
    // Before the writers' lock is taken: a passphrase takes half a second for each slot.
    let (before, proven) = try NacreError.wrapping { try provenSlots(besides: id, others) }
    try changeRing { database, ring in
      let all = try SlotDescription.all(on: database.connection)
      guard all.contains(where: { $0.id == id }) else {
        throw NacreError(.noSuchSlot, detail: "slot \(id)")
      }
      // A slot that was proven before another process has rewrapped the store opens it no more.
      let isSameKey = try before.hasMade(ring.record())
      guard isSameKey, try RingTable.slots(on: database.connection).contains(where: proven.contains)
      else { throw Store.noneLeft(besides: id, all) }
      try RingTable.changeSlots(removing: [id], of: ring, on: database.connection)
    }
  }

  /// The slots but one that are known to open to the ring at hand, or some of them.
  private func provenSlots(
    besides id: Int64,
    _ others: [Unlock]
  ) throws -> (ring: KeyRing, slots: [SlotRecord]) {
    let slots = try read { database in
      // Another process may have wrapped the ring anew.
      try database.followRing()
      return try RingTable.slots(on: database.connection).filter { Int64($0.id) != id }
    }
    let (ring, unlock) = try keys.ringAndUnlock()
    let written = try keys.writtenSlots(of: ring).filter(slots.contains)
    if slots.isEmpty || !written.isEmpty { return (ring, written) }
    for source in others + [unlock] {
      let tried = source.slots(among: slots)
      if tried.isEmpty { continue }
      let secret = try source.secret(false)
      do throws(CryptoError) {
        let opened = try ring.slots(tried, openedBy: secret)
        return (ring, tried.filter { opened.contains($0.id) })
      } catch {
        // One that nobody could try is not known to open.
        guard error.code == .wrongSecret || error.code == .badParameters else { throw error }
      }
    }
    return (ring, [])
  }

  private static func noneLeft(besides id: Int64, _ all: [SlotDescription]) -> NacreError {
    if all.count < 2 { return NacreError(.lastSlot, detail: "slot \(id) is the only one") }
    let others = all.count - 1
    return NacreError(
      .lastSlot,
      detail:
        "the file has \(others) more, but no secret is known that opens "
        + "\(others == 1 ? "it" : "one of them")",
      advice:
        "Open the store with the secret of a slot that stays, or give it by `keeping:`; nothing was changed."
    )
  }

  /// Gives a slot another secret in place of the one that it has, as when a passphrase is changed.
  ///
  /// As with ``removeSlot(_:)``, who had the former secret is shut out for good only after a
  /// ``rewrap(keeping:dropsOthers:)``.
  ///
  /// - Parameters:
  ///   - id: the slot.
  ///   - secret: the new secret; `.keyFile(…, createIfMissing: true)` makes its file.
  /// - Throws: ``NacreError`` with code `noSuchSlot`, `storeLocked` or `noKeyRing`; `transactionState` inside `read`
  ///   or `write`; `foreignSchema`; what the secret's source throws.
  public func changeSlot(_ id: Int64, to secret: Unlock) throws {
    guard try slots().contains(where: { $0.id == id }) else {
      throw NacreError(.noSuchSlot, detail: "slot \(id)")
    }
    let secret = try newSecret(secret)
    try changeRing { database, ring in
      // It may have gone meanwhile.
      let all = try SlotDescription.all(on: database.connection)
      guard all.contains(where: { $0.id == id }), let number = UInt32(exactly: id) else {
        throw NacreError(.noSuchSlot, detail: "slot \(id)")
      }
      let slot = RingTable.NewSlot(
        record: try ring.makeSlot(id: number, secret: secret),
        secret: secret
      )
      try RingTable.changeSlots(writing: [slot], of: ring, on: database.connection)
      database.noteSlots([slot], of: ring)
    }
  }

  /// Asks for a secret for a slot that will be made, before the writers' lock is taken.
  private func newSecret(_ source: Unlock) throws -> SlotSecret {
    try checkRingCanChange()
    return try NacreError.wrapping { try source.secret(true) }
  }
}
