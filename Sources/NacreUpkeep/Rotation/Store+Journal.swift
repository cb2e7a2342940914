import NacreEngine
public import NacreStore
import NacreCrypto

extension Store {
  /// Ends the unfinished rows in the journal of rotations and conversions that nobody with the store's key wrote, or
  /// that somebody has changed; such rows prevent every rotation, migration and rewrap.
  ///
  /// It believes nothing that such a row says. Keys and values stay as they are. If a rotation really was half-way,
  /// ``rotate(_:progress:)`` begins it again, because the old and the new keys both open. If a conversion was half-way,
  /// as the table's columns show, and the old column holds every value in the form that the catalog describes, it
  /// undoes the conversion. Then it rewrites the file, because the row may have belonged to a conversion that still had
  /// plaintext to clear. Rows that are authentic stay.
  ///
  /// It also undoes a half-way conversion that has no row left in the journal.
  ///
  /// - Returns: the cleared rows, as they described themselves; if there was no such row, the conversions that were
  ///   undone, of kind `conversion` and phase `abandoned`; empty if every row is authentic and there is no half-way
  ///   conversion without one.
  /// - Throws: ``NacreError``, with nothing changed: `halfConverted`, with entity, property and object, if a value
  ///   might be lost; `catalogTampered` or `ringTampered`; `rotationHeld` while a rotation or migration runs;
  ///   `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`; `foreignSchema`.
  @discardableResult
  public func clearJournal() throws -> [RotationState] {
    try checkRingCanChange()
    return try NacreError.wrapping {
      let lock = try RotationLock(of: self)
      defer { lock.release() }
      let isNeeded = try read { database in
        try !database.forgedJournals().isEmpty || !database.abandonedConversions().isEmpty
      }
      guard isNeeded else { return [] }
      try read { try $0.refuseHalfConverted() }
      let cleared = try changeRing { database, ring in try database.clearForged(ring) }
      try withWriter { try $0.connection.vacuum() }
      // If a reader prevents this, the next checkpoint overwrites the log.
      _ = try emptyLog()
      return cleared
    }
  }
}

extension Database {
  /// The unfinished rows that a holder of the store's key did not write as they are now.
  ///
  /// - Throws: `ringTampered` if the ring itself does not verify; `storeLocked`.
  fileprivate func forgedJournals() throws -> [RotationJournal] {
    let ring = try home.followedRing(on: self)
    return try RotationJournal.unfinished(on: connection).filter {
      try !$0.isBelieved(by: ring, on: self)
    }
  }

  /// Throws if a value might be lost because only a row of the journal could say how values are stored.
  fileprivate func refuseHalfConverted() throws {
    let ring = try home.followedRing(on: self)
    // The catalog shows which conversions are half-way. All other columns are in their settled form, because a
    // conversion exchanges its columns and changes the catalog in one transaction.
    try refuseForeignCatalog()
    for half in try abandonedConversions() { try half.refuseLoss(ring, on: connection) }
  }

  /// Undoes the half-way conversions and ends the forged rows, in the transaction of a change of the ring.
  fileprivate func clearForged(_ ring: KeyRing) throws -> [RotationState] {
    if let fault = RingCheck.primaries(ring).first {
      throw NacreError(.ringTampered, detail: fault.detail)
    }
    let forged = try forgedJournals()
    try refuseForeignCatalog()
    let abandoned = try abandonedConversions()
    for half in abandoned { try half.takeBack(on: self) }
    let now = Value.integer(Int64(clamping: CreationTime.now()))
    try connection.withoutTriggers {
      for journal in forged {
        try connection.run(RotationSQL.clear, [.integer(journal.id), now])
      }
    }
    guard try forgedJournals().isEmpty else { throw RingTable.notAsWritten("the journal's rows") }
    // A new generation makes other processes look at the tables again.
    try replaceRing(by: ring.renumbered())
    return forged.isEmpty
      ? abandoned.map { RotationState(takenBack: $0) } : forged.map(RotationState.init)
  }
}

// MARK: - Async

extension Store {
  /// Ends the unfinished rows of the journal that nobody with the store's key wrote.
  ///
  /// - Returns: the states of the rotations and conversions whose rows were cleared.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func clearJournal() async throws -> [RotationState] {
    try await Self.onThread { try self.clearJournal() }
  }
}
