public import Foundation
public import NacreStore
import NacreEngine

extension Store {
  /// Writes the store's objects as lines of JSON, using only the file's catalog.
  ///
  /// The first line describes the tables. Then comes one line for each object, one for each row of a to-many
  /// relationship, and a last line that counts them. Sealed values are exported as their envelopes, which open only in
  /// this store, unless `revealing` is true: then *the lines contain them in plain text*. A value that does not open
  /// ends the export with an error that names it: verify the store, and set bad cells aside. A locked store exports its
  /// envelopes, too, but can't tell whether they open. The export has no blind indexes; an import recomputes them. It
  /// writes values that a hook has sealed as they are stored, in both cases. It leaves out tables of DAOs, and names
  /// them in the report.
  ///
  /// All lines come from one state of the store, and meanwhile nobody can empty the write-ahead log.
  ///
  /// - Parameters:
  ///   - revealing: whether sealed values are opened.
  ///   - entities: the names of the entities to export; nil is all. Objects of other entities that they refer to are
  ///     not exported, and must be in the store that imports the lines.
  ///   - write: called with each line, with its line end.
  /// - Returns: the report.
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
  /// Envelopes must come from this very store, and the import opens each one before it accepts it. Revealed values may
  /// come from any store, and are sealed under this store's keys. The import creates missing tables as the store
  /// creates them for a class; tables of records with sealed columns must exist. The whole import is one transaction:
  /// if a line is wrong, a reference leads nowhere, or the last line is missing, it imports nothing. Other writers wait
  /// meanwhile, also while it waits for `next`. Memory does not grow with the number of lines.
  ///
  /// - Parameters:
  ///   - existing: the treatment of an object that is stored already.
  ///   - next: returns one line after the other, with or without its line end, and nil at the end.
  /// - Returns: the report.
  /// - Throws: ``NacreError`` with the number of the line: `badImport`, `alreadyStored`, `constraint`, or the code of
  ///   an envelope that does not open; `storeLocked`; `migrationPending`; or what `next` throws.
  @discardableResult
  public func importLines(
    existing: ExistingObjects = .refuse,
    from next: () throws -> Data?
  ) throws -> TransferReport {
    try withoutActuallyEscaping(next) { next in
      try writeMuch { database in try Import(database, existing, next).run() }
    }
  }

  /// Stores the objects of an export in a file or pipe, which is read from where the handle is.
  ///
  /// - Parameters:
  ///   - existing: the treatment of an object that is stored already.
  ///   - file: the open file or pipe; one line may have 1 GiB.
  /// - Returns: the report.
  /// - Throws: The same as ``importLines(existing:from:)-(_,()->Data?)``, or `inputOutput`.
  @discardableResult
  public func importLines(
    existing: ExistingObjects = .refuse,
    from file: FileHandle
  ) throws -> TransferReport {
    let reader = LineReader(file)
    return try importLines(existing: existing) { try reader.next() }
  }
}

// MARK: - Async

extension Store {
  /// Writes the store's objects as lines of JSON.
  ///
  /// - Parameters:
  ///   - revealing: whether sealed values are opened.
  ///   - entities: the names of the entities to export; nil is all.
  ///   - write: called with each line, with its line end.
  /// - Returns: the report.
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
  ///   - existing: the treatment of an object that is stored already.
  ///   - next: returns one line after the other, and nil at the end.
  /// - Returns: the report.
  /// - Throws: ``NacreError``, or what `next` throws.
  @discardableResult
  public func importLines(
    existing: ExistingObjects = .refuse,
    from next: @escaping @Sendable () throws -> Data?
  ) async throws -> TransferReport {
    try await Self.onThread { try self.importLines(existing: existing, from: next) }
  }
}
