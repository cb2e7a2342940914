public import NacreStore
public import NacreCrypto
import NacreEngine

/// The plan of a rotation: what it would do.
public struct RotationPlan: Sendable {
  /// The values of one property under one key.
  public struct Count: Sendable, Equatable {
    /// The entity.
    public let entity: String
    /// The property.
    public let property: String
    /// The key that the values name; nil for cells that hold something that was never sealed.
    public let keyID: KeyID?
    /// The suite that the values name; nil if there is no key.
    public let suite: Suite?
    /// How many values there are.
    public let count: Int
    /// Whether a rotation would reseal them.
    public let isStale: Bool
  }

  /// The unfinished rotation that a call would continue; nil if it would begin a new one, or do nothing.
  public let unfinished: RotationState?
  /// The purposes that would get a new key, or are getting one; empty if there is nothing to do.
  public let purposes: Set<KeyPurpose>
  /// The keys that would be replaced.
  public let from: [KeyID]
  /// The keys that would take their place, as far as they exist already.
  public let to: [KeyID]
  /// All sealed values, by entity, property and key.
  public let counts: [Count]
  /// How many values would be resealed.
  public let resealed: Int
  /// How many pages of the sealed file would be sealed anew.
  public let pages: Int
  /// The largest number of tokens of blind indexes that would be recomputed.
  public let reindexed: Int
  /// How many seconds the rotation would take at most at the options' rate, estimated from a sample that is sealed in
  /// memory.
  public let seconds: Double
}

extension Store {
  /// Says what ``rotate(_:progress:)`` would do with the same options, and changes nothing.
  ///
  /// It reads the first bytes of every sealed value; for a file's key, every page.
  ///
  /// - Parameter options: as for the rotation.
  /// - Returns: the plan.
  /// - Throws: ``NacreError`` with code `storeLocked` or `noKeyRing`; `rotationUnfinished`, `suiteInUse` or
  ///   `unsuitableColumn` if the rotation would throw it; `transactionState` inside `read` or `write`.
  public func rotationPlan(
    _ options: RotationOptions = RotationOptions()
  ) throws -> RotationPlan {
    try checkRingCanChange()
    return try NacreError.wrapping {
      let file = options.purposes.contains(.file) ? try FileRehearsal(self, options) : nil
      let rehearsal = try read { try RotationRehearsal($0, options) }
      return rehearsal.plan(file, seconds: try rehearsal.estimatedSeconds(of: self, options))
    }
  }
}

/// Works out what a rotation would find, and the ring that it would make.
private struct RotationRehearsal {
  /// How many rows of each table the estimate seals.
  private static let sampleSize = 500
  /// The factor from the measured time for a row (reading, opening, sealing, opening again) to the whole time, which
  /// includes writing, reading back, and the second pass.
  private static let writingFactor = 2.5

  private let unfinished: RotationState?
  private let purposes: Set<KeyPurpose>
  private let from: [KeyID]
  private let to: [KeyID]
  private let tables: [(entity: CatalogEntity, rowCount: Int)]
  private let values: [SealedCount]
  private let rotated: KeyRing
  private let dialect: any Dialect

  init(_ database: Database, _ options: RotationOptions) throws {
    let connection = database.connection
    dialect = connection.dialect
    let ring = try database.home.followedRing(on: database)
    let begun = try RotationStart.begun(on: database, options).flatMap { $0.canGoOn ? $0 : nil }
    let purposes =
      try begun?.purposes
      ?? (options.onlyResumes ? [] : RotationStart.purposes(on: database, options))
    self.purposes = purposes
    let isPromoted = begun.map { !$0.journal.isPending } ?? false
    let strays = try database.daoStrays(
      naming: { $0.keysToRetire(purposes, isPromoted: isPromoted) },
      ignoring: options.ignoredColumns
    )
    let entities = try CatalogEntity.withSealed(on: database).including(strays)
    values = try SealedCells.counts(of: entities, on: connection)
    tables = try entities.map { ($0, try connection.rowCount(of: $0.table)) }
    if let journal = begun?.journal {
      unfinished = RotationState(journal)
      (from, to) = (journal.from, journal.to)
      rotated = try journal.isPending ? ring.promoting(to, from: from) : ring
      return
    }
    unfinished = nil
    let successors = try RotationSuccessors(ring, purposes, options, on: database)
    from = successors.from
    to = successors.to.filter { ring.record(of: $0) != nil }
    rotated = try successors.ring.promoting(successors.to, from: from)
  }

  func plan(_ file: FileRehearsal?, seconds: Double) -> RotationPlan {
    let counts = values.map { value in
      RotationPlan.Count(
        entity: value.entity,
        property: value.property,
        keyID: value.keyID,
        suite: value.suite,
        count: value.count,
        isStale: isStale(value)
      )
    }
    let indexed = values.filter { purposes.contains(.index) && isIndexed($0) }
    return RotationPlan(
      unfinished: unfinished,
      purposes: purposes.union(file?.purposes ?? []),
      from: from + (file?.from ?? []),
      to: to + (file?.to ?? []),
      counts: counts,
      resealed: counts.reduce(0) { $0 + ($1.isStale ? $1.count : 0) },
      pages: file?.pageCount ?? 0,
      reindexed: indexed.reduce(0) { $0 + $1.count },
      seconds: seconds + (file?.seconds ?? 0)
    )
  }

  private func property(_ value: SealedCount) -> CatalogProperty? {
    let entity = tables.first { $0.entity.name == value.entity }?.entity
    return entity?.sealed.first { $0.name == value.property }
  }

  private func isStale(_ value: SealedCount) -> Bool {
    guard purposes.contains(.field), let key = value.keyID else { return false }
    let suite = property(value)?.sealing?.suite
    return key != (rotated.primaryID(.field, suite: suite) ?? rotated.primaryID(.field))
  }

  private func isIndexed(_ value: SealedCount) -> Bool {
    value.keyID != nil && property(value)?.indexColumn != nil
  }

  /// Estimates the duration by sealing some rows of each table under a key that is thrown away.
  func estimatedSeconds(of store: Store, _ options: RotationOptions) throws -> Double {
    if purposes.isEmpty { return 0 }
    // Nobody keeps these envelopes, so their seals need not be counted.
    let session = RingSession(ring: rotated) { _, count in count }
    let seconds = try tables.reduce(0) { sum, table in
      let conversion = try Resealing(
        table.entity,
        of: store.storeID,
        purposes,
        session: session,
        ring: { _ in rotated }
      )
      let pass = TablePass(store, conversion, dialect)
      let begun = ContinuousClock.now
      let count = try pass.rehearse(limit: RotationRehearsal.sampleSize)
      let took = (ContinuousClock.now - begun) / .seconds(1)
      if count == 0 { return sum }
      let rate = took * RotationRehearsal.writingFactor / Double(count)
      return sum + rate * Double(table.rowCount)
    }
    guard let rate = options.rowsPerSecond, rate > 0 else { return seconds }
    // Both passes, the one that seals and the one that looks again, obey the rate.
    let rowCount = tables.reduce(0) { $0 + $1.rowCount }
    return max(seconds, 2 * Double(rowCount) / rate)
  }
}
