import Foundation
import NacreCrypto
import NacreSQLite
import Synchronization

/// The key ring of one store as this process has it, and as it lies in the file.
package final class StoreKeys: Sendable {
  private enum State {
    /// The store has no ring and was opened without a secret.
    case none
    /// The store has a ring and was opened without a secret.
    case locked
    /// The ring, and what to unlock it with when another process has wrapped it anew.
    case unlocked(KeyRing, Unlock)
  }

  /// The greatest numbers that this process has seen in the file.
  package let seen = SeenNumbers()
  private let storeID: StoreID
  private let state = Mutex(State.none)
  private let changes = Atomic<UInt64>(0)
  /// The ring and slots in the file that the secret does not unlock any more: it is not asked for at every write, but
  /// again when one of them is another.
  private let shutOut = Mutex<(generation: UInt64, slots: [SlotRecord], why: CryptoError)?>(nil)

  /// Another number whenever the ring is another: what a connection made from it is out of date then.
  package var version: UInt64 { changes.load(ordering: .acquiring) }

  /// Says that connections have to make their sessions anew.
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

  /// The ring.
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

  /// The slots that this process has written and seen open, each with the ring that it opens.
  private let written = Mutex<[(slot: SlotRecord, ring: KeyRing)]>([])

  /// Those of them that open to a ring's store key.
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

  /// Unlocks the ring, or makes one for a store that has none, in the caller's transaction.
  ///
  /// - Throws: `wrongSecret`; `ringTampered`, also for a store that has sealed values and no ring at all.
  func open(on connection: Connection, unlock: Unlock?, suite: Suite) throws {
    let record = try RingTable.read(storeID, on: connection)
    guard let unlock else {
      return set(record == nil ? .none : .locked)
    }
    let ring: KeyRing
    if let record {
      ring = try unlock.ring(record, on: connection)
    } else {
      try refuseLostRing(on: connection)
      let secret = try unlock.secret(true)
      ring = try KeyRing.create(storeID: storeID, createdAt: StoreKeys.now(), suite: suite)
        .recatalogued()
      try RingTable.write(ring.record(), on: connection)
      try CatalogTable.write(
        CatalogTable.read(on: connection).bytes(),
        with: ring,
        on: connection
      )
      try RingTable.write(ring.makeSlot(id: 1, secret: secret), on: connection)
    }
    seen.note(generation: ring.generation)
    set(.unlocked(ring, unlock))
  }

  /// Refuses to make a ring where sealed values say that there was one, under which alone they open.
  private func refuseLostRing(on connection: Connection) throws {
    for cells in try SealedCells.all(on: connection) where try cells.holdEnvelope() {
      throw NacreError(
        .ringTampered,
        entity: cells.entity,
        property: cells.property,
        detail: "sealed values exist, but the key ring is gone"
      )
    }
  }

  /// The time for a new key's record, in milliseconds since 1970.
  package static func now() -> UInt64 {
    // A clock that was never set may stand before 1970.
    UInt64(max(0, Date().timeIntervalSince1970 * 1000))
  }

  // MARK: - Following

  /// Reads the ring again if its generation in the file is another.
  ///
  /// Where it was wrapped under another store key, the secret is asked for again.
  ///
  /// - Parameters:
  ///   - connection: a connection that is inside a transaction.
  ///   - seen: the generation that was seen before that began, where it did not begin right now. Its ring may be older than
  ///     the process's, which somebody has read from a newer state meanwhile; one that is older than what was seen
  ///     before is one that was put back.
  /// - Returns: whether it was, or somebody else has read a newer one meanwhile.
  /// - Throws: `ringTampered`, `noKeyRing` or `storeLocked`; `wrongSecret` when the store was rewrapped without this
  ///   secret.
  @discardableResult
  func follow(on connection: Connection, seenBefore seen: UInt64? = nil) throws -> Bool {
    let (ring, unlock) = try ringAndUnlock()
    let known = Int64(clamping: ring.generation)
    let generation = try connection.scalar(CatalogSQL.getValue, ["ringGeneration"])
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

  /// Goes over to a newer ring that is in the file.
  func take(_ newer: KeyRing) {
    seen.note(generation: newer.generation)
    state.withLock { state in
      // Connections follow at the same time, each from its own state of the file: never back to the older one.
      guard case .unlocked(let current, let unlock) = state,
        current.generation < newer.generation
      else { return }
      state = .unlocked(newer, unlock)
      // Where the catalog alone was written, whatever was made from the former ring is still good.
      if !newer.hasSameKeys(as: current) { touch() }
    }
  }

  /// Makes a ring this process's, whichever it had: for a change that is not committed yet, and for its rollback.
  func put(_ ring: KeyRing) {
    state.withLock { state in
      guard case .unlocked(_, let unlock) = state else { return }
      state = .unlocked(ring, unlock)
      touch()
    }
  }

  /// Unlocks a ring whose MAC is not by the store key at hand: it was rewrapped, or changed by something else.
  ///
  /// A slot that opens and a MAC that is wrong even so are tampering. Where no slot opens, nobody can tell a rewrap
  /// that did not keep this secret from slots that were destroyed; both shut out, so the likelier one is named.
  private func unlockAgain(
    _ record: RingRecord,
    on connection: Connection,
    with unlock: Unlock
  ) throws -> KeyRing {
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
    // Half a minute of work, which every write would begin again.
    if cause.code == .slotsNotTried { return NacreError.wrap(cause) }
    return NacreError(
      .wrongSecret,
      detail: "the store was rewrapped and this secret was not kept",
      cause: cause
    )
  }
}
