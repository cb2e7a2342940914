import NacreCrypto
import NacreSQLite

// A transaction that changes the catalog of a store with a ring needs the store's secret. It first
// verifies that the catalog is as it was written, and at its end it writes the catalog's new MAC.
// Code that relies on the catalog verifies it first.

/// The work of the transactions of one connection on catalog and ring; each by the number of its
/// transaction, so that the next one begins anew.
struct CatalogWork {
  /// The last transaction in which the catalog was found to be authentic, or may be changed without.
  fileprivate var trusted: UInt64 = 0
  /// The last one that has changed the catalog of a store with a ring.
  fileprivate var changed: UInt64 = 0
  /// The last one that writes its MAC although it says the same: the store key is another, or it was accepted.
  fileprivate var renewed: UInt64 = 0
  /// The last ring that a transaction has written.
  fileprivate var ring: (transaction: UInt64, ring: KeyRing)?
}

extension Database {
  /// The number of the open transaction; nil outside of one.
  private var transactionNumber: UInt64? {
    connection.isInTransaction ? connection.transactionNumber : nil
  }

  /// Runs a statement that changes the catalog, in the open transaction, at whose end its MAC is written.
  ///
  /// - Throws: `storeLocked` where the store has a ring and was opened without a secret; `catalogTampered` where somebody
  ///   else has changed the catalog before.
  package func changeCatalog(_ sql: String, _ arguments: [Value] = []) throws {
    try beginCatalogChange()
    try connection.run(sql, arguments)
  }

  /// Sees to it that the catalog may be changed, before it is.
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
      // Somebody may have made a ring since the store was opened.
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

  /// Has the open transaction write the catalog's MAC, whatever the catalog says: the store key is another.
  ///
  /// - Throws: `catalogTampered`, as for a change.
  func renewCatalogMark() throws {
    try beginCatalogChange()
    catalogWork.renewed = connection.transactionNumber
  }

  /// Takes the catalog as it is for what the store's owner wants.
  ///
  /// - Parameter reviewed: how it was when it was looked at.
  /// - Throws: `catalogTampered` where it is another since.
  func acceptCatalog(_ reviewed: [UInt8]) throws {
    try refuseOther(than: reviewed)
    catalogWork.trusted = connection.transactionNumber
    try renewCatalogMark()
  }

  /// Writes the catalog as its authenticated copy has it, whose MAC stays as it is.
  ///
  /// - Parameter reviewed: how the catalog was when it was looked at.
  /// - Throws: `catalogTampered` where it is another since, or where there is no copy whose MAC holds; `foreignSchema`.
  func restoreCatalog(_ reviewed: [UInt8]) throws {
    try refuseOther(than: reviewed)
    try OwnTables.refuseStrangers(on: connection)
    switch try catalogTrust() {
    case .authentic: return
    case .changed(let written): try CatalogTable.replace(by: written, on: connection)
    case .unmarked: throw NacreError(.catalogTampered, detail: "the catalog never had a MAC")
    case .lost(let detail): throw NacreError(.catalogTampered, detail: detail)
    case .former:
      throw NacreError(
        .catalogTampered,
        detail: "the catalog's MAC was made with another store key"
      )
    }
    guard case .authentic = try catalogTrust() else {
      throw NacreError(
        .catalogTampered,
        detail: "the catalog in the file is not the one that was put back"
      )
    }
  }

  private func refuseOther(than reviewed: [UInt8]) throws {
    let found = try CatalogTable.read(on: connection)
    if try found.bytes() == reviewed { return }
    let differences = CatalogDifference.all(from: try CatalogTable.record(of: reviewed), to: found)
    throw NacreError(
      .catalogTampered,
      detail:
        "the catalog was changed since it was reviewed: \(CatalogDifference.words(differences))"
    )
  }

  /// Refuses to go by a catalog that was not written by a holder of the store key.
  ///
  /// Without a ring, or without its secret, nobody can tell. Asked once in a transaction, which sees one state.
  ///
  /// - Throws: `catalogTampered`, which names what differs; `ringTampered`.
  package func refuseForeignCatalog() throws {
    guard home.keys.isUnlocked else { return }
    if let number = transactionNumber, catalogWork.trusted == number { return }
    switch try trustForUse() {
    case .unmarked, .authentic, .former: break
    case .changed(let written):
      let found = try CatalogTable.read(on: connection)
      throw NacreError(
        .catalogTampered,
        detail: CatalogDifference.words(CatalogDifference.all(from: written, to: found))
      )
    case .lost(let detail): throw NacreError(.catalogTampered, detail: detail)
    }
    if let number = transactionNumber { catalogWork.trusted = number }
  }

  private func trustForUse() throws -> CatalogTrust {
    do {
      return try catalogTrust()
    } catch let error as CryptoError where error.code == .wrongSecret && !isWriter {
      return .former
    } catch let error as NacreError where error.code == .wrongSecret && !isWriter {
      // Others have shut this secret out: what is open goes on being read, as without a secret, and nothing is written.
      return .former
    }
  }

  /// Returns the trust in the catalog, by the ring, in the state that the connection sees.
  ///
  /// - Throws: `storeLocked`, `noKeyRing`, `ringTampered`, `wrongSecret`.
  package func catalogTrust() throws -> CatalogTrust {
    // A write transaction has followed the ring when it began, and may have written another since.
    if isWriter && connection.isInTransaction {
      // A catalog that this very transaction has changed was verified before, and gets its MAC at
      // the end.
      if catalogWork.changed == connection.transactionNumber { return .authentic }
      return try CatalogTrust(currentRing(), on: connection)
    }
    // Ring and catalog have to be of one state.
    return try reading { database in
      try database.followRing()
      return try CatalogTrust(home.keys.unlocked(), on: connection)
    }
  }

  /// The ring that the open transaction has written, or else the one at hand.
  private func currentRing() throws -> KeyRing {
    if let written = catalogWork.ring, written.transaction == transactionNumber {
      return written.ring
    }
    return try home.keys.unlocked()
  }

  /// Notes the ring that the open transaction has written, under which it goes on.
  func noteWritten(_ ring: KeyRing) {
    let former = catalogWork.ring
    catalogWork.ring = (connection.transactionNumber, ring)
    undo.note { [unowned self] in catalogWork.ring = former }
  }

  /// Writes the MAC of a catalog that the open transaction has changed, at its end.
  ///
  /// - Throws: `foreignSchema` where something else could have changed it, too; what writing throws.
  func sealCatalog() throws {
    // Asked at every commit.
    if catalogWork.changed == 0 { return }
    guard let number = transactionNumber, catalogWork.changed == number else { return }
    try OwnTables.refuseStrangers(on: connection)
    let ring = try currentRing()
    let copy = try CatalogTable.read(on: connection).bytes()
    let isSame = try CatalogTable.copy(on: connection)?.bytes == copy
    if isSame, ring.catalogNumber != 0, catalogWork.renewed != number { return }
    let marked = try ring.recatalogued()
    try CatalogTable.write(copy, with: marked, on: connection)
    noteWritten(marked)
    // Nothing is written any more: what is asked for from now on has to be asked anew.
    catalogWork.changed = 0
    undo.onCommit { [home] in home.keys.take(marked) }
  }
}

extension Store {
  /// Gives the catalog of a store of an earlier version its first MAC, which trusts what it finds.
  ///
  /// Somebody else who writes may be in the way, or the file be read only: then it is left to whoever opens the store
  /// next, or changes the catalog.
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
