public import NacreCore
import NacreSQLite

extension Store {
  /// Opens every sealed value of the store and follows every reference, by the file's catalog alone.
  ///
  /// It finds values that were changed, moved or never sealed, that are of another type than their property, that are
  /// nil where nil is not allowed; blind indexes that are not those of their values; values of a unique property that
  /// two objects have under different index keys; references and rows of relationships that lead nowhere; a ring that
  /// does not match its MAC; and tables and columns that are not as the catalog says. Positions of ordered children
  /// may have gaps, for a deleted child leaves one. Properties that a hook seals are left out by name, and so are those
  /// that are being converted.
  ///
  /// It reads one state of the store for each batch of rows, walking in the order of objectIDs, or of rowids in tables of
  /// DAOs, and lets go of it before the next, so that a long run neither keeps the write-ahead log from being emptied
  /// nor fills the memory.
  /// What is written meanwhile may be seen or not. Inside `read` or `write` on the same thread, all of it is one state.
  ///
  /// - Parameters:
  ///   - options: the size of the batches, and which entities.
  ///   - onBadCell: called with each bad cell, after the batch in which it was found.
  ///   - progress: called after each batch; false stops.
  /// - Returns: what was found.
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

  /// Looks the file over without a key: what SQLite itself finds, the catalog against the tables, and the settings.
  ///
  /// It does not open sealed values; ``verify(_:onBadCell:progress:)`` does. Tables that are not the catalog's are
  /// looked at by SQLite alone. All of it is one state of the store, which a large file holds for as long as it takes
  /// to read every page.
  ///
  /// - Returns: what is wrong, and what was begun and is not done; empty where there is nothing of either.
  /// - Throws: ``NacreError`` when the file can't be read at all.
  public func check() throws -> [StoreFault] {
    try read { database in
      try FileCheck(
        connection: database.connection,
        journalMode: settings.journalMode
      ).faults()
    }
  }
}

// MARK: - Async

extension Store {
  /// Opens every sealed value of the store and follows every reference, by the file's catalog alone.
  ///
  /// - Parameters:
  ///   - options: the size of the batches, and which entities.
  ///   - onBadCell: called with each bad cell, after the batch in which it was found.
  ///   - progress: called after each batch; false stops.
  /// - Returns: what was found.
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

  /// Looks the file over without a key.
  ///
  /// - Returns: what is wrong, and what was begun and is not done.
  /// - Throws: ``NacreError`` when the file can't be read at all.
  public func check() async throws -> [StoreFault] {
    try await Self.onThread { try self.check() }
  }
}
