public import NacreStore
import NacreCrypto
import NacreEngine
import Synchronization

extension Store {
  /// Gives the store new data keys and reseals and reindexes with them everything that the old keys sealed or indexed,
  /// while others go on reading and writing.
  ///
  /// The rotation needs only the catalog, so it covers the entities of every program. Old values stay readable until
  /// the end: it disables the old keys once nothing names them any more. The process can be killed at any moment; the
  /// next call continues. It leaves alone the values of properties that the application's own provider seals. Before it
  /// disables an old key, it looks for that key in every column of every table, whatever the catalog says. If something
  /// still names the key, the key stays enabled and the report says where (``RotationReport/elsewhere``).
  ///
  /// With the purpose `file`, a sealed file gets a new key, under which every page is sealed anew below the tables. The
  /// former file key opens until no page and no frame of the log is under it, and is then disabled.
  ///
  /// - Parameters:
  ///   - options: what to rotate, how fast, and whether to rewrite the file.
  ///   - progress: called after every batch, and about ten times a second during a wait; it may read and write. It
  ///     says whether to go on.
  /// - Returns: the report.
  /// - Throws: ``NacreError`` with code `storeLocked` or `noKeyRing`; `notSealed` if the file is to get a
  ///   new key and is not a sealed file; `rotationHeld` while another rotation or conversion runs; `rotationUnfinished` if a rotation of another kind was begun; `suiteInUse`; `unsuitableColumn`,
  ///   with table and column, if SQL has carried values that a DAO sealed to a place that no rotation reaches;
  ///   `transactionState` inside `read` or `write`; `busy` if another process keeps the writers' lock for longer than
  ///   the store waits, or if this process writes elsewhere without a pause for twelve times as long; `corrupt` if the
  ///   rotation reads back something else than it wrote. Whatever it throws, the next call continues.
  public func rotate(
    _ options: RotationOptions = RotationOptions(),
    progress: (RotationProgress) -> RotationDirective = { _ in .goOn }
  ) throws -> RotationReport {
    try checkRingCanChange()
    let lock = try RotationLock(of: self)
    defer { lock.release() }
    return try NacreError.wrapping {
      try withoutActuallyEscaping(progress) { progress in
        try patiently {
          let ofRing = options.purposes.subtracting([.file])
          guard options.purposes.contains(.file) else { return try rotateRing(options, progress) }
          guard let file = try FileRotation.make(self, options, progress) else {
            throw NacreError(.notSealed, detail: "\(path) has no file key")
          }
          defer { file.close() }
          guard !ofRing.isEmpty else { return try file.run(after: nil) }
          var options = options
          options.purposes = ofRing
          let values = try rotateRing(options, progress)
          switch values.outcome {
          case .finished, .nothingToDo: return try file.run(after: values)
          case .stopped, .incomplete: return values
          }
        }
      }
    }
  }

  private func rotateRing(
    _ options: RotationOptions,
    _ progress: @escaping (RotationProgress) -> RotationDirective
  ) throws -> RotationReport {
    guard let start = try RotationStart.make(self, options) else {
      return RotationReport(outcome: .nothingToDo)
    }
    return try Rotation(self, options, start, progress).run()
  }
}

// MARK: - Async

extension Store {
  /// The async version of ``rotate(_:progress:)-(_,(RotationProgress)->RotationDirective)``, on a thread that no task
  /// waits for.
  ///
  /// If its task is cancelled, it ends after the current batch, as if `progress` had returned `stop`.
  ///
  /// - Parameters:
  ///   - options: what to rotate, how fast, and whether to rewrite the file.
  ///   - progress: called after every batch; says whether to go on.
  /// - Returns: the report.
  /// - Throws: ``NacreError`` as the synchronous version does.
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
  /// - Throws: ``NacreError`` as the synchronous version does.
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
