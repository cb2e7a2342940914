/// How a connection is set up when it is opened.
package struct ConnectionConfiguration: Sendable {
  /// When SQLite waits for the disk (sqlite.org/pragma.html#pragma_synchronous).
  package enum Synchronous: Int, Sendable {
    /// Never: a power loss can damage the file.
    case off = 0
    /// At checkpoints: in WAL mode a power loss can lose the last transactions, not damage.
    case normal = 1
    /// At every commit.
    case full = 2
    /// As `full`, and the directory too.
    case extra = 3
  }

  /// How a transaction is made atomic (sqlite.org/pragma.html#pragma_journal_mode).
  package enum JournalMode: String, Sendable {
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
  }

  /// When SQLite waits for the disk.
  package var synchronous = Synchronous.normal

  /// The journal mode that a writable connection puts the file in; readers take it as it is.
  package var journalMode: JournalMode? = .wal

  /// Whether foreign keys are enforced.
  package var foreignKeys = true

  /// How long a lock held by another connection is waited for, in milliseconds.
  package var busyTimeoutMilliseconds: Int32 = 5_000

  /// How many prepared statements are kept.
  package var statementCacheCapacity = 128

  /// Whether deleted content is overwritten with zeros.
  ///
  /// Debian's build does so unasked, others do not.
  package var secureDelete = true

  /// Whether the file's own views and triggers may call functions with side effects.
  package var trustedSchema = false

  /// The page cache's size in KiB, or nil for SQLite's default of 2,000.
  package var cacheSizeKibibytes: Int32?

  /// Whether sorts and temporary tables stay out of the file system, at the price of memory.
  package var temporaryStorageInMemory = false

  /// Makes the default configuration.
  package init() {}

  /// What a connection runs after it is opened, beside the journal mode.
  var pragmas: String {
    var lines = [
      "PRAGMA foreign_keys = \(foreignKeys ? 1 : 0)",
      "PRAGMA synchronous = \(synchronous.rawValue)",
      "PRAGMA secure_delete = \(secureDelete ? 1 : 0)",
      "PRAGMA trusted_schema = \(trustedSchema ? 1 : 0)",
    ]
    if let cacheSizeKibibytes { lines.append("PRAGMA cache_size = -\(cacheSizeKibibytes)") }
    if temporaryStorageInMemory { lines.append("PRAGMA temp_store = MEMORY") }
    return lines.joined(separator: ";")
  }
}
