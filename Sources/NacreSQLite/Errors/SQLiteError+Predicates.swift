import CSQLite

extension SQLiteError {
  /// Whether a statement names a table that does not exist.
  ///
  /// SQLite has no code of its own for this, so the message is compared.
  ///
  /// - Parameter table: The table's name, in any case.
  /// - Returns: Whether the error says that the table does not exist.
  package func isMissing(table: String) -> Bool {
    // The error hides the name if it could be a value.
    let named = [table, "main.\(table)", "‹hidden›"].map { "no such table: \($0)".lowercased() }
    return code == SQLITE_ERROR && named.contains(message.lowercased())
  }

  /// Another connection held a lock for longer than the busy timeout (SQLITE_BUSY).
  public var isBusy: Bool { code == SQLITE_BUSY }

  /// Another connection has changed the state that this transaction has read and would change
  /// (SQLITE_BUSY_SNAPSHOT).
  var isConflict: Bool { extendedCode == SQLITE_BUSY | (2 << 8) }

  /// This very connection holds a lock on a table or the file (SQLITE_LOCKED).
  public var isLocked: Bool { code == SQLITE_LOCKED }

  /// The disk or the database's page limit is full (SQLITE_FULL).
  public var isFull: Bool { code == SQLITE_FULL }

  /// The operating system failed to read or write (SQLITE_IOERR).
  public var isInputOutput: Bool { code == SQLITE_IOERR }

  /// A constraint of any kind was violated (SQLITE_CONSTRAINT).
  public var isConstraint: Bool { code == SQLITE_CONSTRAINT }

  /// A UNIQUE, PRIMARY KEY or rowid constraint was violated.
  public var isUniqueConstraint: Bool {
    let subcode = extendedCode >> 8
    // SQLITE_CONSTRAINT_PRIMARYKEY 6, _UNIQUE 8, _ROWID 10.
    return isConstraint && (subcode == 6 || subcode == 8 || subcode == 10)
  }

  /// A foreign key was violated, at once or at COMMIT (SQLITE_CONSTRAINT_FOREIGNKEY).
  public var isForeignKey: Bool { isConstraint && extendedCode >> 8 == 3 }

  /// A NOT NULL constraint was violated (SQLITE_CONSTRAINT_NOTNULL).
  public var isNotNull: Bool { isConstraint && extendedCode >> 8 == 5 }

  /// A CHECK constraint was violated (SQLITE_CONSTRAINT_CHECK).
  public var isCheck: Bool { isConstraint && extendedCode >> 8 == 1 }

  /// The file is not an SQLite database (SQLITE_NOTADB).
  public var isNotADatabase: Bool { code == SQLITE_NOTADB }

  /// The database's structure is damaged (SQLITE_CORRUPT).
  public var isCorrupt: Bool { code == SQLITE_CORRUPT }

  /// The connection or the file can't be written (SQLITE_READONLY).
  public var isReadOnly: Bool { code == SQLITE_READONLY }

  /// The file could not be opened or made (SQLITE_CANTOPEN).
  public var isCantOpen: Bool { code == SQLITE_CANTOPEN }

  /// A call of `interrupt()` stopped the statement (SQLITE_INTERRUPT).
  public var isInterrupted: Bool { code == SQLITE_INTERRUPT }

  /// A writing statement ran on a connection that was opened only for reading.
  package var isWriteOnReader: Bool { extendedCode == Self.writeOnReader }

  /// The authorizer refused the statement (SQLITE_AUTH).
  public var isAuthorization: Bool { code == SQLITE_AUTH }

  /// A text or BLOB is larger than SQLite takes (SQLITE_TOOBIG).
  public var isTooBig: Bool { code == SQLITE_TOOBIG }

  /// A parameter index is outside the statement's parameters (SQLITE_RANGE).
  public var isRange: Bool { code == SQLITE_RANGE }

  /// A call came out of order: on a closed connection, or on a statement being stepped (SQLITE_MISUSE).
  public var isMisuse: Bool { code == SQLITE_MISUSE }

  /// SQLite rolled the transaction back on its own while the caller went on
  /// (SQLITE_ABORT_ROLLBACK).
  public var isRolledBack: Bool { extendedCode == Self.abortedByRollback }

  /// SQL text would have begun or ended a transaction or savepoint while the connection refuses that.
  package var isRefusedTransaction: Bool { extendedCode == Self.refusedTransaction }

  /// An extended code of our own; it can't clash, because SQLite gives SQLITE_AUTH only small ones.
  private static var refusedTransaction: Int32 { SQLITE_AUTH | (0xff << 8) }

  /// An extended code of our own; it can't clash, because SQLite gives SQLITE_READONLY only small ones.
  private static var writeOnReader: Int32 { SQLITE_READONLY | (0xff << 8) }

  /// A file, or its directory, could not be synced (SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC).
  var isNotSynced: Bool {
    extendedCode == SQLITE_IOERR | (4 << 8) || extendedCode == SQLITE_IOERR | (5 << 8)
  }

  /// Nobody knows whether the transaction was committed.
  var isCommitUnknown: Bool { extendedCode == Self.commitUnknown }

  /// An extended code of our own; it can't clash, because SQLite gives SQLITE_IOERR only small ones, and faults of
  /// sealed files have larger ones.
  private static var commitUnknown: Int32 { SQLITE_IOERR | (0xdf << 8) }

  /// The same error with the code for a transaction of which nobody knows whether it was committed.
  var asCommitUnknown: SQLiteError {
    SQLiteError(extendedCode: Self.commitUnknown, message: message, sql: sql)
  }

  /// The same error with the code for a write on a connection that was opened only for reading.
  var asWriteOnReader: SQLiteError {
    SQLiteError(extendedCode: Self.writeOnReader, message: message, sql: sql)
  }

  static var abortedByRollback: Int32 { SQLITE_ABORT | (2 << 8) }

  /// Makes the error for SQL text that begins or ends a transaction or savepoint.
  static func refusedTransaction(sql: String) -> SQLiteError {
    SQLiteError(
      extendedCode: refusedTransaction,
      message: "SQL text may neither begin nor end a transaction or savepoint",
      sql: sql
    )
  }

  /// Makes the error for a call on a closed connection.
  static func closed(sql: String? = nil) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_MISUSE, message: "the connection is closed", sql: sql)
  }
}
