import NacreCrypto
import NacreEngine

// A rewrap of a sealed file changes the header, which is no part of a transaction, and the tables. The
// header goes first and keeps the former store key, so that it opens the tables whichever store key
// they are under; the tables follow; then the header drops the former store key. Each step is on the
// disk before the next one, so a crash or a failed commit leaves a file that opens and goes on.

extension Store {
  /// Gives the header of a sealed file a new store key, and the tables' ring with it, in the caller's
  /// transaction.
  ///
  /// The header is written last, when nothing but the commit can fail.
  ///
  /// - Returns: How often the ring was changed.
  /// - Throws: `rotationUnfinished` while pages are under a former file key, which the former store key
  ///   can open; `ringTampered` if a new slot does not open; `headerFull`.
  func rewrap(
    _ ring: KeyRing,
    _ header: HeaderSlots,
    keeping kept: [(id: UInt32, secret: SlotSecret)],
    on database: Database
  ) throws -> UInt64 {
    let present = try header.keys()
    guard !present.isRekeyUnfinished else {
      throw NacreError(
        .rotationUnfinished,
        detail:
          "the former store key could still open the new key of the file; finish the rotation "
          + "of the file's key, rewrap, and rotate it again"
      )
    }
    let next = try NacreError.wrapping {
      try present.rewrapped(slots: kept.map { NewSlot(id: $0.id, secret: $0.secret) })
    }
    for slot in kept {
      guard try next.slots(openedBy: slot.secret, slot: slot.id) == [slot.id] else {
        throw RingTable.notAsWritten("slot \(slot.id)")
      }
    }
    let rewrapped = try next.rewrapping(ring.withoutPendingKeys())
    let number = try database.replaceRing(ring, byRewrapped: rewrapped)
    try header.change(on: database.connection) { _ in next }
    database.undo.onCommit { [keys] in
      keys.noteSlots(next.header.slots.compactMap(\.record), of: rewrapped)
    }
    return number
  }

  /// Finishes a rewrap that was interrupted; does nothing if there is none.
  ///
  /// While a rotation or conversion is unfinished, it waits for its end: the journal is under the
  /// former store key.
  ///
  /// - Throws: ``NacreError``.
  func finishRewrap() throws {
    guard let header = engine.fileHeader, try header.keys().isRewrapUnfinished
    else { return }
    let isDone = try writeSynced { database -> Bool in
      let present = try header.keys()
      guard present.isRewrapUnfinished else { return true }
      let ring = try wholeRing(database)
      if present.hasStoreKey(of: ring) { return true }
      guard try RotationJournal.believed(on: database) == nil else { return false }
      let rewrapped = try present.rewrapping(ring.withoutPendingKeys())
      _ = try database.replaceRing(ring, byRewrapped: rewrapped)
      return true
    }
    guard isDone else { return }
    try syncLog()
    try writeSynced { database in
      // Another process may have finished it, or another rewrap begun.
      let present = try header.keys()
      guard present.isRewrapUnfinished, try present.hasStoreKey(of: wholeRing(database)) else {
        return
      }
      try header.change(on: database.connection) { keys in
        try NacreError.wrapping { try keys.finishingRewrap() }
      }
    }
  }

  /// Waits until the log is on the disk, with what somebody else has committed to it.
  ///
  /// Whoever moved the tables to the new store key may have been killed before the log was synced. A power
  /// cut must not take that back once the header has dropped the former store key.
  private func syncLog() throws {
    guard let rekeying = try engine.rekeying() else { return }
    // The connection has no transaction and is gone in any case.
    defer { try? rekeying.close() }
    try rekeying.syncLog()
  }

  /// Finishes a change of a sealed file's header that a crash or an error has interrupted: between its two
  /// copies, or between header and tables.
  ///
  /// If another writer is in the way, the file is read-only or the disk is full, it does nothing: the
  /// next opening or the next change of keys does it.
  ///
  /// - Throws: ``NacreError``.
  package func finishHeaderChange() throws {
    guard !isOnlyLookedAt, keys.isUnlocked, let header = engine.fileHeader else {
      return
    }
    do {
      if header.isChangeUnfinished { try write { try header.finishChange(on: $0.connection) } }
      try finishRewrap()
    } catch let error as NacreError
      where [NacreError.Code.busy, .readOnly, .diskFull].contains(error.code)
    {
      return
    }
  }

  /// Runs a transaction that may change the header of a sealed file, and tells if it fails after that.
  ///
  /// The header is no part of the transaction: what it says stays, and the next opening or the next change
  /// finishes the rest.
  ///
  /// - Throws: `headerChangeUnfinished` in place of the error of the body, if the header has changed.
  func tellingOfHeader<T>(_ body: () throws -> T) throws -> T {
    guard let header = engine.fileHeader else { return try body() }
    // With the writer, so that no other thread changes the header meanwhile.
    return try withWriter { _ in
      let count = header.changeCount
      do {
        return try body()
      } catch {
        guard header.changeCount != count else { throw error }
        throw NacreError(.headerChangeUnfinished, cause: error)
      }
    }
  }

  /// Throws unless slots of the ring open the header, as they don't while a rewrap waits for the end of a
  /// rotation.
  func refuseUnfinishedRewrap(_ ring: KeyRing, on database: Database) throws {
    guard let header = engine.fileHeader,
      try !header.keys().hasStoreKey(of: ring)
    else { return }
    guard try RotationJournal.believed(on: database) == nil else {
      throw NacreError(
        .rotationUnfinished,
        detail:
          "the store was given a new store key in the meantime, which has to be finished after it"
      )
    }
    throw NacreError(.busy, detail: "somebody has just begun to give the store a new store key")
  }

  /// Runs the body in a write transaction that a power cut can't undo once it is committed.
  func writeSynced<T>(_ body: (Database) throws -> T) throws -> T {
    try tellingOfHeader {
      try withWriter { database in
        try database.connection.syncingCommits { try database.transaction(.immediate, body) }
      }
    }
  }
}
