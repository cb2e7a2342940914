public import NacreCore
import NacreCrypto
import NacreSQLite
import Synchronization

extension Store {
  /// Gives the store new data keys, and makes everything that the old ones have sealed or indexed anew under them,
  /// while everybody goes on reading and writing.
  ///
  /// It works by the catalog alone, on the entities of every program. Old values stay readable until the end, when
  /// nothing names the old keys any more: then these are disabled. The process can be killed at any moment; the next
  /// call goes on. Values whose property has a provider of the application's own are left alone. Before an old key is
  /// disabled it is looked for in every column of every table, whatever the catalog says; one that something still names
  /// stays enabled, and the report says where (``RotationReport/elsewhere``).
  ///
  /// - Parameters:
  ///   - options: what, how fast, and what becomes of the file.
  ///   - progress: told after every batch, and about ten times a second while it waits; may read and write. It says
  ///     whether to go on.
  /// - Returns: what was done.
  /// - Throws: ``NacreError`` with code `storeLocked` or `noKeyRing`; `rotationHeld` while another rotation or
  ///   conversion runs; `rotationUnfinished` when one of another kind was begun; `suiteInUse`; `unsuitableColumn`, with table and
  ///   column, for values that a DAO has sealed and that SQL has carried where no rotation reaches them;
  ///   `transactionState` inside `read` or `write`; `busy` when another process keeps the writers' lock for longer than the store
  ///   waits, or this one writes elsewhere without a pause for twelve times as long;
  ///   `corrupt` when what is read back is not what was written. Whatever it throws, the next call goes on.
  public func rotate(
    _ options: RotationOptions = RotationOptions(),
    progress: (RotationProgress) -> RotationDirective = { _ in .goOn }
  ) throws -> RotationReport {
    try checkRingCanChange()
    let lock = try RotationLock(ofStoreAt: path)
    defer { lock.release() }
    return try NacreError.wrapping {
      try withoutActuallyEscaping(progress) { progress in
        try patiently {
          guard let start = try RotationStart.make(self, options) else {
            return RotationReport.nothingToDo
          }
          return try Rotation(self, options, start, progress).run()
        }
      }
    }
  }
}

extension RotationReport {
  /// The report of a call that found nothing.
  fileprivate static let nothingToDo = RotationReport(
    outcome: .nothingToDo,
    obstacle: nil,
    wasResumed: false,
    purposes: [],
    from: [],
    to: [],
    disabled: [],
    resealed: 0,
    reindexed: 0,
    failed: 0,
    badCells: [],
    scans: 0,
    wasVacuumed: false,
    remnants: 0,
    elsewhere: [],
    duration: 0
  )
}

// MARK: - Async

extension Store {
  /// The twin of ``rotate(_:progress:)-(_,(RotationProgress)->RotationDirective)``, on a thread that no task waits for.
  ///
  /// When its task is cancelled it ends at a batch's edge, as if `progress` had said so.
  ///
  /// - Parameters:
  ///   - options: what, how fast, and what becomes of the file.
  ///   - progress: told after every batch; says whether to go on.
  /// - Returns: what was done.
  /// - Throws: ``NacreError`` as its twin does.
  public func rotate(
    _ options: RotationOptions = RotationOptions(),
    progress: @escaping @Sendable (RotationProgress) -> RotationDirective = { _ in .goOn }
  ) async throws -> RotationReport {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await Self.onThread {
        try self.rotate(options) { cancellation.isCancelled ? .stop : progress($0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Says what a rotation with the same options would do, and changes nothing.
  ///
  /// - Parameter options: as for the rotation.
  /// - Returns: the plan.
  /// - Throws: ``NacreError`` as its twin does.
  public func rotationPlan(
    _ options: RotationOptions = RotationOptions()
  ) async throws -> RotationPlan {
    try await Self.onThread { try self.rotationPlan(options) }
  }
}

/// Tells the thread of a rotation that its task was cancelled.
private final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }
}
