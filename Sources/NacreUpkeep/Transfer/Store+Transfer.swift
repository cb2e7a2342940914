public import Foundation
public import NacreCore
import NacreSQLite

extension Store {
  /// Writes the store's objects as lines of JSON, by the file's catalog alone.
  ///
  /// The first line says what the tables are like, then comes one for each object, one for each row of a to-many
  /// relationship, and a last one that counts them. Sealed values travel as their envelopes, which open in this store
  /// and no other, unless `revealing` says otherwise: then *they stand in the lines in plain text*. A value that does
  /// not open ends the export with an error that names it: verify the store, and set bad cells aside. A locked store
  /// exports its envelopes, too, and can't tell whether they open. Blind indexes do not travel; an import makes them
  /// anew. What a hook has sealed travels as it is stored, in both cases. Tables of DAOs are left out, and named in the
  /// report.
  ///
  /// All lines are of one state of the store, which keeps the write-ahead log from being emptied meanwhile.
  ///
  /// - Parameters:
  ///   - revealing: whether sealed values are opened.
  ///   - entities: the names of those that are exported; nil is all. What their objects refer to is not exported with
  ///     them, and must be in the store that the lines are imported into.
  ///   - write: called with each line, with its line end.
  /// - Returns: what was written.
  /// - Throws: ``NacreError``: `noSuchEntity`; `storeLocked`; `migrationPending` while a property is being converted;
  ///   the code of a value that does not open, with its place; or what `write` throws.
  @discardableResult
  public func export(
    revealing: Bool = false,
    entities: [String]? = nil,
    to write: (Data) throws -> Void
  ) throws -> TransferReport {
    try withoutActuallyEscaping(write) { write in
      try read { database in
        try Export(database, isRevealing: revealing, write).run(entities)
      }
    }
  }

  /// Stores the objects of an export.
  ///
  /// Envelopes come from this very store and are opened before they are believed; revealed values are sealed under
  /// this store's keys, from whatever store they come. Tables that are missing are made as the store makes them for a
  /// class; those of records with sealed columns have to be there. All of it is one transaction: when a line is wrong, a reference leads nowhere, or the last line is
  /// missing, nothing is imported. Other writers wait meanwhile, also for `next`. Memory does not grow with the number
  /// of lines.
  ///
  /// - Parameters:
  ///   - existing: what becomes of an object that is stored already.
  ///   - next: gives one line after the other, with or without its line end, and nil at the end; see ``LineReader``.
  /// - Returns: what was stored.
  /// - Throws: ``NacreError`` with the number of the line: `badImport`, `alreadyStored`, `constraint`, or the code of
  ///   an envelope that does not open; `storeLocked`; `migrationPending`; or what `next` throws.
  @discardableResult
  public func importLines(
    existing: ExistingObjects = .refuse,
    from next: () throws -> Data?
  ) throws -> TransferReport {
    try withoutActuallyEscaping(next) { next in
      try write { database in try Import(database, existing, next).run() }
    }
  }
}

// MARK: - Async

extension Store {
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
