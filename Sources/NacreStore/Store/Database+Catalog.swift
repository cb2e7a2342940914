import NacreCrypto
import NacreEngine

// A transaction that changes the catalog of a store with a ring needs the store's secret. Before
// its first change it verifies that the catalog is as it was written, and at its end it writes the
// catalog's new MAC. Code that relies on the catalog verifies it first.

/// The work of one connection's transactions on the catalog and the ring.
///
/// Each field holds the number of a transaction, so it does not apply to the next one.
struct CatalogWork {
  /// The last transaction that found the catalog authentic, or that may change it without a check.
  fileprivate var trusted: UInt64 = 0
  /// The last transaction that changed the catalog of a store with a ring.
  fileprivate var changed: UInt64 = 0
  /// The last transaction that writes the catalog's MAC even if the catalog is the same, because
  /// the store key is new or the catalog was accepted.
  fileprivate var renewed: UInt64 = 0
  /// The ring that a transaction wrote last, with that transaction's number.
  fileprivate var ring: (transaction: UInt64, ring: KeyRing)?
}

extension Database {
  /// The number of the open transaction; nil if none is open.
  private var transactionNumber: UInt64? {
    connection.isInTransaction ? connection.transactionNumber : nil
  }

  /// Runs a statement that changes the catalog in the open transaction, whose end writes the
  /// catalog's MAC.
  ///
  /// - Throws: `storeLocked` if the store has a ring and was opened without a secret;
  ///   `catalogTampered` if somebody else changed the catalog before.
  package func changeCatalog(_ sql: String, _ arguments: [Value] = []) throws {
    try beginCatalogChange()
    try connection.run(sql, arguments)
  }

  /// Makes sure that the catalog may be changed; called before each change.
  func beginCatalogChange() throws {
    guard let number = transactionNumber else {
      throw NacreError(
        .transactionState,
        detail: "the catalog can be changed only inside write { }"
      )
    }
    if catalogWork.changed == number { return }
    guard home.keys.isUnlocked else {
      if catalogWork.trusted == number { return }
      // Another process may have created a ring since the store was opened.
      guard try RingTable.read(home.storeID, on: connection) == nil else {
        throw NacreError(
          .storeLocked,
          detail: "the store's catalog of entities can be changed only with the secret"
        )
      }
      catalogWork.trusted = number
      return
    }
    try refuseForeignCatalog()
    catalogWork.changed = number
  }

  /// Makes the open transaction write the catalog's MAC even if the catalog is the same, because
  /// the store key is new.
  ///
  /// - Throws: `catalogTampered`, as for a change.
  func renewCatalogMark() throws {
    try beginCatalogChange()
    catalogWork.renewed = connection.transactionNumber
  }

  /// Accepts the catalog in the file as what the store's owner wants.
  ///
  /// - Parameter reviewed: The catalog's bytes when the owner looked at it.
  /// - Throws: `catalogTampered` if the catalog has changed since.
  func acceptCatalog(_ reviewed: [UInt8]) throws {
    try refuseOther(than: reviewed)
    catalogWork.trusted = connection.transactionNumber
    try renewCatalogMark()
  }

  /// Replaces the catalog by its authenticated copy, whose MAC stays as it is.
  ///
  /// - Parameter reviewed: The catalog's bytes when the owner looked at it.
  /// - Throws: `catalogTampered` if the catalog has changed since, or if there is no copy with a
  ///   valid MAC; `foreignSchema`.
  func restoreCatalog(_ reviewed: [UInt8]) throws {
    try refuseOther(than: reviewed)
    try OwnTables.refuseForeignObjects(on: connection)
    switch try catalogTrust() {
    case .authentic: return
    case .changed(let written): try CatalogTable.replace(by: written, on: connection)
    case .unmarked: throw tampered("the catalog never had a MAC")
    case .lost(let detail): throw tampered(detail)
    case .former: throw tampered("the catalog's MAC was made with another store key")
    }
    guard case .authentic = try catalogTrust() else {
      throw tampered("the catalog in the file is not the one that was put back")
    }
  }

  private func tampered(_ detail: String) -> NacreError {
    NacreError(.catalogTampered, detail: detail)
  }

