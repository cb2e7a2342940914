import NacreCrypto
import NacreEngine

// Slots let secrets unlock the store. A slot is the store key, sealed under one secret. A change of
// slots takes milliseconds and touches no value and no key, and other processes need not do
// anything.
//
// The async twins run on a thread of their own, because a passphrase takes half a second, and a key
// service may take any time.

extension Store {
  /// Returns the slots, which show the kinds of secrets that unlock the store; no secret is needed.
  ///
  /// - Returns: The slots by id; empty if the store has no key ring.
  /// - Throws: ``NacreError``.
  public func slots() throws -> [SlotDescription] {
    try read { try SlotDescription.all(on: $0.connection) }
  }

  /// Returns the slots, which show the kinds of secrets that unlock the store; no secret is needed.
  ///
  /// - Throws: ``NacreError``.
  public func slots() async throws -> [SlotDescription] {
    try await Self.onThread { try self.slots() }
  }

  /// Adds a secret that unlocks the store.
  ///
  /// - Parameter secret: The new secret; `.keyFile(…, createIfMissing: true)` creates its file.
  /// - Returns: The new slot's id, one more than the highest id.
  /// - Throws: ``NacreError`` with code `storeLocked` or `noKeyRing`; `transactionState` inside
  ///   `read` or `write`; `foreignSchema`; the error of the secret's source.
  @discardableResult
  public func addSlot(_ secret: Unlock) throws -> Int64 {
    let secret = try newSecret(secret)
    return try changeRing { database, ring in
      let all = try SlotDescription.all(on: database.connection)
      // Nacre never writes an id beyond the slots' range, so such a row is ignored here.
      let highest = all.compactMap { UInt32(exactly: $0.id) }.max() ?? 0
      guard highest < .max else {
        throw NacreError(.constraint, detail: "there is no id beyond slot \(highest)")
      }
      try refuseUnfinishedRewrap(ring, on: database)
      let slot = try ring.newSlot(id: highest + 1, secret: secret)
      try database.changeSlots(writing: [slot], of: ring)
      return Int64(highest) + 1
    }
  }

  /// Adds a secret that unlocks the store.
  ///
  /// - Returns: The new slot's id.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func addSlot(_ secret: Unlock) async throws -> Int64 {
    try await Self.onThread { try self.addSlot(secret) }
  }

  /// Removes a slot, so that its secret no longer unlocks this file.
  ///
  /// Somebody who had the secret may have kept the slot, or the store key that was in it, and this
  /// call changes neither. Only ``rewrap(keeping:dropsOthers:)`` shuts them out for good.
  ///
  /// Nothing authenticates that a row is a slot, and an attacker who can write to the file can add
  /// any number of rows. So at least one remaining slot has to be known to open. It is known if one
  /// of `others` opens it, or the secret with which this store was opened; or if this store has
  /// written the slot since it was opened, and the slot is still in the file as it was written.
  ///
  /// - Parameters:
  ///   - id: The slot.
  ///   - others: Secrets, one of which opens a remaining slot; only needed if this store's secret
  ///     opens no slot but the removed one.
  /// - Throws: ``NacreError`` with code `noSuchSlot`; `lastSlot` if no other slot is known to
  ///   unlock the store; `slotsNotTried`; `storeLocked` or `noKeyRing`; `transactionState` inside
  ///   `read` or `write`; `foreignSchema`; the error of a secret's source.
  public func removeSlot(_ id: Int64, keeping others: [Unlock] = []) throws {
    try checkRingCanChange()
    // Do this before taking the writers' lock, because a passphrase takes half a second for each
    // slot.
    let (before, proven) = try NacreError.wrapping { try provenSlots(besides: id, others) }
    try changeRing { database, ring in
      let all = try SlotDescription.all(on: database.connection)
      guard all.contains(where: { $0.id == id }) else {
        throw NacreError(.noSuchSlot, detail: "slot \(id)")
      }
      // If another process rewrapped the store meanwhile, a slot that was proven before no longer
      // opens it.
      let isSameKey = try before.hasMade(ring.record())
      guard isSameKey, try RingTable.slots(on: database.connection).contains(where: proven.contains)
      else { throw Store.noneLeft(besides: id, all) }
      try database.changeSlots(removing: [id], of: ring)
    }
  }

  /// Removes a slot; only a rewrap shuts out for good whoever had its secret.
  ///
  /// - Throws: ``NacreError``.
  public func removeSlot(_ id: Int64, keeping others: [Unlock] = []) async throws {
    try await Self.onThread { try self.removeSlot(id, keeping: others) }
  }

  /// Returns slots, except `id`, that are known to open to the ring in memory; not necessarily all
  /// of them.
  private func provenSlots(
    besides id: Int64,
    _ others: [Unlock]
  ) throws -> (ring: KeyRing, slots: [SlotRecord]) {
    let slots = try read { database in
      // Another process may have rewrapped the ring.
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
        // A slot that could not be tried is not known to open.
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
        + "\(others == 1 ? "it" : "one of them")"
    )
  }

  /// Replaces the secret of a slot by another one, for example to change a passphrase.
  ///
  /// As with ``removeSlot(_:)``, only ``rewrap(keeping:dropsOthers:)`` shuts out for good whoever
  /// had the former secret.
  ///
  /// - Parameters:
  ///   - id: The slot.
  ///   - secret: The new secret; `.keyFile(…, createIfMissing: true)` creates its file.
  /// - Throws: ``NacreError`` with code `noSuchSlot`, `storeLocked` or `noKeyRing`;
  ///   `transactionState` inside `read` or `write`; `foreignSchema`; the error of the secret's
  ///   source.
  public func changeSlot(_ id: Int64, to secret: Unlock) throws {
    guard try slots().contains(where: { $0.id == id }) else {
      throw NacreError(.noSuchSlot, detail: "slot \(id)")
    }
    let secret = try newSecret(secret)
    try changeRing { database, ring in
      // The slot may have been removed meanwhile.
      let all = try SlotDescription.all(on: database.connection)
      guard all.contains(where: { $0.id == id }), let number = UInt32(exactly: id) else {
        throw NacreError(.noSuchSlot, detail: "slot \(id)")
      }
      try refuseUnfinishedRewrap(ring, on: database)
      try database.changeSlots(writing: [ring.newSlot(id: number, secret: secret)], of: ring)
    }
  }

  /// Replaces the secret of a slot by another one.
  ///
  /// - Throws: ``NacreError``.
  public func changeSlot(_ id: Int64, to secret: Unlock) async throws {
    try await Self.onThread { try self.changeSlot(id, to: secret) }
  }

  /// Asks for the secret of a slot that will be made, before the writers' lock is taken.
  private func newSecret(_ source: Unlock) throws -> SlotSecret {
    try checkRingCanChange()
    return try NacreError.wrapping { try source.secret(true) }
  }
}
