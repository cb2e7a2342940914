import CSQLite

extension Connection {
  /// Returns 0: a log that somebody reads can't be emptied.
  package func stateNumber() throws -> Int64 { 0 }
  package func hasReaders(before state: Int64) throws -> Bool { false }

  /// Moves the write-ahead log's frames into the database file.
  ///
  /// - Returns: The number of frames in the log and how many of them are in the database; both are -1 outside WAL mode.
  /// - Throws: SQLITE_BUSY if a reader or writer is in the way for longer than the busy timeout, SQLITE_LOCKED inside a
  ///   write transaction of this connection.
  package func checkpoint(
    _ mode: CheckpointMode
  ) throws(SQLiteError) -> (logFrames: Int, checkpointedFrames: Int) {
    let handle = try opened()
    let code =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    var logFrames: Int32 = -1
    var checkpointedFrames: Int32 = -1
    let result = sqlite3_wal_checkpoint_v2(
      handle,
      "main",
      code,
      &logFrames,
      &checkpointedFrames
    )
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    return (Int(logFrames), Int(checkpointedFrames))
  }

  /// Moves the whole log into the file and cuts the log to nothing, in one try.
  ///
  /// A checkpoint that truncates holds the writers' lock while it waits for readers. This call waits only for a moment,
  /// so that a caller that tries again and again leaves the writers their turns.
  ///
  /// In `persist` mode the journal that is kept between transactions holds the overwritten content, so this call
  /// deletes it. While another connection writes, SQLite does not delete the journal and reports no error.
  ///
  /// - Returns: True if the log is empty now; false while another connection reads an older state, writes, or makes a
  ///   checkpoint.
  /// - Throws: Any other error that SQLite reports.
  package func tryToEmptyLog() throws(SQLiteError) -> Bool {
    let usual = busyTimeoutMilliseconds
    defer { busyTimeoutMilliseconds = usual }
    do {
      if try pragma("journal_mode") == Pragmas.JournalMode.persist.rawValue {
        return try deleteJournal()
      }
      // Moves most of the log without keeping anybody waiting.
      _ = try checkpoint(.passive)
      busyTimeoutMilliseconds = min(usual, 50)
      _ = try checkpoint(.truncate)
      return true
    } catch {
      // SQLite does not wait for another connection's checkpoint, whatever the busy timeout.
      guard error.isBusy || error.isLocked else { throw error }
      return false
    }
  }

  /// Deletes the rollback journal that this connection keeps between transactions.
  ///
  /// - Returns: Whether the journal is gone or empty.
  private func deleteJournal() throws(SQLiteError) -> Bool {
    let handle = try opened()
    // The mode is set back below, so these changes are not settings that the user asked for.
    let noted = authorizer.settings
    defer { authorizer.settings = noted }
    _ = try pragma("journal_mode = \(Pragmas.JournalMode.delete.rawValue)")
    let isGone = DatabaseFile.hasNoJournal(handle)
    _ = try pragma("journal_mode = \(Pragmas.JournalMode.persist.rawValue)")
    return isGone
  }
}
