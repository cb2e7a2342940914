package import NacreCrypto
import NacreEngine

extension Database {
  /// Removes and writes slots, reads all slots back, and remembers the written ones once the
  /// transaction is committed.
  ///
  /// - Throws: `ringTampered` if something else is read back.
  func changeSlots(
    removing removed: [Int64] = [],
    writing written: [RingTable.NewSlot] = [],
    of ring: KeyRing
  ) throws {
    try RingTable.changeSlots(removing: removed, writing: written, of: ring, on: connection)
    undo.onCommit { [home] in home.keys.noteSlots(written.map(\.record), of: ring) }
  }

  /// Reads the ring again if its generation differs in the state that the connection sees, which
  /// may be an older one.
  ///
  /// - Returns: The same as ``StoreKeys/follow(on:seenBefore:)``.
  /// - Throws: The same errors; `ringTampered` if somebody restored an older ring.
  @discardableResult
  package func followRing() throws -> Bool {
    try home.keys.follow(on: connection, seenBefore: seenBefore.generation)
  }

  /// Reserves seals of a key whose suite limits them, in the transaction that uses them, and
  /// returns how many it reserved.
  ///
  /// A rollback undoes the reservation in the file, too. Seals that the transaction had made are
  /// then added to the next reservation.
  package func reserveSeals(_ id: KeyID, _ count: UInt64, of suite: Suite) throws -> UInt64 {
    let key = Value.integer(Int64(id.rawValue))
    guard case .integer(let reserved) = try connection.scalar(RingSQL.selectSeals, [key]) else {
      return 0
    }
    let counted = UInt64(clamping: reserved) + owedSeals
    let granted = suite.grant(count, reserved: counted)
    try connection.run(RingSQL.setSeals, [key, .integer(Int64(clamping: counted + granted))])
    let owed = owedSeals
    owedSeals = 0
    undo.note { [unowned self] in
      let unused = session?.session.dropReservation(of: id) ?? 0
      owedSeals += owed + granted - min(granted, unused)
    }
    return granted
  }
}

extension StoreKeys {
  /// Returns whether a value that did not open under the keys of a version may open now.
  ///
  /// That is so if the keys have changed since, or if this process did not know the value's key and
  /// the file has a newer ring.
  ///
  /// - Throws: The same errors as ``follow(on:seenBefore:)``.
  package func areNewer(
    than version: UInt64,
    for error: CryptoError,
    on database: Database
  ) throws -> Bool {
    if self.version != version { return true }
    return try error.code == .unknownKey && database.followRing()
  }
}

extension Store {
  /// Returns the ring in the state of the file that a connection sees.
  package func followedRing(on database: Database) throws -> KeyRing {
    try database.followRing()
    return try keys.unlocked()
  }
}
