import CSQLite
import Foundation
import NacreEngine

extension Connection {
  /// Opens a sealed file, which has to have its header already.
  static func open(
    path: String,
    mode: Mode,
    isImmutable: Bool,
    _ pages: SealedPages
  ) throws(SQLiteError) -> OpaquePointer {
    guard !path.utf8.contains(0), let uri = pages.uri(path) else {
      throw SQLiteError(extendedCode: SQLITE_CANTOPEN, message: "the file can't be opened sealed")
    }
    guard !pages.haveLeftLog(at: path) else {
      throw SQLiteError(
        extendedCode: ResultCode.fault(.truncated),
        message: "the file has no page, but its log has some"
      )
    }
    DatabaseFile.awaitCreations()
    let access = mode == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(
      uri + (isImmutable ? "&immutable=1" : ""),
      &handle,
      access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
      nil
    )
    guard result == SQLITE_OK, let handle else {
      let error = SQLiteError(result, on: handle, sql: nil)
      sqlite3_close_v2(handle)
      guard ResultCode.faultKind(error.extendedCode) != nil else { throw error }
      // SQLite has read the first page, and has closed the file that knows more.
      throw SQLiteError(
        extendedCode: error.extendedCode,
        message: "page 1 of the file was changed, moved or cut"
      )
    }
    return handle
  }

  /// Keeps room for the seals in each page, and keeps the connection to this one file.
  func setUp(_ pages: SealedPages, on handle: OpaquePointer) throws(SQLiteError) {
    // Another database that is attached, or that VACUUM INTO makes, would receive plain pages.
    authorizer.refusesOtherFiles = true
    if let state = SealedFileSystem.connection(handle) {
      // Once SQLite has opened the log, the end of the connection may empty and delete it.
      try state.check(RekeyJournal(state).refuseForeign())
    }
    var trailer = Int32(pages.sealer.trailerByteCount)
    let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &trailer)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    // Both take effect on a database that has no page yet.
    _ = try pragma("page_size = \(pages.sealer.pageByteCount)")
  }

  /// The size of a sealed file's cache in KiB, four times SQLite's own: a page that is not in it has to be opened, which
  /// takes longer than to read it.
  static let sealedCacheKibibytes = 8_000
}

extension SealedPages {
  /// Returns the URI by which any connection in this process opens a sealed file; nil if SQLite has
  /// refused the file system.
  package func uri(_ path: String) -> String? {
    SealedFileSystem.name.map { name in
      DatabaseFile.uri(path) + "?vfs=\(String(cString: name))&"
        + SealedFileSystem.parameter(sealer: number)
    }
  }

  /// Whether all pages of a file are gone, but not its log.
  ///
  /// SQLite would delete the log, and with it what was committed last. Page 1 is in the file before there
  /// is a log.
  fileprivate func haveLeftLog(at path: String) -> Bool {
    var (status, log) = (stat(), stat())
    guard stat(path, &status) == 0, status.st_size <= sealer.headerByteCount else { return false }
    // The log lies beside the file itself, also if the path leads there by a link.
    let file = DatabaseFile.resolved(path)
    return stat(file + SealedFileSystem.logEnding, &log) == 0 && log.st_size > 0
  }
}
