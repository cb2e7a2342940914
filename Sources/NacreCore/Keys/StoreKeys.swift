import Foundation
import NacreCrypto
import NacreSQLite
import Synchronization

/// The key ring of one store as this process has it, and as it lies in the file.
final class StoreKeys: Sendable {
  private enum State {
    /// The store has no ring and was opened without a secret.
    case none
    /// The store has a ring and was opened without a secret.
    case locked
    case unlocked(KeyRing)
  }

  private let storeID: StoreID
  private let state = Mutex(State.none)
  private let changes = Atomic<UInt64>(0)

  /// Another number whenever the ring is another: what a connection made from it is out of date then.
  var version: UInt64 { changes.load(ordering: .acquiring) }

  /// Says that connections have to make their sessions anew.
  func touch() { changes.add(1, ordering: .releasing) }

  private func set(_ new: State) {
    state.withLock { $0 = new }
    touch()
  }

  init(storeID: StoreID) { self.storeID = storeID }

  var isUnlocked: Bool {
    state.withLock { if case .unlocked = $0 { true } else { false } }
  }

  /// The ring.
  ///
  /// - Throws: `noKeyRing` or `storeLocked`.
  func unlocked() throws -> KeyRing {
    switch state.withLock({ $0 }) {
    case .none: throw NacreError(.noKeyRing)
    case .locked: throw NacreError(.storeLocked)
    case .unlocked(let ring): return ring
    }
  }

  // MARK: - Opening

  /// Unlocks the ring, or makes one for a store that has none, in the caller's transaction.
  func open(on connection: Connection, unlock: Unlock?, suite: Suite) throws {
    let record = try RingTable.read(storeID, on: connection)
    guard let unlock else {
      return set(record == nil ? .none : .locked)
    }
    let ring: KeyRing
    if let record {
      let secret = try unlock.secret(false)
      ring = try KeyRing.unlock(record, slots: RingTable.slots(on: connection), with: secret)
    } else {
      let secret = try unlock.secret(true)
      // A clock that was never set may stand before 1970.
      let milliseconds = UInt64(max(0, Date().timeIntervalSince1970 * 1000))
      ring = try KeyRing.create(storeID: storeID, createdAt: milliseconds, suite: suite)
      try RingTable.write(ring.record(), on: connection)
      try RingTable.write(ring.makeSlot(id: 1, secret: secret), on: connection)
    }
    set(.unlocked(ring))
  }

  /// Reads the ring again if its generation in the file is another.
  ///
  /// - Parameters:
  ///   - connection: a connection that is inside a transaction.
  ///   - isLater: whether that began before now. Its state of the file may be older than the ring then, which somebody
  ///     has read from a newer one; in a state that is read only now, an older ring is one that was put back.
  /// - Returns: whether it was, or somebody else has read a newer one meanwhile.
  /// - Throws: `ringTampered`, `noKeyRing` or `storeLocked`.
  @discardableResult
  func follow(on connection: Connection, isLater: Bool = false) throws -> Bool {
    let ring = try unlocked()
    let known = Int64(clamping: ring.generation)
    let generation = try connection.scalar(CatalogSQL.getValue, ["ringGeneration"])
    if generation == .integer(known) { return false }
    if isLater, case .integer(let older) = generation, older < known { return false }
    guard let record = try RingTable.read(storeID, on: connection) else {
      throw NacreError(.ringTampered, detail: "the ring is gone")
    }
    let newer = try ring.reloading(record)
    state.withLock { state in
      // Connections follow at the same time, each from its own state of the file: never back to the older one.
      if case .unlocked(let current) = state, current.generation >= newer.generation { return }
      state = .unlocked(newer)
      touch()
    }
    return true
  }
}

extension Database {
  /// Counts seals of a key whose suite limits them, in the transaction that makes them.
  ///
  /// A rollback takes the reservation back, too. Then the next seal reserves anew, and what was sealed and thrown away
  /// is owed to that reservation.
  func reserveSeals(_ id: KeyID, _ count: UInt64, of suite: Suite) throws -> UInt64 {
    let key = Value.integer(Int64(id.rawValue))
    guard case .integer(let reserved) = try connection.scalar(CatalogSQL.selectSeals, [key]) else {
      return 0
    }
    let counted = UInt64(clamping: reserved) + owedSeals
    let granted = suite.grant(count, reserved: counted)
    try connection.run(CatalogSQL.setSeals, [key, .integer(Int64(clamping: counted + granted))])
    let owed = owedSeals
    owedSeals = 0
    undo.note { [unowned self] in
      let unused = session?.session.sealer.dropReservation() ?? 0
      owedSeals += owed + granted - min(granted, unused)
    }
    return granted
  }
}
