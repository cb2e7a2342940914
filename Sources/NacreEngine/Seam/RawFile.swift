/// A file under a connection.
package enum RawFile: Sendable, CaseIterable {
  /// The database.
  case database
  /// The write-ahead log, or the rollback journal.
  case log
}
