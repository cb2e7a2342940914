import CSQLite
import NacreEngine

/// Seals the pages of a connection's database anew, under locks that SQLite takes for the like.
final class ConnectionRekeying: PageRekeying {
  private let connection: Connection
  private let state: SealedConnection
  private let rekey: SealedRekey
  private let longestHold: Duration

  /// Makes what rekeys; nil if the connection's pages are not sealed.
  ///
  /// - Parameters:
  ///   - connection: A connection of its own.
  ///   - limit: How many pages a batch seals at most, if fewer than usual.
  ///   - longestHold: How long checkpoints wait for this at most, and two batches more. Meanwhile the log
  ///     grows, but to get their lock takes longer than a batch beside writers that checkpoint after every
  ///     commit.
  /// - Throws: SQLite's error.
  init?(
    _ connection: Connection,
    limit: Int = .max,
    longestHold: Duration = .milliseconds(400)
  ) throws(SQLiteError) {
    guard let state = SealedFileSystem.connection(try connection.opened()) else { return nil }
    self.connection = connection
    self.state = state
    self.longestHold = longestHold
    rekey = SealedRekey(state, limit: limit)
  }

  func reseal(from first: UInt32) throws -> PageBatch {
    try withPagesToItself { () throws(SQLiteError) in
      let end = ContinuousClock.now + longestHold
      var batch = PageBatch()
      // Without a log others can't even read meanwhile.
      let result = rekey.reseal(from: first, &batch) { !state.hasLog || ContinuousClock.now >= end }
      try check(result)
      return batch
    }
  }

  /// Writes back what a rekey that was killed left in its journal, unless somebody is at the pages now.
  static func recover(on connection: Connection) throws(SQLiteError) {
    guard let state = SealedFileSystem.connection(try connection.opened()),
      RekeyJournal(state).isLeft, let rekeying = try ConnectionRekeying(connection)
    else { return }
    do {
      try rekeying.withPagesToItself { () throws(SQLiteError) in
        try rekeying.check(rekeying.rekey.recover())
      }
    } catch {
      // Until somebody does it, readers find in the journal what they need.
      guard error.isBusy || error.isLocked else { throw error }
    }
  }

  func withoutCheckpoints<T>(_ body: () throws -> T) throws -> T {
    try connection.withoutCheckpoints(of: state, body)
  }

  /// Runs the body while nobody else writes pages to the database's file.
  ///
  /// With a log only checkpoints do. Nobody can checkpoint without their lock meanwhile, as the last
  /// connection does that closes, because this connection holds the file shared.
  private func withPagesToItself<T>(
    _ body: () throws(SQLiteError) -> T
  ) throws(SQLiteError) -> T {
    // Reads the first page, by which SQLite opens the log and takes its lock on the file.
    _ = try connection.pragma("schema_version")
    if !state.hasLog {
      try connection.begin(.exclusive)
      // Somebody else may have given the file a log meanwhile, so that others go on reading it.
      if !state.hasLog {
        defer { try? connection.rollback() }
        return try body()
      }
      try connection.rollback()
    }
    try connection.lockCheckpoints(of: state)
    defer { connection.unlockCheckpoints(of: state) }
    try check(state.beginWriting())
    defer { state.isWriting = false }
    return try body()
  }

  func syncLog() throws {
    guard state.hasLog, let file = try connection.openFile(.log),
      let sync = file.pointee.pMethods?.pointee.xSync
    else { return }
    try check(sync(file, SQLITE_SYNC_FULL))
  }

  func deleteJournal() throws {
    let result = SealedFileSystem.delete(state.rekeyJournalName)
    guard result != ResultCode.missingFile else { return }
    try check(result)
  }

  func close() throws {
    let emptied = Result { try Self.recover(on: connection) }
    try connection.close()
    try emptied.get()
  }

  private func check(_ result: Int32) throws(SQLiteError) { try state.check(result) }
}

extension SealedConnection {
  /// Throws the error of a code, with the fault that was noted for it.
  func check(_ result: Int32) throws(SQLiteError) {
    guard result != SQLITE_OK else { return }
    guard ResultCode.faultKind(result) != nil, let fault else {
      let message = sqlite3_errstr(result).map { String(cString: $0) } ?? ""
      throw SQLiteError(extendedCode: result, message: message)
    }
    throw SQLiteError(result, of: fault)
  }
}
