import Foundation
import NacreStore
import NacreCrypto
import NacreEngine

/// One call of `rotate`: continues phase by phase from the point that the journal names.
///
/// Each step either is one transaction that also updates the journal, or makes a change that can be repeated without
/// harm. So the next call can continue from whatever a process leaves that is killed at any instruction.
final class Rotation: PacedRotation {
  /// If this many passes find something, others must be writing under old keys.
  private static let scanLimit = 5

  let store: Store
  let options: RotationOptions
  private let progress: (RotationProgress) -> RotationDirective
  private let clock = ContinuousClock()
  private let begun = ContinuousClock.now
  var journal: RotationJournal
  /// What this call has done so far.
  var result: RotationReport
  private let session: RingSession
  /// When the present pass began or resumed, and how many rows were done then.
  private var passBegun = ContinuousClock.now
  private var doneBefore: Int64 = 0

  init(
    _ store: Store,
    _ options: RotationOptions,
    _ start: RotationStart,
    _ progress: @escaping (RotationProgress) -> RotationDirective
  ) throws {
    self.store = store
    self.options = options
    self.progress = progress
    journal = start.journal
    doneBefore = start.journal.done
    result = RotationReport(
      outcome: .stopped,
      wasResumed: start.wasResumed,
      purposes: start.purposes,
      from: start.journal.from,
      to: start.journal.to
    )
    session = RingSession(ring: try store.keys.unlocked()) { [unowned store] id, count in
      // Its own transaction keeps the count even if a later transaction is rolled back.
      try store.write { try $0.reserveSeals(id, count, of: .aes256GCM) }
    }
  }

  func run() throws -> RotationReport {
    while true {
      guard report() == .goOn else { return try stopped() }
      switch RotationPhase(rawValue: journal.phase) {
      case .pending: try promote()
      case .sealing:
        guard try goThroughTables() != nil else { return try stopped() }
        try enter(.scanning)
      case .scanning:
        guard let isClean = try scan() else { return try stopped() }
        if !isClean { return report(.incomplete, .rowsKeepChanging) }
        try enter(.clearing)
      case .clearing:
        switch try clear() {
        case .stopped: return try stopped()
        case .held: return report(.incomplete, .reader)
        case .cleared(let obstacle):
          if let report = try retire(obstacle) { return report }
          try enter(.scanning)
        }
      case .done, nil:
        throw NacreError(
          .rotationUnfinished,
          detail: "the phase \(journal.phase) of the rotation is not known to this version"
        )
      }
    }
  }

  private func stopped() throws -> RotationReport {
    try move(journal)
    return report(.stopped)
  }

  // MARK: Journal

  /// Writes the journal in a transaction of its own.
  func move(_ next: RotationJournal) throws {
    var next = next
    try store.write { try next.write(on: $0) }
    journal = next
  }

  func enter(_ phase: RotationPhase) throws {
    var next = journal
    next.phase = phase.rawValue
    next.entity = nil
    next.cursor = nil
    next.done = 0
    try move(next)
  }

  // MARK: Passes

  /// Goes through all tables until a pass finds nothing to reseal or recompute.
  ///
  /// No writer has sealed under an old key since the new one became primary. But a restore or raw SQL can put an old
  /// row back, and a row can change between the reading and the writing of its batch.
  ///
  /// - Returns: whether a pass found nothing; nil if the rotation was asked to stop.
  private func scan() throws -> Bool? {
    while result.scans < Rotation.scanLimit {
      result.scans += 1
      // Always a whole pass, because a stop or a kill loses what an earlier one found.
      journal.entity = nil
      journal.done = 0
      guard let found = try goThroughTables() else { return nil }
      if found == 0 { return true }
    }
    return false
  }

