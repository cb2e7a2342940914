import CSQLite
import NacreEngine

extension Connection {
  /// Copies this database over the destination's, while others read and write this one.
  ///
  /// In WAL mode the copy shows the moment at which the backup started, however much others write meanwhile. In the
  /// other modes SQLite starts over when another connection writes.
  ///
  /// - Parameters:
  ///   - destination: The database to overwrite; nobody else may use it meanwhile.
  ///   - pagesPerStep: How many pages to copy between two reports.
  ///   - progress: Called after each step with the number of pages left and the number of all pages.
  /// - Throws: SQLITE_BUSY or SQLITE_LOCKED after the busy timeout, SQLITE_LOCKED at once inside a
  ///   write transaction of this connection, SQLITE_FULL, SQLITE_READONLY.
  package func backup(
    to destination: Connection,
    pagesPerStep: Int32 = 256,
    progress: ((_ remaining: Int, _ total: Int) -> Void)? = nil
  ) throws(SQLiteError) {
    let source = try opened()
    let target = try destination.opened()
    guard sqlite3_txn_state(source, "main") != SQLITE_TXN_WRITE else {
      throw SQLiteError(
        extendedCode: SQLITE_LOCKED,
        message: "a write transaction is open on the source"
      )
    }
    let holdsSnapshot = try beginSnapshot()
    defer { if holdsSnapshot { try? rollback() } }
    guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
      throw SQLiteError(sqlite3_errcode(target), on: target, sql: nil)
    }
    let outcome = Result { () throws(SQLiteError) in
      try copyPages(backup, perStep: pagesPerStep, progress)
    }
    let result = sqlite3_backup_finish(backup)
    try outcome.get()
    guard result == SQLITE_OK else { throw SQLiteError(result, on: target, sql: nil) }
  }

  /// Starts a read transaction in WAL mode, where it blocks nobody, so that no write restarts the backup.
  private func beginSnapshot() throws(SQLiteError) -> Bool {
    guard !isInTransaction, try pragma("journal_mode") == "wal" else { return false }
    try begin(.deferred)
    do {
      _ = try pragma("schema_version")
    } catch {
      try? rollback()
      throw error
    }
    return true
  }

  private func copyPages(
    _ backup: OpaquePointer,
    perStep: Int32,
    _ progress: ((Int, Int) -> Void)?
  ) throws(SQLiteError) {
    let pages = perStep > 0 ? perStep : -1
    while true {
      let result = try retryingWhileBusy { () throws(SQLiteError) -> Int32 in
        let result = sqlite3_backup_step(backup, pages)
        guard result == SQLITE_OK || result == SQLITE_DONE else {
          throw SQLiteError(result, on: nil, sql: nil)
        }
        return result
      }
      progress?(
        Int(sqlite3_backup_remaining(backup)),
        Int(sqlite3_backup_pagecount(backup))
      )
      if result == SQLITE_DONE { return }
    }
  }
}
