import NacreEngine

/// How a connection is set up when it is opened.
package struct ConnectionConfiguration: Sendable {
  /// When SQLite waits for the disk.
  package var synchronous = Pragmas.Synchronous.normal

  /// The journal mode that a writable connection sets, or nil to keep the file's mode; a reader never sets it.
  package var journalMode: Pragmas.JournalMode? = .wal

  /// Whether SQLite enforces foreign keys.
  package var foreignKeys = true

  /// How long the connection waits for a lock that another connection holds, in milliseconds.
  package var busyTimeoutMilliseconds: Int32 = 5_000

  /// How many prepared statements the connection caches.
  package var statementCacheCapacity = 128

  /// Whether SQLite overwrites deleted content with zeros.
  ///
  /// Debian's build does so by default, others do not.
  package var secureDelete = true

  /// The page cache's size in KiB, or nil for SQLite's default of 2,000.
  package var cacheSizeKibibytes: Int32?

  /// Where temporary tables and sorts go.
  package var temporaryStore = Pragmas.TemporaryStore.automatic

  /// Whether LIKE distinguishes `a` from `A`.
  package var caseSensitiveLike = false

  /// Makes the default configuration.
  package init() {}

  /// Makes the default configuration with these settings.
  package init(_ pragmas: Pragmas) {
    synchronous = pragmas.synchronous
    journalMode = pragmas.journalMode
    foreignKeys = pragmas.foreignKeys
    busyTimeoutMilliseconds = pragmas.busyTimeoutMilliseconds
    temporaryStore = pragmas.temporaryStore
    caseSensitiveLike = pragmas.caseSensitiveLike
  }

  /// Keeps changed pages in memory until the commit.
  ///
  /// SQLite (3.40.1 for one) can lose committed transactions in a crash otherwise: if a page is written to the log
  /// twice and a savepoint or a failed statement then undoes that, the next commit continues the log's checksums from
  /// a frame that no longer counts. Recovery stops there, so all that was committed later is gone.
  static let holdsChanges = "PRAGMA cache_spill = OFF"

  /// The PRAGMAs that a connection runs after opening; the journal mode is set separately.
  package var pragmas: String {
    var lines = [
      "PRAGMA foreign_keys = \(foreignKeys ? 1 : 0)",
      "PRAGMA synchronous = \(synchronous.rawValue)",
      "PRAGMA secure_delete = \(secureDelete ? 1 : 0)",
      // The file's own views and triggers may not call functions with side effects.
      "PRAGMA trusted_schema = 0",
      Self.holdsChanges,
    ]
    if let cacheSizeKibibytes { lines.append("PRAGMA cache_size = -\(cacheSizeKibibytes)") }
    if temporaryStore != .automatic {
      lines.append("PRAGMA temp_store = \(temporaryStore.rawValue)")
    }
    if caseSensitiveLike { lines.append("PRAGMA case_sensitive_like = 1") }
    return lines.joined(separator: ";")
  }
}
