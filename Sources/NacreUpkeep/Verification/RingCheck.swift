import NacreEngine
import NacreStore
import NacreCrypto

/// Checks the ring in the file against the one that is unlocked.
enum RingCheck {
  /// The faults of the ring in the state of the file that a connection sees.
  ///
  /// - Throws: `noKeyRing` or `storeLocked`; `wrongSecret` if the store was rewrapped without this secret.
  static func faults(of store: Store, on database: Database) throws -> [StoreFault] {
    let connection = database.connection
    do {
      try database.followRing()
      let ring = try store.keys.unlocked()
      guard let record = try RingTable.read(store.storeID, on: connection) else {
        return [StoreFault(.ringTampered, "the ring is gone")]
      }
      // Another thread has already moved on to a ring that is newer than this state of the file.
      if record.generation < ring.generation { return [] }
      let current = try ring.reloading(record)
      return try primaries(current) + anchor(of: current, store, on: database)
    } catch {
      guard let error = NacreError.wrap(error) as? NacreError, error.code == .ringTampered else {
        throw error
      }
      return [StoreFault(.ringTampered, error.finding ?? "its MAC does not match its keys")]
    }
  }

  private static func anchor(
    of ring: KeyRing,
    _ store: Store,
    on database: Database
  ) throws -> [StoreFault] {
    let seen = database.seenBefore.anchor
    let found = try AnchorTable.describe(
      ring.storeID,
      ring,
      seenBefore: seen,
      on: database.connection
    )
    switch found?.state {
    case .tampered: return [StoreFault(.anchorTampered, "the anchor does not match its MAC")]
    case .older:
      let detail = AnchorTable.older(found?.anchor, "but number \(seen) was seen before").detail
      return [StoreFault(.olderThanAnchor, detail ?? "")]
    case .verified: found?.anchor.map(store.keys.seen.note)
    case .unverified, nil: break
    }
    return []
  }

  /// The slots that no secret can open; only the secrets themselves can tell whether they open the others.
  static func slots(on connection: any EngineConnection) throws -> [StoreFault] {
    try RingTable.oddSlots(on: connection).map { id in
      StoreFault(
        .badSlot,
        "no secret can open slot \(id): its kind, parameters or length are wrong"
      )
    }
  }

  /// Checks the primary keys: at least one for fields and at most one per suite, and exactly one for indexes.
  static func primaries(_ ring: KeyRing) -> [StoreFault] {
    let primary = ring.keys.filter { $0.state == .primary }
    let fields = primary.filter { $0.purpose == .field }
    let indexCount = primary.count { $0.purpose == .index }
    var faults: [StoreFault] = []
    if fields.isEmpty { faults.append(StoreFault(.primaryKeys, "no field key is primary")) }
    for suite in Suite.allCases where fields.count(where: { $0.suite == suite }) > 1 {
      let detail = "more than one field key of suite \(suite.rawValue) is primary"
      faults.append(StoreFault(.primaryKeys, detail))
    }
    if indexCount != 1 {
      faults.append(StoreFault(.primaryKeys, "\(indexCount) index keys are primary"))
    }
    return faults
  }
}
