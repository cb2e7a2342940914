import NacreCrypto
import NacreSQLite

// Who unlocks the store. A slot is the store key under one secret: changing slots takes milliseconds, touches no
// value and no key, and needs nothing of other processes.

extension Store {
  /// The slots: which kinds of secrets unlock the store, for which no secret is needed.
  ///
  /// - Returns: the slots by id; none where the store has no key ring.
  /// - Throws: ``NacreError``.
  public func slots() throws -> [SlotDescription] {
    try read { database in
      try CatalogReader(connection: database.connection, path: path, storeID: storeID).slots()
    }
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
      let reader = CatalogReader(connection: database.connection, path: path, storeID: storeID)
      // An id beyond the slots' range can only have been put there by something else.
      let highest = try reader.slots().compactMap { UInt32(exactly: $0.id) }.max() ?? 0
      guard highest < .max else {
        throw NacreError(.constraint, detail: "there is no id beyond slot \(highest)")
      }
      let slot = RingTable.NewSlot(
        record: try ring.makeSlot(id: highest + 1, secret: secret),
        secret: secret
      )
      try RingTable.changeSlots(writing: [slot], of: ring, on: database.connection)
      return Int64(highest) + 1
    }
  }

  /// Takes a slot away: its secret unlocks this file no more.
  ///
  /// Who had the secret may have kept the slot, or the store key that was in it, which this does not change: they are
  /// shut out for good only after a ``rewrap(keeping:dropsOthers:)``.
  ///
  /// - Parameter id: the slot.
  /// - Throws: ``NacreError`` with code `noSuchSlot`, `lastSlot` when no other could unlock the store, `storeLocked`
  ///   or `noKeyRing`; `transactionState` inside `read` or `write`; `foreignSchema`.
  public func removeSlot(_ id: Int64) throws {
    try changeRing { database, ring in
      let reader = CatalogReader(connection: database.connection, path: path, storeID: storeID)
      guard try reader.slots().contains(where: { $0.id == id }) else {
        throw NacreError(.noSuchSlot, detail: "slot \(id)")
      }
      guard try RingTable.slots(on: database.connection).contains(where: { $0.id != id }) else {
        throw NacreError(.lastSlot, detail: "slot \(id) is the only one")
      }
      try RingTable.changeSlots(removing: [id], of: ring, on: database.connection)
    }
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
      let reader = CatalogReader(connection: database.connection, path: path, storeID: storeID)
      guard try reader.slots().contains(where: { $0.id == id }), let number = UInt32(exactly: id)
      else { throw NacreError(.noSuchSlot, detail: "slot \(id)") }
      let slot = RingTable.NewSlot(
        record: try ring.makeSlot(id: number, secret: secret),
        secret: secret
      )
      try RingTable.changeSlots(writing: [slot], of: ring, on: database.connection)
    }
  }

  /// Asks for a secret for a slot that will be made, before the writers' lock is taken.
  private func newSecret(_ source: Unlock) throws -> SlotSecret {
    try checkRingCanChange()
    return try NacreError.wrapping { try source.secret(true) }
  }
}
