public import NacreStore
import NacreEngine

extension Store {
  /// Opens every sealed value of the store and follows every reference, using only the file's catalog.
  ///
  /// It finds values that were changed, moved or never sealed, that have another type than their property, or that are
  /// nil although nil is not allowed; blind indexes that do not match their values; values of a unique property that
  /// two objects have under different index keys; dangling references and rows of relationships; a ring that does not
  /// match its MAC; and tables and columns that differ from the catalog. Positions of ordered children may have gaps,
  /// because a deleted child leaves one. It leaves out properties that a hook seals and properties that are being
  /// converted, and the report names them.
  ///
  /// Of a sealed file it opens every page first, also pages that nothing reaches, and each committed frame of the log. It
  /// names those that do not open, and goes on with the rest.
  ///
  /// It reads one state of the store for each batch of rows, in the order of objectIDs, or of rowids in tables of DAOs,
  /// and lets go of it before the next batch. So a long run neither prevents others from emptying the write-ahead log
  /// nor fills the memory. It may or may not see what others write meanwhile. Inside `read` or `write` on the same
  /// thread, the whole run sees one state.
  ///
  /// - Parameters:
  ///   - options: the size of the batches, and the entities to verify.
  ///   - onBadCell: called with each bad cell, after the batch in which it was found.
  ///   - progress: called after each batch; false stops.
  /// - Returns: the report.
  /// - Throws: ``NacreError``: `storeLocked` or `noKeyRing` when there are sealed properties; `noSuchEntity`; or what
  ///   `onBadCell` throws.
  public func verify(
    _ options: VerificationOptions = VerificationOptions(),
    onBadCell: (BadCell) throws -> Void = { _ in },
    progress: (VerificationProgress) -> Bool = { _ in true }
  ) throws -> VerificationReport {
    try withoutActuallyEscaping(onBadCell) { onBadCell in
      try withoutActuallyEscaping(progress) { progress in
        try Verification(self, options, onBadCell, progress).run()
      }
    }
  }

  /// Checks the file without a key: SQLite's own check, the catalog against the tables, and the settings.
  ///
  /// It does not open sealed values; ``verify(_:onBadCell:progress:)`` does. Only SQLite's own check covers tables that
  /// are not in the catalog. The whole check sees one state of the store, and on a large file it holds that state for
  /// as long as it takes to read every page.
  ///
  /// - Returns: the faults, and the work that was begun and is not done; empty if there is neither.
  /// - Throws: ``NacreError`` if the file can't be read at all.
  public func check() throws -> [StoreFault] {
    let pages = try pageFaults()
    do {
      return try read { database in
        try pages + FileCheck(connection: database.connection, home: engine).faults()
      }
    } catch let error as NacreError where error.code == .pageTampered && !pages.isEmpty {
      // The rest of the check needs what can't be read.
      return pages
    }
  }
}

// MARK: - Async

extension Store {
  /// Opens every sealed value of the store and follows every reference, using only the file's catalog.
  ///
  /// - Parameters:
  ///   - options: the size of the batches, and the entities to verify.
  ///   - onBadCell: called with each bad cell, after the batch in which it was found.
  ///   - progress: called after each batch; false stops.
  /// - Returns: the report.
  /// - Throws: ``NacreError``, or what `onBadCell` throws.
  public func verify(
    _ options: VerificationOptions = VerificationOptions(),
    onBadCell: @escaping @Sendable (BadCell) throws -> Void = { _ in },
    progress: @escaping @Sendable (VerificationProgress) -> Bool = { _ in true }
  ) async throws -> VerificationReport {
    try await Self.onThread {
      try self.verify(options, onBadCell: onBadCell, progress: progress)
    }
  }

  /// Checks the file without a key.
  ///
  /// - Returns: the faults, and the work that was begun and is not done.
  /// - Throws: ``NacreError`` if the file can't be read at all.
  public func check() async throws -> [StoreFault] {
    try await Self.onThread { try self.check() }
  }
}
