import CSQLite
import Foundation
package import NacreEngine

/// A database's file that one connection has to itself, to put another file in its place.
///
/// The other file, the draft, is made beside it under a name of its own. It takes the name by one rename, so
/// at each moment a whole file has it. The file that loses the name is made useless then, because somebody
/// may have opened it and be waiting for its lock.
package final class FileExchange {
  /// The ending that the name of a draft adds to the file's.
  package static let draftEnding = SealedFileSystem.draftEnding

  /// The connection that has the file to itself.
  package let connection: Connection
  /// The path of the draft.
  package let draft: String
  private let file: String
  private let pages: SealedPages?
  /// How long somebody else may take to let go of the file, in milliseconds.
  private static let patience: Int32 = 1_000

  /// Opens a file, and keeps everybody else from it.
  ///
  /// The file has no log and no journal then.
  ///
  /// - Parameters:
  ///   - path: The file, not a link to it.
  ///   - sealer: Seals its pages; nil for a plain file.
  /// - Throws: An `EngineError`, of kind `busy` if somebody else has the file open; `HomeError` if the file
  ///   has other names, by which it would be lost.
  package init(_ path: String, sealedBy sealer: (any PageSealer)?) throws {
    file = path
    draft = path + Self.draftEnding
    pages = sealer.map { SealedPages($0) }
    var configuration = ConnectionConfiguration()
    configuration.setsJournalMode = false
    connection = try Connection(
      path: path,
      mode: .readWrite,
      sealing: pages,
      takesURIs: true,
      configuration: configuration
    )
    connection.waitForLocks(milliseconds: Self.patience)
    // SQLite needs the collation and the tables to copy what an index or a view names.
    try connection.define(DecimalFunctions.collation)
    try connection.defineTables()
    try takeAlone()
    var status = stat()
    guard lstat(path, &status) == 0, status.st_nlink == 1 else {
      throw HomeError(
        .cannotOpen,
        "\(path) has more than one name, and only one would be exchanged"
      )
    }
  }

  /// Moves the log into the file, and locks the file until the connection ends.
  private func takeAlone() throws {
    // Somebody else who has the file open with a log holds a lock that keeps the mode from changing.
    let mode = try connection.pragma("journal_mode = \(Pragmas.JournalMode.delete.rawValue)")
    _ = try connection.pragma("locking_mode = EXCLUSIVE")
    try connection.begin(.exclusive)
    try connection.rollback()
    // Somebody may have given the file a log again, between the two.
    guard mode == Pragmas.JournalMode.delete.rawValue,
      try connection.pragma("journal_mode") == mode
    else {
      throw SQLiteError(extendedCode: SQLITE_BUSY, message: "somebody else has the file open")
    }
  }

  /// Ends the connection, and lets others at the file.
  package func close() { try? connection.close() }

  // MARK: - The draft

  /// Whether a draft of a file, or what SQLite keeps beside it, has been left.
  package static func hasDraft(of path: String) -> Bool {
    !SQLiteHome.files(of: path + draftEnding).isEmpty
  }

  /// The size of the pages of a draft, which a sealed file needs to be 1,024 bytes at least.
  package func pageByteCount() throws -> Int {
    max(1_024, Int(try connection.pragma("page_size") ?? "") ?? 0)
  }

  /// Deletes a draft, also one that an earlier process has left.
  package func deleteDraft() throws { try SQLiteHome.deleteFiles(of: draft) }

  /// Copies the database into a new draft, which only its owner can read.
  ///
  /// - Parameters:
  ///   - sealer: Seals the draft's pages; nil for a plain draft.
  ///   - header: The bytes before the first page of a sealed draft.
  /// - Throws: `HomeError`; an `EngineError`.
  package func makeDraft(sealedBy sealer: (any PageSealer)?, header: [UInt8]) throws {
    let target = sealer.map { SealedPages($0) }
    _ = try connection.pragma("page_size = \(pageByteCount())")
    // The draft has its name from its first byte on: a name of its own for the header would be left by a kill.
    try WholeFile.makeEmpty(draft, for: draft)
    if let target {
      try SealedHeaderFile(path: draft).write(header, at: 0)
      // After the pragma, with which SQLite forgets it.
      try connection.reserve(Int32(target.sealer.trailerByteCount))
    }
    try connection.vacuum(into: uri(sealing: target))
  }

  /// Opens the draft, without a log.
  package func openDraft(sealedBy sealer: (any PageSealer)?) throws -> Connection {
    var configuration = ConnectionConfiguration()
    configuration.pragmas.synchronous = .full
    configuration.setsJournalMode = false
    return try Connection(
      path: draft,
      mode: .readWrite,
      sealing: sealer.map { SealedPages($0) },
      configuration: configuration
    )
  }

  /// The URI by which SQLite finds the draft in the file system of its pages.
  ///
  /// Without a name of a file system, SQLite would take that of the file that is copied.
  private func uri(sealing target: SealedPages?) throws -> String {
    if let target, let uri = target.uri(draft) { return uri }
    guard target == nil, let name = sqlite3_vfs_find(nil)?.pointee.zName else {
      throw HomeError(.cannotOpen, "SQLite has no file system for \(draft)")
    }
    return DatabaseFile.uri(draft) + "?vfs=" + String(cString: name)
  }

  // MARK: - The exchange

  /// Gives the draft the file's name, and makes the file useless that had it.
  ///
  /// - Throws: `HomeError`, with the file as it was; or, where the disk does not take over the name, with the
  ///   draft in the file's place and the former file whole.
  package func exchange() throws {
    for ending in ["-wal", "-journal", SealedFileSystem.logEnding, SealedFileSystem.journalEnding]
    where !SQLiteHome.isEmpty(draft + ending) {
      throw HomeError(.full, "\(draft) could not be written as a whole")
    }
    try copyOwner()
    try sync(draft)
    guard rename(draft, file) == 0 else {
      throw HomeError(.cannotOpen, "\(file): \(lastSystemError())")
    }
    // A power cut must not give the name back to the file that is given up.
    // By the draft's name, which is free now: what a kill leaves of it, the next conversion deletes.
    try WholeFile.syncDirectory(byDeleting: draft)
    // The empty files that a mode of journals may have left bear a name that nobody uses any more.
    try? SQLiteHome.deleteFiles(of: draft)
    giveUp()
  }

  /// Gives the draft the mode and the owner of the file.
  private func copyOwner() throws {
    var (old, new) = (stat(), stat())
    guard stat(file, &old) == 0, stat(draft, &new) == 0,
      (old.st_uid == new.st_uid && old.st_gid == new.st_gid)
        || chown(draft, old.st_uid, old.st_gid) == 0,
      chmod(draft, old.st_mode & 0o7777) == 0
    else {
      throw HomeError(
        .readOnly,
        "\(draft) can't be given the owner of \(file): \(lastSystemError())"
      )
    }
  }

  private func sync(_ path: String) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MAIN_DB
    guard case .success(let base) = BaseFile.open(nil, keeping: FileName(path), flags, nil) else {
      throw HomeError(.cannotOpen, "\(path) can't be opened")
    }
    defer { _ = base.close() }
    guard base.sync(SQLITE_SYNC_FULL) == SQLITE_OK else {
      throw HomeError(.inputOutput, "\(path) can't be written to the disk")
    }
  }

  /// Overwrites the beginning of the file that the connection has open, which has no name any more.
  ///
  /// A process that has opened it before the exchange then finds no database. The store has its new file already, so
  /// nothing is undone if this fails.
  private func giveUp() {
    let byteCount = (pages?.sealer.headerByteCount ?? 0) + 65_536
    // SQLite's own file system writes less than 128 KiB at once.
    let zeros = [UInt8](repeating: 0, count: 65_536)
    for offset in stride(from: 0, to: byteCount, by: zeros.count) {
      zeros.withUnsafeBytes { write($0, at: Int64(offset)) }
    }
  }

  /// Writes to the open file below the seals of its pages, and waits for the disk.
  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
    guard let handle = try? connection.opened() else { return }
    if let state = SealedFileSystem.connection(handle) {
      _ = state.base.write(bytes, at: offset)
      _ = state.base.sync(SQLITE_SYNC_FULL)
    } else if let file = try? connection.openFile(.database),
      let methods = file.pointee.pMethods?.pointee
    {
      _ = methods.xWrite?(file, bytes.baseAddress, Int32(bytes.count), offset)
      _ = methods.xSync?(file, SQLITE_SYNC_FULL)
    }
  }
}

extension Connection {
  /// Has copies of this database keep bytes free at the end of each page.
  fileprivate func reserve(_ byteCount: Int32) throws(SQLiteError) {
    let handle = try opened()
    var byteCount = byteCount
    let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &byteCount)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
  }

  /// Copies the database into an empty file, row by row.
  fileprivate func vacuum(into uri: String) throws {
    let refused = authorizer.refusesOtherFiles
    authorizer.refusesOtherFiles = false
    defer { authorizer.refusesOtherFiles = refused }
    let statement = try prepare("VACUUM INTO ?1")
    try statement.bind(text: uri, at: 1)
    try statement.run()
  }
}
