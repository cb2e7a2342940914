public import Foundation

// The async twins of what looks a store over and carries it elsewhere: it reads all of a file, on a thread of its own.

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

  /// Sets bad cells aside, so that the rest of the store stays usable.
  ///
  /// - Parameters:
  ///   - cells: what ``verify(_:onBadCell:progress:)`` has found.
  ///   - progress: called after each transaction; false stops.
  /// - Returns: what became of each.
  /// - Throws: ``NacreError``.
  public func quarantine(
    _ cells: some Sequence<BadCell> & Sendable,
    progress: @escaping @Sendable (QuarantineProgress) -> Bool = { _ in true }
  ) async throws -> QuarantineReport {
    try await Self.onThread { try self.quarantine(cells, progress: progress) }
  }

  /// What lies in quarantine, without its content.
  ///
  /// - Throws: ``NacreError``.
  public func quarantined() async throws -> [QuarantinedCell] {
    try await Self.onThread { try self.quarantined() }
  }

  /// Writes the store's objects as lines of JSON.
  ///
  /// - Parameters:
  ///   - revealing: whether sealed values are opened.
  ///   - entities: the names of those that are exported; nil is all.
  ///   - write: called with each line, with its line end.
  /// - Returns: what was written.
  /// - Throws: ``NacreError``, or what `write` throws.
  @discardableResult
  public func export(
    revealing: Bool = false,
    entities: [String]? = nil,
    to write: @escaping @Sendable (Data) throws -> Void
  ) async throws -> TransferReport {
    try await Self.onThread {
      try self.export(revealing: revealing, entities: entities, to: write)
    }
  }

  /// Stores the objects of an export.
  ///
  /// - Parameters:
  ///   - existing: what becomes of an object that is stored already.
  ///   - next: gives one line after the other, and nil at the end.
  /// - Returns: what was stored.
  /// - Throws: ``NacreError``, or what `next` throws.
  @discardableResult
  public func importLines(
    existing: ExistingObjects = .refuse,
    from next: @escaping @Sendable () throws -> Data?
  ) async throws -> TransferReport {
    try await Self.onThread { try self.importLines(existing: existing, from: next) }
  }
}
