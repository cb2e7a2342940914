/// How a connection is set up when it is opened.
package struct ConnectionConfiguration: Sendable {
  /// The settings of the connection.
  package var pragmas: Pragmas

  /// Whether a writable connection sets the journal mode, or keeps the file's; a reader never sets it.
  package var setsJournalMode = true

  /// How many prepared statements the connection caches.
  package var statementCacheCapacity = 128

  /// Whether SQLite overwrites deleted content with zeros.
  ///
  /// Debian's build does so by default, others do not.
  package var secureDelete = true

  /// The page cache's size in KiB, or nil for SQLite's default of 2,000.
  package var cacheSizeKibibytes: Int32?

  /// Makes the default configuration with these settings.
  package init(_ pragmas: Pragmas = Pragmas()) { self.pragmas = pragmas }

  /// Keeps changed pages in memory until the commit.
  ///
  /// SQLite (3.40.1 for one) can lose committed transactions in a crash otherwise: if a page is written to the log
  /// twice and a savepoint or a failed statement then undoes that, the next commit continues the log's checksums from
  /// a frame that no longer counts. Recovery stops there, so all that was committed later is gone.
  static let holdsChanges = "PRAGMA cache_spill = OFF"

  /// The PRAGMAs that a connection runs after opening; the journal mode is set separately.
  package var statements: String {
    var lines = [
      "PRAGMA foreign_keys = \(pragmas.foreignKeys ? 1 : 0)",
      "PRAGMA synchronous = \(pragmas.appliedSynchronous.rawValue)",
      "PRAGMA secure_delete = \(secureDelete ? 1 : 0)",
      // The file's own views and triggers may not call functions with side effects.
      "PRAGMA trusted_schema = 0",
      Self.holdsChanges,
    ]
    if let cacheSizeKibibytes { lines.append("PRAGMA cache_size = -\(cacheSizeKibibytes)") }
    if pragmas.temporaryStore != .automatic {
      lines.append("PRAGMA temp_store = \(pragmas.temporaryStore.rawValue)")
    }
    if pragmas.caseSensitiveLike { lines.append("PRAGMA case_sensitive_like = 1") }
    return lines.joined(separator: ";")
  }
}
