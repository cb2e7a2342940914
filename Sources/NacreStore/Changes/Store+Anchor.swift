public import NacreCrypto
import NacreSQLite

extension Store {
  /// Takes an anchor: a number that grows with every call, to be kept outside of the file, by which an older copy of the
  /// whole file is told from this one.
  /// ```swift
  /// let kept = try store.anchor()  // keep its description where who writes to the file can't
  /// let store = try Store.open(path, unlock: secret, expecting: kept)  // refuses an older copy
  /// ```
  /// It is on the disk when the call returns, whatever ``StoreOptions/durability`` says. What is stored before it is
  /// in every file that passes for it, and what comes after need not be. Rows that were put back one by one, or an anchor
  /// that was copied into an older file, are not noticed.
  ///
  /// An open store remembers the greatest anchor that it has found, taken or expected, and takes none that is not greater.
  ///
  /// - Parameter last: an anchor that was kept, which the new one shall be greater than, whatever the file has: for a
  ///   file that was put back from a backup, or whose own anchor was changed (`anchorTampered`).
  /// - Returns: the anchor; of the calls of all processes, no two return the same.
  /// - Throws: ``NacreError`` with code `noKeyRing` or `storeLocked`; `otherStore` for an anchor of another store;
  ///   `anchorTampered` when the file's own does not match its MAC and no other is given, and likewise `olderThanAnchor`
  ///   when it is gone, or less than one that this store has seen; `transactionState` inside `read` or `write`.
  public func anchor(after last: Anchor? = nil) throws -> Anchor {
    try checkRingCanChange()
    if let last, last.storeID != storeID {
      throw NacreError(.otherStore, detail: "the anchor belongs to store \(last.storeID)")
    }
    return try withWriter { database in
      try database.connection.syncingCommits {
        try database.transaction(.immediate) { try raiseAnchor(after: last, on: $0) }
      }
    }
  }

  private func raiseAnchor(after last: Anchor?, on database: Database) throws -> Anchor {
    let ring = try wholeRing(database)
    // Nobody else writes meanwhile, so that what was seen is what the file must have.
    let seen = keys.seen.mark.anchor
    var counter = max(last?.counter ?? 0, seen)
    do {
      let found = try AnchorTable.read(ring, on: database.connection)
      guard last != nil || (found?.counter ?? 0) >= seen else {
        throw AnchorTable.older(found, "but number \(seen) was seen before")
      }
      counter = max(counter, found?.counter ?? 0)
    } catch let error as NacreError where error.code == .anchorTampered && last != nil {
      // The caller's word stands for that of the file.
    }
    guard counter < .max else {
      throw NacreError(.constraint, detail: "there is no anchor after number \(counter)")
    }
    let anchor = Anchor(
      storeID: storeID,
      ringGeneration: ring.generation,
      counter: counter + 1
    )
    try AnchorTable.write(anchor, of: ring, on: database.connection)
    database.undo.onCommit { [keys] in keys.seen.note(anchor) }
    return anchor
  }
}
