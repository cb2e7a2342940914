import Foundation
import NacreStore
import NacreCrypto
import NacreEngine

/// One call of `rotate` for the key of a sealed file: seals its pages anew under a fresh key.
///
/// The header says how far it is: a file key that is enabled and not primary has pages that are still to be sealed anew.
/// A page that is under the primary key is left alone, so a call that was killed is repeated from the first page on.
final class FileRotation: PacedRotation {
  /// If this many passes find something, somebody keeps writing pages under the former key.
  private static let passLimit = 5

  let store: Store
  let options: RotationOptions
  private let progress: (RotationProgress) -> RotationDirective
  private let rekeying: any PageRekeying
  private let slots: HeaderSlots
  private let begun = ContinuousClock.now
  private var passBegun = ContinuousClock.now
  private var phase = RotationPhase.pending
  private var done = 0
  private var total = 0
  private var result = RotationReport(outcome: .stopped)

  /// Makes a rotation; nil if the store's file is not sealed.
  static func make(
    _ store: Store,
    _ options: RotationOptions,
    _ progress: @escaping (RotationProgress) -> RotationDirective
  ) throws -> FileRotation? {
    guard let slots = store.engine.fileHeader,
      let rekeying = try store.engine.rekeying()
    else { return nil }
    return FileRotation(store, slots, rekeying, options, progress)
  }

  private init(
    _ store: Store,
    _ slots: HeaderSlots,
    _ rekeying: any PageRekeying,
    _ options: RotationOptions,
    _ progress: @escaping (RotationProgress) -> RotationDirective
  ) {
    self.store = store
    self.slots = slots
    self.rekeying = rekeying
    self.options = options
    self.progress = progress
  }

  /// Ends the rotation's own connection.
  func close() {
    // The connection has no transaction and is gone in any case.
    try? rekeying.close()
  }

  /// Rotates.
  ///
  /// - Parameter values: The report of the rotation of values before it, with which this one's becomes one.
  /// - Returns: The report.
  /// - Throws: ``NacreError``.
  func run(after values: RotationReport?) throws -> RotationReport {
    if let values { result = values }
    guard try begin() else {
      return values ?? RotationReport(outcome: .nothingToDo)
    }
    result.purposes.insert(.file)
    for pass in 1...Self.passLimit {
      phase = pass == 1 ? .sealing : .scanning
      guard let found = try goThroughPages() else { return report(.stopped) }
      if pass > 1, found == 0, result.badPages.isEmpty { return try retire() }
      // A page that a killed checkpoint has torn is whole once the log is in the file.
      phase = .clearing
      switch try emptyLog() {
      case .stop: return report(.stopped)
      case .reader: return report(.incomplete, .reader)
      case nil: break
      }
    }
    return report(.incomplete, result.badPages.isEmpty ? .rowsKeepChanging : .failedPages)
  }

  // MARK: Keys

  /// Makes a fresh key primary, unless an earlier call has begun a rotation; false if there is nothing to do.
  ///
  /// The passes rely on this invariant: whoever takes a lock under which pages are written reads the header first. The
  /// key changes while the locks of writers and of checkpoints are held. So nobody seals under the former key later.
  private func begin() throws -> Bool {
    let present = try slots.keys()
    if present.isRekeyUnfinished {
      result.wasResumed = true
    } else {
      guard !options.onlyResumes, options.isOldEnough(present) else { return false }
      try changeKeys { keys, ring in
        // Another process may have begun one since, and was killed.
        guard !keys.isRekeyUnfinished else { return nil }
        return try keys.addingPrimary(createdAt: CreationTime.now(), avoiding: ring.keys)
      }
    }
    let keys = try slots.keys()
    result.from += keys.formerIDs
    result.to.append(keys.primaryID)
    return true
  }

  /// Disables the former keys: no page, no frame of the log and no reader needs them any more.
  ///
  /// `emptyLog` came between two passes, of which the second found nothing. The log is synced first: after a power cut
  /// the disk must not have frames under a key that the header has given up.
  private func retire() throws -> RotationReport {
    try rekeying.syncLog()
    for id in try slots.keys().formerIDs {
      try changeKeys { keys, _ in
        guard keys.formerIDs.contains(id) else { return nil }
        return try keys.setting(id, to: .disabled)
      }
      result.disabled.append(id)
    }
    try rekeying.deleteJournal()
    phase = .done
    _ = report()
    return report(.finished)
  }

  /// Writes the header that a closure makes, while nobody else writes pages; nil leaves it as it is.
  private func changeKeys(_ body: (FileKeys, KeyRing) throws -> FileKeys?) throws {
    try store.changeRing { database, ring in
      try rekeying.withoutCheckpoints {
        guard let next = try NacreError.wrapping({ try body(slots.keys(), ring) }) else { return }
        try slots.change(on: database.connection) { _ in next }
      }
    }
  }

  // MARK: Pages

  /// Goes through all pages.
  ///
  /// - Returns: How many were sealed anew; nil if the rotation was asked to stop.
  private func goThroughPages() throws -> Int? {
    passBegun = .now
    (done, total) = (0, 0)
    (result.badPages, result.failed) = ([], 0)
    var found = 0
    var next: UInt32? = 1
    while let first = next {
      guard report() == .goOn else { return nil }
      let batch = try NacreError.wrapping { try rekeying.reseal(from: first) }
      next = batch.next
      total = batch.pageCount
      done = next.map { Int($0) - 1 } ?? total
      found += batch.resealed
      result.resealedPages += batch.resealed
      result.failed += batch.unopenedCount
      result.badPages += batch.unopened.prefix(RotationReport.badCellLimit - result.badPages.count)
      guard wait(until: due) == .goOn else { return nil }
    }
    return found
  }

  /// When the pages that are done would be done at the wanted rate.
  private var due: ContinuousClock.Instant {
    guard let rate = options.rowsPerSecond, rate > 0 else { return .now }
    return passBegun + Duration(clamping: Double(done) / rate)
  }

  // MARK: Reporting

  func report() -> RotationDirective {
    let elapsed = (ContinuousClock.now - passBegun) / .seconds(1)
    return progress(
      RotationProgress(
        unit: .pages,
        phase: phase,
        entity: nil,
        done: done,
        total: max(total, done),
        failed: result.failed,
        resealed: result.resealedPages,
        reindexed: 0,
        elapsed: (ContinuousClock.now - begun) / .seconds(1),
        rowsPerSecond: done > 0 && elapsed > 0 ? Double(done) / elapsed : 0
      )
    )
  }

  private func report(
    _ outcome: RotationReport.Outcome,
    _ obstacle: RotationReport.Obstacle? = nil
  ) -> RotationReport {
    result.outcome = outcome
    result.obstacle = obstacle
    result.duration += (ContinuousClock.now - begun) / .seconds(1)
    return result
  }
}
