/// When a transaction takes its locks.
///
/// The names are those of SQLite (sqlite.org/lang_transaction.html, section 2.2).
public enum TransactionKind: Int, Sendable {
  /// Takes them at the first read or write. If a read becomes a write, it may fail as busy at once.
  case deferred
  /// Takes the write lock at the start; others can still read.
  case immediate
  /// Takes the write lock at the start; outside WAL mode, it shuts out readers too.
  case exclusive
}
