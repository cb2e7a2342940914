import CSQLite

extension Connection {
  /// Moves the write-ahead log's frames into the database file.
  ///
  /// - Returns: The frames in the log and how many of them are in the database; both -1 outside
  ///   WAL mode.
  /// - Throws: SQLITE_BUSY when a reader or writer is in the way for longer than the busy timeout,
  ///   SQLITE_LOCKED inside a write transaction of this connection.
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

  /// Moves the whole log into the file and cuts it to nothing, in one try.
  ///
  /// A checkpoint that truncates holds the writers' lock while it waits for readers: here for a moment only, so that
  /// whoever tries again and again leaves the writers their turns.
  ///
  /// A rollback journal that is kept between transactions holds what they have overwritten: it is deleted, which SQLite
  /// does not do, without a word, while another connection writes.
  ///
  /// - Returns: Whether it did; false while somebody reads an older state, writes, or makes a checkpoint.
  /// - Throws: What else SQLite reports.
  package func tryToEmptyLog() throws(SQLiteError) -> Bool {
    let usual = busyTimeoutMilliseconds
    defer { busyTimeoutMilliseconds = usual }
    do {
      if try pragma("journal_mode") == Pragmas.JournalMode.persist.rawValue {
        return try deleteJournal()
      }
      // Most of it, without keeping anybody waiting.
      _ = try checkpoint(.passive)
      busyTimeoutMilliseconds = min(usual, 50)
      _ = try checkpoint(.truncate)
      return true
    } catch {
      // A checkpoint that another connection makes is not waited for, whatever the busy timeout.
      guard error.isBusy || error.isLocked else { throw error }
      return false
    }
  }

  /// Deletes the rollback journal that this connection keeps between transactions.
  ///
  /// - Returns: Whether it is gone, or empty.
  private func deleteJournal() throws(SQLiteError) -> Bool {
    let handle = try opened()
    // What is set here is set back, and nobody's wish.
    let noted = authorizer.settings
    defer { authorizer.settings = noted }
    _ = try pragma("journal_mode = \(Pragmas.JournalMode.delete.rawValue)")
    let isGone = DatabaseFile.hasNoJournal(handle)
    _ = try pragma("journal_mode = \(Pragmas.JournalMode.persist.rawValue)")
    return isGone
  }
}
