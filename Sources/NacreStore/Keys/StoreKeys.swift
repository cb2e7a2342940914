import Foundation
import NacreCrypto
import NacreEngine
import Synchronization

/// The key ring of one store, in this process and in the file.
package final class StoreKeys: Sendable {
  private enum State {
    /// The store has no ring and was opened without a secret.
    case none
    /// The store has a ring and was opened without a secret.
    case locked
    /// The ring, and the source of the secret that unlocks it again after another process has
    /// rewrapped it.
    case unlocked(KeyRing, Unlock)
  }

  /// The greatest numbers that this process has seen in the file.
  package let seen = SeenNumbers()
  private let storeID: StoreID
  private let state = Mutex(State.none)
  private let changes = Atomic<UInt64>(0)
  /// The ring and the slots in the file that the secret no longer unlocks, and the error.
  ///
  /// The secret is not asked for at every write, but it is asked for again when the ring or one of
  /// the slots changes.
  private let shutOut = Mutex<(generation: UInt64, slots: [SlotRecord], why: CryptoError)?>(nil)

  /// A number that changes when the ring's keys or a provider change.
  ///
  /// Whatever a connection made under the former number is then out of date.
  package var version: UInt64 { changes.load(ordering: .acquiring) }

  /// Makes connections create their sessions anew.
  func touch() { changes.add(1, ordering: .releasing) }

  private func set(_ new: State) {
    state.withLock { $0 = new }
    touch()
  }

  init(storeID: StoreID) { self.storeID = storeID }

  /// Whether the store has a ring, and was opened without a secret.
  package var isLocked: Bool {
    state.withLock { if case .locked = $0 { true } else { false } }
  }

  package var isUnlocked: Bool {
    state.withLock { if case .unlocked = $0 { true } else { false } }
  }

  /// Returns the ring.
  ///
  /// - Throws: `noKeyRing` or `storeLocked`.
  package func unlocked() throws -> KeyRing { try ringAndUnlock().0 }

  func ringAndUnlock() throws -> (KeyRing, Unlock) {
    switch state.withLock({ $0 }) {
    case .none: throw NacreError(.noKeyRing)
    case .locked: throw NacreError(.storeLocked)
    case .unlocked(let ring, let unlock): return (ring, unlock)
    }
  }

  // MARK: - Slots

  /// The slots that this process has written and then opened, each with the ring that it opens.
  private let written = Mutex<[(slot: SlotRecord, ring: KeyRing)]>([])

  /// Returns the slots among `written` that open to a ring's store key.
  func writtenSlots(of ring: KeyRing) throws -> [SlotRecord] {
    let record = ring.record()
    return try written.withLock { $0 }.filter { try $0.ring.hasMade(record) }.map(\.slot)
  }

  func noteSlots(_ slots: [SlotRecord], of ring: KeyRing) {
    written.withLock { written in
      written.removeAll { known in slots.contains { $0.id == known.slot.id } }
      written += slots.map { ($0, ring) }
    }
  }

  // MARK: - Opening

  /// Unlocks the ring in the caller's transaction, or creates one for a store that has none.
  ///
  /// - Throws: `wrongSecret`; `ringTampered`, also for a store that has sealed values but no ring.
  func open(on connection: any EngineConnection, unlock: Unlock?, suite: Suite) throws {
    let record = try RingTable.read(storeID, on: connection)
    let sealer = connection.home?.fileHeader?.sealer
    guard let unlock else {
      return set(record == nil ? .none : .locked)
    }
    let ring: KeyRing
    var secret: SlotSecret?
    if let record {
      ring = try sealer?.keys.openRing(record) ?? unlock.ring(record, on: connection)
    } else {
      try refuseLostRing(on: connection)
      // The secret has unlocked the header already, whose store key is that of the ring.
      let created = CreationTime.now()
      secret = sealer == nil ? try unlock.secret(true) : nil
      ring =
        try
        (sealer?.keys.makeRing(createdAt: created, suite: suite)
        ?? KeyRing.create(storeID: storeID, createdAt: created, suite: suite))
        .recatalogued()
      try RingTable.write(ring.record(), on: connection)
      try CatalogTable.write(
        CatalogTable.read(on: connection).bytes(),
        with: ring,
        on: connection
      )
      if let secret { try connection.put(ring.makeSlot(id: 1, secret: secret).kept) }
    }
    seen.note(generation: ring.generation)
    set(.unlocked(ring, unlock))
  }

  /// Throws if there are sealed values: there was a ring then, and they open under that ring alone.
  private func refuseLostRing(on connection: any EngineConnection) throws {
    for entity in try CatalogEntity.all(on: connection) {
      for property in entity.sealed {
        guard let column = property.column else { continue }
        let sql = RingSQL.holdsEnvelope(
          table: entity.table,
          column: column,
          connection.dialect
        )
        let found = try CatalogEntity.matching(entity.name, property.name) {
          try connection.scalar(sql)
        }
        guard found == .integer(1) else { continue }
        throw NacreError(
          .ringTampered,
          entity: entity.name,
          property: property.name,
          detail: "sealed values exist, but the key ring is gone"
        )
      }
    }
  }

  // MARK: - Following

  /// Reads the ring again if its generation in the file differs.
  ///
  /// If the ring was wrapped under another store key, the secret is asked for again.
  ///
  /// - Parameters:
  ///   - connection: A connection inside a transaction.
  ///   - seen: The generation that this process had seen before that transaction began; nil if the
  ///     transaction began just now. The ring that the transaction sees may be older than the
  ///     process's ring, if another connection has read a newer state meanwhile. A ring that is
  ///     older than `seen` was restored by somebody.
  /// - Returns: Whether the generation differed, so that the process now has this ring or a newer
  ///   one.
  /// - Throws: `ringTampered`, `noKeyRing` or `storeLocked`; `wrongSecret` if the store was
  ///   rewrapped without this secret.
  @discardableResult
  func follow(on connection: any EngineConnection, seenBefore seen: UInt64? = nil) throws -> Bool {
    let (ring, unlock) = try ringAndUnlock()
    let known = Int64(clamping: ring.generation)
    let generation =
      try connection.takeFirstAnswer() ?? connection.scalar(CatalogSQL.getValue, ["ringGeneration"])
    if generation == .integer(known) { return false }
    if let seen, case .integer(let older) = generation, older < known {
      if older >= Int64(clamping: seen) { return false }
      throw NacreError(.ringTampered, detail: "the ring is older than one that was there before")
    }
    guard let record = try RingTable.read(storeID, on: connection) else {
      throw NacreError(.ringTampered, detail: "the ring is gone")
    }
    do throws(CryptoError) {
      take(try ring.reloading(record))
    } catch {
      guard error.code == .ringTampered, record.generation > ring.generation else { throw error }
      take(try unlockAgain(record, on: connection, with: unlock))
    }
    return true
  }

  /// Switches to a newer ring that is in the file.
  func take(_ newer: KeyRing) {
    seen.note(generation: newer.generation)
    state.withLock { state in
      // Connections follow at the same time, each from its own state of the file: never go back to
      // an older ring.
      guard case .unlocked(let current, let unlock) = state,
        current.generation < newer.generation
      else { return }
      state = .unlocked(newer, unlock)
      // If only the catalog was written, everything that was made from the former ring is still
      // valid.
      if !newer.hasSameKeys(as: current) { touch() }
    }
  }

  /// Sets this process's ring, even to an older one: for a change that is not committed yet, and
  /// for its rollback.
  func put(_ ring: KeyRing) {
    state.withLock { state in
      guard case .unlocked(_, let unlock) = state else { return }
      state = .unlocked(ring, unlock)
      touch()
    }
  }

  /// Unlocks a ring whose MAC does not match the store key in memory: the ring was rewrapped or
  /// tampered with.
  ///
  /// If a slot opens but the MAC is still wrong, the ring was tampered with. If no slot opens,
  /// nobody can tell a rewrap that did not keep this secret from destroyed slots. Both lock this
  /// process out, so the error names the likelier one, the rewrap.
  private func unlockAgain(
    _ record: RingRecord,
    on connection: any EngineConnection,
    with unlock: Unlock
  ) throws -> KeyRing {
    // The header has the store key; it asks for the secret again.
    if let header = connection.home?.fileHeader {
      return try NacreError.wrapping { try header.keys().openRing(record) }
    }
    let slots = unlock.slots(among: try RingTable.slots(on: connection))
    let known = shutOut.withLock { tried in
      tried?.generation == record.generation && tried?.slots == slots ? tried?.why : nil
    }
    if let known { throw StoreKeys.wasShutOut(known) }
    let secret = try unlock.secret(false)
    do throws(CryptoError) {
      return try KeyRing.unlock(record, slots: slots, with: secret)
    } catch {
      guard error.code == .wrongSecret || error.code == .slotsNotTried else { throw error }
      shutOut.withLock { $0 = (record.generation, slots, error) }
      throw StoreKeys.wasShutOut(error)
    }
  }

  private static func wasShutOut(_ cause: CryptoError) -> any Error {
    // Trying the slots takes half a minute, which every write would start again.
    if cause.code == .slotsNotTried { return NacreError.wrap(cause) }
    return NacreError(
      .wrongSecret,
      detail: "the store was rewrapped and this secret was not kept",
      cause: cause
    )
  }
}
