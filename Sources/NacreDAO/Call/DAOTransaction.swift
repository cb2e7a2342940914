/// Begin, commit or rollback of a transaction that goes over several calls.
public enum DAOTransaction: Sendable {
  /// Begins a transaction; everything that this thread does with the file belongs to it.
  case begin
  /// Stores the changes since then.
  case commit
  /// Undoes the changes since then.
  case rollback
}
