package import NacreCrypto
import NacreSQLite

extension Database {
  /// Notes slots that were read back and opened by their secrets, once the transaction is committed.
  func noteSlots(_ slots: [RingTable.NewSlot], of ring: KeyRing) {
    undo.onCommit { [home] in home.keys.noteSlots(slots.map(\.record), of: ring) }
  }

  /// Reads the ring again if its generation is another in the state that the connection is in, which may be an older one.
  ///
  /// - Returns: as ``StoreKeys/follow(on:seenBefore:)``.
  /// - Throws: the same; `ringTampered` for a ring that somebody has put back.
  @discardableResult
  package func followRing() throws -> Bool {
    try home.keys.follow(on: connection, seenBefore: seenBefore.generation)
  }

  /// Counts seals of a key whose suite limits them, in the transaction that makes them.
  ///
  /// A rollback takes the reservation back, too. Then the next seal reserves anew, and what was sealed and thrown away
  /// is owed to that reservation.
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
  /// Whether what did not open under the keys of a version may open now: they are others by now, or the key is one that
  /// this process has not heard of, and the ring in the file is newer.
  ///
  /// - Throws: as ``follow(on:seenBefore:)``.
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
  /// The ring of the state of the file that a connection is in.
  package func followedRing(on database: Database) throws -> KeyRing {
    try database.followRing()
    return try keys.unlocked()
  }
}
