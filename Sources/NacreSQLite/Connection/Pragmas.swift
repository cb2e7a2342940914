/// SQLite's own settings of a connection, by their types (sqlite.org/pragma.html).
public struct Pragmas: Sendable, Equatable {
  /// When SQLite waits for the disk.
  public enum Synchronous: Int, Sendable {
    /// Never: a power loss can damage the file.
    case off = 0
    /// At checkpoints: in WAL mode a power loss can lose the last transactions, not damage.
    case normal = 1
    /// At every commit.
    case full = 2
    /// As `full`, and the directory too.
    case extra = 3
  }

  /// How a transaction is made atomic.
  public enum JournalMode: String, Sendable {
    /// A write-ahead log: readers and one writer at the same time.
    case wal
    /// A rollback journal, deleted at commit.
    case delete
    /// A rollback journal, cut to zero bytes at commit.
    case truncate
    /// A rollback journal whose header is overwritten at commit.
    case persist
    /// A rollback journal in memory: a crash can damage the file.
    case memory
    /// No journal: nothing can be rolled back, and a crash can damage the file.
    case off
  }

  /// Where temporary tables and sorts go.
  public enum TemporaryStore: Int, Sendable {
    /// Where SQLite was built to put them.
    case automatic = 0
    /// Into files.
    case file = 1
    /// Into memory.
    case memory = 2
  }

  /// A setting by its name in SQL.
  package enum Name: String, Sendable {
    /// The timeout for locks.
    case busyTimeout = "busy_timeout"
    /// Whether foreign keys are enforced.
    case foreignKeys = "foreign_keys"
    /// Whether LIKE tells case.
    case caseSensitiveLike = "case_sensitive_like"
    /// When the disk is waited for.
    case synchronous
    /// How a transaction is made atomic.
    case journalMode = "journal_mode"
    /// Where temporary tables go.
    case temporaryStore = "temp_store"
  }

  /// How long another connection's lock is waited for, in seconds.
  public var busyTimeout = 5.0
  /// Whether foreign keys are enforced; without, what refers to a deleted object keeps its reference.
  public var foreignKeys = true
  /// Whether LIKE tells `a` from `A`.
  public var caseSensitiveLike = false
  /// When SQLite waits for the disk.
  public var synchronous = Synchronous.normal
  /// How a transaction is made atomic; the file keeps WAL, and forgets the others with the last connection.
  public var journalMode = JournalMode.wal
  /// Where temporary tables and sorts go.
  public var temporaryStore = TemporaryStore.automatic

  /// The usual settings.
  public init() {}

  /// Takes over some of the settings.
  package mutating func take(_ names: Set<Name>, of other: Pragmas) {
    for name in names {
      switch name {
      case .busyTimeout: busyTimeout = other.busyTimeout
      case .foreignKeys: foreignKeys = other.foreignKeys
      case .caseSensitiveLike: caseSensitiveLike = other.caseSensitiveLike
      case .synchronous: synchronous = other.synchronous
      case .journalMode: journalMode = other.journalMode
      case .temporaryStore: temporaryStore = other.temporaryStore
      }
    }
  }

  /// The timeout in whole milliseconds, between 0 and a day.
  var busyTimeoutMilliseconds: Int32 {
    Int32(min(max(busyTimeout.isNaN ? 0 : busyTimeout, 0), 86_400) * 1000)
  }
}

extension Connection {
  /// The settings that SQLite has now, by whatever way they were set.
  ///
  /// - Throws: What SQLite reports.
  package func pragmas() throws(SQLiteError) -> Pragmas {
    var pragmas = Pragmas()
    // SQLite knows only of a timeout that was set through SQL, which takes the place of ours; and has no more to say of
    // one of 0 than of one that it was never told.
    let timeout = try number("busy_timeout")
    if timeout == 0 && settingsOfSQL.contains(.busyTimeout) { waitForLocks(milliseconds: 0) }
    pragmas.busyTimeout = Double(timeout > 0 ? timeout : Int(busyTimeoutMilliseconds)) / 1000
    pragmas.foreignKeys = try number("foreign_keys") != 0
    // It can't be asked for in any other way.
    pragmas.caseSensitiveLike = try prepareLike()
    pragmas.synchronous = Pragmas.Synchronous(rawValue: try number("synchronous")) ?? .normal
    let mode = try pragma("journal_mode") ?? ""
    pragmas.journalMode = Pragmas.JournalMode(rawValue: mode) ?? .wal
    pragmas.temporaryStore =
      Pragmas.TemporaryStore(rawValue: try number("temp_store")) ?? .automatic
    return pragmas
  }

  /// The settings that SQL was prepared to give a value since ``forgetSettingsOfSQL()``.
  ///
  /// SQLite sets most of them when it prepares the statement, the journal mode when that runs.
  package var settingsOfSQL: Set<Pragmas.Name> { authorizer.settings }

  /// Whether SQL has set any.
  package var hasSettingsOfSQL: Bool { !authorizer.settings.isEmpty }

  /// Forgets that SQL has set anything.
  package func forgetSettingsOfSQL() {
    authorizer.settings = []
  }

  /// Sets what differs from what SQLite has now.
  ///
  /// - Throws: SQLITE_BUSY or SQLITE_LOCKED for a journal mode that other connections keep from changing; SQLITE_MISUSE
  ///   for a change of foreign keys or of the journal mode inside a transaction, which SQLite would ignore or refuse.
  package func set(_ wanted: Pragmas) throws(SQLiteError) {
    let present = try pragmas()
    let changesAtRest =
      wanted.foreignKeys != present.foreignKeys || wanted.journalMode != present.journalMode
      || wanted.synchronous != present.synchronous
      || wanted.temporaryStore != present.temporaryStore
    if isInTransaction && changesAtRest {
      throw SQLiteError(
        extendedCode: SQLiteError.misuse,
        message: "this can't be set inside a transaction"
      )
    }
    if mode != .readOnly && wanted.journalMode != present.journalMode {
      let mode = try pragma("journal_mode = \(wanted.journalMode.rawValue)")
      guard mode == wanted.journalMode.rawValue else {
        throw SQLiteError(
          extendedCode: SQLiteError.misuse,
          message: "the journal mode stays \(mode ?? "unknown")"
        )
      }
    }
    if wanted.foreignKeys != present.foreignKeys {
      try execute("PRAGMA foreign_keys = \(wanted.foreignKeys ? 1 : 0)")
    }
    if wanted.caseSensitiveLike != present.caseSensitiveLike {
      try execute("PRAGMA case_sensitive_like = \(wanted.caseSensitiveLike ? 1 : 0)")
    }
    if wanted.synchronous != present.synchronous {
      try execute("PRAGMA synchronous = \(wanted.synchronous.rawValue)")
    }
    if wanted.temporaryStore != present.temporaryStore {
      try execute("PRAGMA temp_store = \(wanted.temporaryStore.rawValue)")
    }
    if wanted.busyTimeout != present.busyTimeout {
      waitForLocks(milliseconds: wanted.busyTimeoutMilliseconds)
    }
    // They were ours.
    forgetSettingsOfSQL()
  }

  private func number(_ name: String) throws(SQLiteError) -> Int {
    Int(try pragma(name) ?? "") ?? 0
  }

  private func prepareLike() throws(SQLiteError) -> Bool {
    let statement = try prepare("SELECT 'a' LIKE 'A'", persistent: false)
    defer { statement.reset() }
    return try statement.step() && statement.int64(at: 0) == 0
  }
}