  /// Goes through the tables, starting at the journal's cursor.
  ///
  /// - Returns: how many rows had to be changed; nil if the rotation was asked to stop.
  private func goThroughTables() throws -> Int? {
    passBegun = clock.now
    doneBefore = journal.done
    result.badCells = []
    if journal.entity == nil { journal.failed = 0 }
    // Look again each time: an application may have added entities, and SQL may have carried a DAO's values elsewhere.
    try store.followDAO(naming: formerKeys, ignoring: options.ignoredColumns)
    let (entities, dialect) = try store.read {
      (try CatalogEntity.withSealed(on: $0), $0.connection.dialect)
    }
    let isKnown = entities.contains(where: isUnderWay)
    var found = 0
    for entity in entities.drop(while: { isKnown && !isUnderWay($0) }) {
      guard let count = try goThrough(entity, dialect) else { return nil }
      found += count
    }
    return found
  }

  private func goThrough(_ entity: CatalogEntity, _ dialect: any Dialect) throws -> Int? {
    let conversion = try Resealing(
      entity,
      of: store.storeID,
      result.purposes,
      session: session,
      ring: { [store] in try store.followedRing(on: $0) }
    )
    let pass = TablePass(store, conversion, dialect)
    if !isUnderWay(entity) {
      journal.entity = entity.name
      journal.cursor = nil
    }
    var found = 0
    while true {
      var next = journal
      let tally = try pass.next(after: journal.cursor, limit: batchSize) { database, tally in
        next = self.journal.moved(by: tally)
        try next.write(on: database)
      }
      if tally.changedCount == 0 {
        next = journal.moved(by: tally)
      }
      journal = next
      found += tally.changedCount
      let counts = conversion.counts(tally.replaced)
      result.resealed += counts.resealed
      result.reindexed += counts.reindexed
      let room = RotationReport.badCellLimit - result.badCells.count
      result.badCells += tally.failures.prefix(room)
      guard pace(tally.rowCount) == .goOn else { return nil }
      if tally.cursor == nil { return found }
    }
  }

  /// Whether the journal names this entity.
  private func isUnderWay(_ entity: CatalogEntity) -> Bool {
    journal.entity.map { $0.hasSameBytes(as: entity.name) } ?? false
  }

  private var batchSize: Int {
    let usual = store.engine.capabilities.contains(.onServer) ? 2_000 : 500
    let most = max(1, options.batchSize ?? usual)
    guard let rate = options.rowsPerSecond, rate > 0, rate < Double(most) else { return most }
    // A batch has at most a second's rows, because larger ones would come in bursts.
    return max(1, Int(rate))
  }

  /// Reports a batch, and waits as long as the wanted rate requires.
  private func pace(_ rowCount: Int) -> RotationDirective {
    guard report() == .goOn else { return .stop }
    guard let rate = options.rowsPerSecond, rate > 0 else { return .goOn }
    let due = passBegun + Duration(clamping: Double(journal.done - doneBefore) / rate)
    return wait(until: due)
  }

  // MARK: Reporting

  func report() -> RotationDirective {
    store.keepRotating()
    let elapsed = seconds(since: passBegun)
    let walked = Double(journal.done - doneBefore)
    return progress(
      RotationProgress(
        unit: .rows,
        phase: RotationPhase(rawValue: journal.phase) ?? .pending,
        entity: journal.entity,
        done: Int(journal.done),
        total: Int(max(journal.total, journal.done)),
        failed: Int(journal.failed),
        resealed: result.resealed,
        reindexed: result.reindexed,
        elapsed: seconds(since: begun),
        rowsPerSecond: walked > 0 && elapsed > 0 ? walked / elapsed : 0
      )
    )
  }

  func report(
    _ outcome: RotationReport.Outcome,
    _ obstacle: RotationReport.Obstacle? = nil
  ) -> RotationReport {
    result.outcome = outcome
    result.isOnServer = store.engine.capabilities.contains(.onServer)
    result.obstacle = obstacle
    result.failed = Int(journal.failed)
    result.duration = seconds(since: begun)
    return result
  }

  private func seconds(since start: ContinuousClock.Instant) -> Double {
    (clock.now - start) / .seconds(1)
  }
}

extension Duration {
  /// A duration in seconds, clamped to between 0 and 1e9 (about 30 years), because a larger number traps.
  init(clamping seconds: Double) {
    self = .seconds(seconds > 0 ? min(seconds, 1e9) : 0)
  }
}
