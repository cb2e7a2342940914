import NacreEngine

/// SQLite's own settings of a connection, with their types (sqlite.org/pragma.html).
public struct Pragmas: Sendable, Equatable {
  /// When SQLite waits for the disk.
  public enum Synchronous: Int, Sendable {
    /// Never waits; a power loss can damage the file.
    case off = 0
    /// Waits at checkpoints; in WAL mode a power loss can lose the last transactions, but does no damage. With a
    /// rollback journal it can damage the file.
    case normal = 1
    /// Waits at every commit; in the journal mode `delete`, as `extra` does.
    case full = 2
    /// Waits as `full` does, and for the directory too.
    case extra = 3
  }

  /// How SQLite makes a transaction atomic.
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
    /// The place that SQLite's build chose.
    case automatic = 0
    /// In files.
    case file = 1
    /// In memory.
    case memory = 2
  }

  /// A setting by its name in SQL.
  package enum Name: String, Sendable {
    /// The timeout for locks.
    case busyTimeout = "busy_timeout"
    /// Whether foreign keys are enforced.
    case foreignKeys = "foreign_keys"
    /// Whether LIKE distinguishes `a` from `A`.
    case caseSensitiveLike = "case_sensitive_like"
    /// When SQLite waits for the disk.
    case synchronous
    /// How SQLite makes a transaction atomic.
    case journalMode = "journal_mode"
    /// Where temporary tables go.
    case temporaryStore = "temp_store"
  }

  /// How long the connection waits for another connection's lock, in seconds.
  public var busyTimeout = 5.0
  /// Whether SQLite enforces foreign keys; if not, a reference to a deleted object stays as it is.
  public var foreignKeys = true
  /// Whether LIKE distinguishes `a` from `A`.
  public var caseSensitiveLike = false
  /// When SQLite waits for the disk.
  public var synchronous = Synchronous.normal
  /// How SQLite makes a transaction atomic; the file keeps WAL, but forgets the other modes with the last connection.
  public var journalMode = JournalMode.wal
  /// Where temporary tables and sorts go.
  public var temporaryStore = TemporaryStore.automatic

  /// The usual settings.
  public init() {}

  /// The setting that SQLite gets for waiting for the disk.
  ///
  /// With `full` SQLite does not wait for the directory from which it deletes a journal. After a power cut the
  /// journal can be there again: it undoes the last transaction, and after a VACUUM, which cuts the file once
  /// the journal is deleted, it leaves a damaged file (sqlite.org/pragma.html#pragma_synchronous).
  var appliedSynchronous: Synchronous {
    synchronous == .full && journalMode == .delete ? .extra : synchronous
  }

  /// Copies the named settings from another value.
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
}

extension Pragmas: EngineSettings {
  /// Whether SQLite waits for the disk at every commit.
  package var commitsDurably: Bool {
    get { synchronous.rawValue >= Synchronous.full.rawValue }
    set { synchronous = newValue ? .full : .normal }
  }
}