  private func refuseOther(than reviewed: [UInt8]) throws {
    let found = try CatalogTable.read(on: connection)
    if try found.bytes() == reviewed { return }
    let words = CatalogDifference.words(from: try CatalogTable.record(of: reviewed), to: found)
    throw tampered("the catalog was changed since it was reviewed: \(words)")
  }

  /// Throws if the catalog was not written by a holder of the store key.
  ///
  /// Without a ring, or without its secret, the store can't tell and accepts the catalog. Each
  /// transaction checks once, because it sees one state.
  ///
  /// - Throws: `catalogTampered`, which names the differences; `ringTampered`.
  package func refuseForeignCatalog() throws {
    guard home.keys.isUnlocked else { return }
    if let number = transactionNumber, catalogWork.trusted == number { return }
    switch try trustForUse() {
    case .unmarked, .authentic, .former: break
    case .changed(let written):
      let found = try CatalogTable.read(on: connection)
      throw tampered(CatalogDifference.words(from: written, to: found))
    case .lost(let detail): throw tampered(detail)
    }
    if let number = transactionNumber { catalogWork.trusted = number }
  }

  private func trustForUse() throws -> CatalogTrust {
    do {
      return try catalogTrust()
    } catch let error
      where !isWriter && (NacreError.wrap(error) as? NacreError)?.code == .wrongSecret
    {
      // Somebody rewrapped the store without this secret. Open values stay readable, as without a
      // secret, and nothing can be written.
      return .former
    }
  }

  /// Compares the catalog with the ring in the state that the connection sees, and returns whether
  /// it can be trusted.
  ///
  /// - Throws: `storeLocked`, `noKeyRing`, `ringTampered`, `wrongSecret`.
  package func catalogTrust() throws -> CatalogTrust {
    // A write transaction followed the ring when it began, and may have written another ring since.
    if isWriter && connection.isInTransaction {
      // This transaction verified the catalog before it changed it, and writes the MAC at its end.
      if catalogWork.changed == connection.transactionNumber { return .authentic }
      return try CatalogTrust(currentRing(), on: connection)
    }
    // Ring and catalog must be read from one state.
    return try reading { database in
      try database.followRing()
      return try CatalogTrust(home.keys.unlocked(), on: connection)
    }
  }

  /// Returns the ring that the open transaction wrote, or else the ring in memory.
  private func currentRing() throws -> KeyRing {
    if let written = catalogWork.ring, written.transaction == transactionNumber {
      return written.ring
    }
    return try home.keys.unlocked()
  }

  /// Records the ring that the open transaction wrote; the transaction uses it from now on.
  func noteWritten(_ ring: KeyRing) {
    let former = catalogWork.ring
    catalogWork.ring = (connection.transactionNumber, ring)
    undo.note { [unowned self] in catalogWork.ring = former }
  }

  /// Writes the catalog's MAC at the end of a transaction that changed the catalog.
  ///
  /// - Throws: `foreignSchema` if a trigger or view could have changed the catalog, too; the errors
  ///   of writing.
  func sealCatalog() throws {
    // Return early, because every commit calls this.
    if catalogWork.changed == 0 { return }
    guard let number = transactionNumber, catalogWork.changed == number else { return }
    try OwnTables.refuseForeignObjects(on: connection)
    let ring = try currentRing()
    let copy = try CatalogTable.read(on: connection).bytes()
    let isSame = try CatalogTable.copy(on: connection)?.bytes == copy
    if isSame, ring.catalogNumber != 0, catalogWork.renewed != number { return }
    let marked = try ring.recatalogued()
    try CatalogTable.write(copy, with: marked, on: connection)
    noteWritten(marked)
    // Nothing is written after this, so a later check has to read the catalog again.
    catalogWork.changed = 0
    undo.onCommit { [home] in home.keys.take(marked) }
  }
}

extension Store {
  /// Writes the first MAC for the catalog of a store of an earlier version, and trusts that
  /// catalog.
  ///
  /// If another writer is in the way, the file is read-only or the disk is full, it does nothing:
  /// the next open or the next change of the catalog does it.
  func markCatalog(on database: Database) throws {
    guard keys.isUnlocked, try keys.unlocked().catalogNumber == 0 else { return }
    do {
      try database.transaction(.immediate) { try $0.beginCatalogChange() }
    } catch let error as NacreError
      where [NacreError.Code.busy, .readOnly, .diskFull].contains(error.code)
    {
      return
    }
  }
}
