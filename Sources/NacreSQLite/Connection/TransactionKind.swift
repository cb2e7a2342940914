/// When a transaction takes its locks (sqlite.org/lang_transaction.html, section 2.2).
public enum TransactionKind: Int, Sendable {
  /// At the first read or write. A read that becomes a write may fail as busy at once.
  case deferred
  /// The write lock at the start; readers go on.
  case immediate
  /// The write lock at the start; outside WAL mode, readers are shut out too.
  case exclusive
}
