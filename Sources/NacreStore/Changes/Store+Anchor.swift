public import NacreCrypto
import NacreEngine

extension Store {
  /// Takes an anchor, which tells this file from any older copy of the whole file.
  ///
  /// The anchor's number grows with every call. Keep the anchor outside the file.
  /// ```swift
  /// let kept = try store.anchor()  // keep its description out of an attacker's reach
  /// let store = try Store.open(path, unlock: secret, expecting: kept)  // refuses an older copy
  /// ```
  /// The anchor is on the disk when the call returns, whatever ``StoreOptions/durability`` says.
  /// Every file that passes for the anchor has everything that was stored before it; what was
  /// stored later may be missing. An anchor does not detect single rows that were restored, or an
  /// anchor that was copied into an older file.
  ///
  /// An open store remembers the greatest anchor that it has found, taken or expected, and each
  /// anchor that it takes is greater.
  ///
  /// - Parameter last: An anchor that you kept; the new one will be greater, whatever the file has.
  ///   Use it for a file that was restored from a backup, or whose own anchor was changed
  ///   (`anchorTampered`).
  /// - Returns: The anchor; no two calls, of any process, return the same.
  /// - Throws: ``NacreError`` with code `noKeyRing` or `storeLocked`; `otherStore` for an anchor of
  ///   another store. If `last` is nil: `anchorTampered` if the file's anchor does not match its
  ///   MAC, and `olderThanAnchor` if the file's anchor is gone or less than one that this store has
  ///   seen. `transactionState` inside `read` or `write`; `inMemory` for a store in memory, of
  ///   which there are no older copies.
  public func anchor(after last: Anchor? = nil) throws -> Anchor {
    if isInMemory {
      throw NacreError(.inMemory, detail: "an anchor tells a file from its older copies")
    }
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

  /// Takes an anchor, which tells this file from any older copy of it.
  ///
  /// - Parameter last: An anchor that you kept; the new one will be greater.
  /// - Returns: The anchor.
  /// - Throws: ``NacreError``.
  public func anchor(after last: Anchor? = nil) async throws -> Anchor {
    try await Self.onThread { try self.anchor(after: last) }
  }

  private func raiseAnchor(after last: Anchor?, on database: Database) throws -> Anchor {
    let ring = try wholeRing(database)
    // Nobody else writes meanwhile, so the file must have at least what this process has seen.
    let seen = keys.seen.mark.anchor
    // The caller's anchor counts instead of one in the file that does not match its MAC.
    let found =
      try last == nil
      ? AnchorTable.read(ring, on: database.connection)
      : AnchorTable.authentic(ring, on: database.connection)
    guard last != nil || (found?.counter ?? 0) >= seen else {
      throw AnchorTable.older(found, "but number \(seen) was seen before")
    }
    let counter = max(last?.counter ?? 0, seen, found?.counter ?? 0)
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
