import CSQLite
package import NacreEngine

/// A connection to one database file; only one thread may use it at a time.
package final class Connection {
  /// The operations on its file that a connection allows.
  package enum Mode: Sendable {
    /// Only read the file.
    case readOnly
    /// Read and write the file, which must exist.
    case readWrite
    /// Read and write the file, and make it with mode 0600 if it is missing.
    case create
  }

  /// The path of the file that the connection opened.
  package let path: String

  /// The operations on its file that the connection allows.
  package let mode: Mode

  /// The home that opened the connection; nil if none did.
  package let home: (any EngineHome)?

  /// How the connection was set up.
  package let configuration: ConnectionConfiguration

  /// The handle of the connection, or nil once it is closed.
  // Unchecked for speed, like the statements' own handle.
  @exclusivity(unchecked) private(set) var handle: OpaquePointer?

  // Unchecked for speed too, because every call asks for a statement.
  @exclusivity(unchecked) var cache: StatementCache
  // Reads the number of the schema; unchecked for speed, because every transaction runs it.
  @exclusivity(unchecked) var layoutStatement: Statement?
  // BEGIN, COMMIT, ROLLBACK and the savepoints, by slot; unchecked for the same reason.
  @exclusivity(unchecked) var transactionStatements: [Statement?] = []
  /// How many transactions `begin` or `transaction` has begun, so each transaction has another number.
  // Computed, because another module's access to a stored property is checked for exclusivity.
  package var transactionNumber: UInt64 { begunCount }
  @exclusivity(unchecked) var begunCount: UInt64 = 0
  /// How many `transaction` calls are under way.
  // Computed for the same reason.
  package var transactionDepth: Int {
    get { depth }
    set { depth = newValue }
  }
  @exclusivity(unchecked) private var depth = 0

  /// Whether the connection refuses SQL text that begins or ends a transaction or savepoint; `begin`, `commit` and the
  /// like still work.
  package var refusesTransactionSQL = false

  /// The names of the functions that the connection defined beside SQLite's own.
  var functions: Set<String> = []

  let authorizer = Authorizer()
  private let busyWait: BusyWait
  /// Whether changed pages may be written to the log before the commit.
  var spillsChanges = false
  var traceSink: TraceSink?
  var changeHook: ChangeHook?

  /// Opens a file and sets the connection up.
  ///
  /// `:memory:` and an empty path open a database of the connection's own.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mode: What the connection may do with the file.
  ///   - isImmutable: Whether nobody can change the file meanwhile. SQLite then neither locks it nor gives it a log
  ///     (sqlite.org/uri.html#uriimmutable).
  ///   - memory: The database in memory whose path it is; nil for a file.
  ///   - pages: The seals on the file's pages; nil for a plain file.
  ///   - takesURIs: Whether SQL can name other files by URIs, by which they may lie in another file system.
  ///   - configuration: How to set the connection up.
  ///   - home: The home that opens the connection.
  /// - Throws: SQLITE_CANTOPEN, SQLITE_NOTADB, SQLITE_READONLY if the mode asks for writing and the file cannot be
  ///   written, SQLITE_BUSY if another connection holds the file.
  package init(
    path: String,
    mode: Mode,
    isImmutable: Bool = false,
    in memory: MemoryDatabase? = nil,
    sealing pages: SealedPages? = nil,
    takesURIs: Bool = false,
    configuration: ConnectionConfiguration = ConnectionConfiguration(),
    home: (any EngineHome)? = nil
  ) throws(SQLiteError) {
    let handle: OpaquePointer
    if let memory {
      handle = try Self.open(memory, mode: mode)
    } else if let pages {
      handle = try Self.open(path: path, mode: mode, isImmutable: isImmutable, pages)
    } else {
      handle = try Self.open(
        path: path,
        mode: mode,
        isImmutable: isImmutable,
        takesURIs: takesURIs
      )
    }
    self.path = path
    self.mode = mode
    self.configuration = configuration
    self.home = home
    self.handle = handle
    self.cache = StatementCache(capacity: configuration.statementCacheCapacity)
    self.busyWait = BusyWait(timeoutMilliseconds: configuration.pragmas.busyTimeoutMilliseconds)
    // From here on `deinit` closes the file if something throws.
    sqlite3_extended_result_codes(handle, 1)
    busyWait.install(on: handle)
    authorizer.install(on: handle)
    if let pages { try setUp(pages, on: handle) }
    try setUp(handle)
    if pages != nil { _ = try pragma("cache_size = -\(Self.sealedCacheKibibytes)") }
  }

  deinit {
    if let handle, traceSink != nil { TraceSink.remove(from: handle) }
    if let handle, changeHook != nil { ChangeHook.remove(from: handle) }
    cache.removeAll()
    transactionStatements.removeAll()
    layoutStatement = nil
    guard let handle else { return }
    // A statement may outlive this object and be run or prepared again, but the authorizer and the busy handler go with
    // this object. Such a statement keeps the file open, but it may not keep a transaction open.
    sqlite3_set_authorizer(handle, nil, nil)
    sqlite3_busy_handler(handle, nil, nil)
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    sqlite3_close_v2(handle)
  }

  private static func open(
    path: String,
    mode: Mode,
    isImmutable: Bool,
    takesURIs: Bool
  ) throws(SQLiteError) -> OpaquePointer {
    guard !path.utf8.contains(0) else {
      throw SQLiteError(extendedCode: SQLITE_CANTOPEN, message: "the path contains a NUL")
    }
    let isInMemory = DatabaseFile.isInMemory(path)
    guard isInMemory || !DatabaseFile.hasOneByte(path) else {
      throw SQLiteError(extendedCode: SQLITE_NOTADB, message: "a file of one byte is no database")
    }
    if !isInMemory && mode == .create { try DatabaseFile.createIfMissing(path) }
    DatabaseFile.awaitCreations()
    // Never pass SQLITE_OPEN_CREATE for a file, because SQLite would make it readable by others.
    let access =
      isInMemory
      ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      : mode == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(
      isImmutable
        ? DatabaseFile.immutable(path)
        : takesURIs ? DatabaseFile.uri(path) : DatabaseFile.verbatim(path),
      &handle,
      access | SQLITE_OPEN_NOMUTEX | (isImmutable || takesURIs ? SQLITE_OPEN_URI : 0),
      nil
    )
    guard result == SQLITE_OK, let handle else {
      let error = SQLiteError(result, on: handle, sql: nil)
      sqlite3_close_v2(handle)
      throw error
    }
    return handle
  }

  private static func open(_ memory: MemoryDatabase, mode: Mode) throws(SQLiteError)
    -> OpaquePointer
  {
    guard let system = MemoryFileSystem.name else {
      throw SQLiteError(
        extendedCode: SQLITE_CANTOPEN,
        message: "SQLite has refused the file system in memory"
      )
    }
    let access = mode == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(memory.path, &handle, access | SQLITE_OPEN_NOMUTEX, system)
    guard result == SQLITE_OK, let handle else {
      let error = SQLiteError(result, on: handle, sql: nil)
      sqlite3_close_v2(handle)
      throw error
    }
    return handle
  }

  private func setUp(_ handle: OpaquePointer) throws(SQLiteError) {
    let result = nacre_sqlite_harden(handle)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    // This first read shows whether the file is a database at all.
    _ = try pragma("schema_version")
    if mode != .readOnly {
      // If the file system refuses writing, SQLite falls back to reading.
      guard sqlite3_db_readonly(handle, "main") == 0 else {
        throw SQLiteError(extendedCode: SQLITE_READONLY, message: "the file cannot be written")
      }
      try setJournalMode()
    }
    try execute(configuration.statements)
    forgetSettingsOfSQL()
  }

  private func setJournalMode() throws(SQLiteError) {
    guard configuration.setsJournalMode else { return }
    let wanted = configuration.pragmas.journalMode.rawValue
    guard !DatabaseFile.isInMemory(path), try pragma("journal_mode") != wanted else { return }
    // If two connections change the mode of a new file at once, SQLite refuses them without asking the busy handler.
    let mode = try retryingWhileBusy { () throws(SQLiteError) in
      try pragma("journal_mode = \(wanted)")
    }
    guard mode == wanted else {
      throw SQLiteError(
        extendedCode: SQLITE_ERROR,
        message: "the journal mode could not be changed and stays \(mode ?? "unknown")"
      )
    }
  }

  /// Calls the body again and again while the file is busy or locked, up to the busy timeout.
  func retryingWhileBusy<Result>(
    napMicroseconds: UInt32 = 2_000,
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let deadline = ContinuousClock.now + .milliseconds(Int(busyTimeoutMilliseconds))
    while true {
      do {
        return try body()
      } catch {
        guard error.isBusy || error.isLocked, ContinuousClock.now < deadline else { throw error }
        BusyWait.nap(microseconds: napMicroseconds)
      }
    }
  }

  /// How long the connection waits for a lock that another connection holds, in milliseconds.
  package var busyTimeoutMilliseconds: Int32 {
    get { busyWait.timeoutMilliseconds }
    set { busyWait.timeoutMilliseconds = newValue }
  }

  /// Waits this long for locks from now on; replaces a timeout that SQL has set.
  package func waitForLocks(milliseconds: Int32) {
    busyWait.timeoutMilliseconds = milliseconds
    if let handle { busyWait.install(on: handle) }
  }

  /// The handle of the open connection.
  ///
  /// - Throws: SQLITE_MISUSE once the connection is closed.
  func opened(sql: String? = nil) throws(SQLiteError) -> OpaquePointer {
    guard let handle else { throw .closed(sql: sql) }
    return handle
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }

  /// The number of rows changed since the connection was opened, including changes by triggers and cascades.
  package var totalChanges: Int { handle.map { Int(sqlite3_total_changes64($0)) } ?? 0 }

  /// The rowid of the last row inserted into a rowid table.
  package var lastInsertRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// Whether the connection is inside a transaction; SQLite can end one on its own.
  package var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Makes running statements fail with SQLITE_INTERRUPT.
  ///
  /// Any thread may call it, as long as none closes the connection.
  package func interrupt() {
    if let handle { sqlite3_interrupt(handle) }
  }

  /// Ends every statement that the connection keeps and closes the file; does nothing on the second call.
  ///
  /// - Throws: SQLITE_BUSY while statements made by `prepare` are alive; the connection then stays open and usable.
  package func close() throws(SQLiteError) {
    guard let handle else { return }
    cache.finalizeAll()
    for statement in transactionStatements { statement?.finalize() }
    transactionStatements.removeAll()
    layoutStatement?.finalize()
    layoutStatement = nil
    let result = sqlite3_close(handle)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    self.handle = nil
  }
}
