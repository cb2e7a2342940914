public import NacreCore
import NacreCrypto
import NacreSQLite

extension Store {
  /// Clears the journal of rotations and conversions of rows that nobody with the store's key has written, or that
  /// somebody has changed: they keep every rotation, migration and rewrap from beginning.
  ///
  /// Nothing that such a row says is believed. Keys and values stay as they are: a rotation that really was half-way is
  /// begun anew by ``rotate(_:progress:)``, for both its keys open. A conversion that was half-way, as the table's columns
  /// show, is taken back where the old column holds every value, each as the catalog says. Then the file is written anew, for it may
  /// have been a conversion that had its plaintext still to clear. Rows that are believed stay.
  ///
  /// A conversion that was half-way and of which no row is left is taken back likewise.
  ///
  /// - Returns: what was cleared, as it said of itself; where no row was left, the conversions that were taken back, of
  ///   kind `conversion` and phase `abandoned`; none where every row is believed and nothing is half-way without one.
  /// - Throws: ``NacreError``, with nothing changed: `halfConverted`, with entity, property and object, where a value
  ///   might be lost; `catalogTampered` or `ringTampered`; `rotationHeld` while a rotation or migration
  ///   runs; `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`; `foreignSchema`.
  @discardableResult
  public func clearJournal() throws -> [RotationState] {
    try checkRingCanChange()
    return try NacreError.wrapping {
      let lock = try RotationLock(ofStoreAt: path)
      defer { lock.release() }
      let isNeeded = try read { database in
        try !database.forgedJournals().isEmpty || !database.abandonedConversions().isEmpty
      }
      guard isNeeded else { return [] }
      try read { try $0.refuseHalfConverted() }
      let cleared = try changeRing { database, ring in try database.clearForged(ring) }
      try withWriter { try $0.connection.execute(RotationSQL.vacuum) }
      // The next checkpoint overwrites it where a reader is in the way.
      _ = try emptyLog()
      return cleared
    }
  }
}

extension Database {
  /// The rows that go on and that nobody with the store's key has written as they are.
  ///
  /// - Throws: `ringTampered` for the ring itself; `storeLocked`.
  fileprivate func forgedJournals() throws -> [RotationJournal] {
    let ring = try home.followedRing(on: self)
    return try RotationJournal.unfinished(on: connection).filter {
      try !$0.isBelieved(by: ring, on: self)
    }
  }

  /// Refuses a store in which somebody needs a row of the journal to know how values lie.
  fileprivate func refuseHalfConverted() throws {
    let ring = try home.followedRing(on: self)
    // By the catalog it is told what is half-way. All other columns are as nobody's journal left them: a conversion
    // exchanges its columns and changes the catalog in one transaction.
    try refuseForeignCatalog()
    for half in try abandonedConversions() { try half.refuseLoss(ring, on: connection) }
  }

  /// Takes back what is half-way, and ends the rows, in the transaction of a change of the ring.
  fileprivate func clearForged(_ ring: KeyRing) throws -> [RotationState] {
    if let fault = RingCheck.primaries(ring).first {
      throw NacreError(.ringTampered, detail: fault.detail)
    }
    let forged = try forgedJournals()
    try refuseForeignCatalog()
    let abandoned = try abandonedConversions()
    for half in abandoned { try half.takeBack(on: self) }
    let now = Value.integer(Int64(clamping: StoreKeys.now()))
    try connection.withoutTriggers {
      for journal in forged {
        try connection.run(RotationSQL.clear, [.integer(journal.id), now])
      }
    }
    guard try forgedJournals().isEmpty else { throw RingTable.notAsWritten("the journal's rows") }
    // Other processes look at the tables anew.
    try replaceRing(by: ring.renumbered())
    return forged.isEmpty
      ? abandoned.map { RotationState(takenBack: $0) } : forged.map(RotationState.init)
  }
}

// MARK: - Async

extension Store {
  /// Clears the journal of rows that nobody with the store's key has written.
  ///
  /// - Returns: what was cleared.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func clearJournal() async throws -> [RotationState] {
    try await Self.onThread { try self.clearJournal() }
  }
}
