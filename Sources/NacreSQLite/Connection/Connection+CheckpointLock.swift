import CSQLite

extension Connection {
  /// Runs the body while nobody moves pages from the log to the database's file.
  ///
  /// Without a log nobody does, and the body runs at once.
  ///
  /// - Parameters:
  ///   - file: The sealed file that the connection has open.
  ///   - body: What to run.
  /// - Returns: What the body returns.
  /// - Throws: SQLITE_BUSY if somebody else holds the lock for longer than the busy timeout; the error of the body.
  func withoutCheckpoints<T>(of file: SealedConnection, _ body: () throws -> T) throws -> T {
    // Reads the first page, by which SQLite opens the log.
    _ = try pragma("schema_version")
    guard file.hasLog else { return try body() }
    try lockCheckpoints(of: file)
    defer { unlockCheckpoints(of: file) }
    return try body()
  }

  /// The number of the lock of checkpoints in the log's index (sqlite.org/walformat.html, 2.3.1).
  private static let checkpointLock: Int32 = 1

  /// Takes the lock under which SQLite moves pages from the log to the database's file.
  func lockCheckpoints(of file: SealedConnection) throws(SQLiteError) {
    // A writer whose log can't be emptied, because somebody reads, checkpoints after every commit: the
    // lock is free for some 30 microseconds at a time.
    try retryingWhileBusy(napMicroseconds: 100) { () throws(SQLiteError) in
      let flags = SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE
      try file.check(file.base.lockIndex(Self.checkpointLock, 1, flags))
    }
  }

  /// Gives the lock back.
  func unlockCheckpoints(of file: SealedConnection) {
    _ = file.base.lockIndex(Self.checkpointLock, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
  }
}
