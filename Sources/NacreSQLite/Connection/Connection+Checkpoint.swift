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
}
