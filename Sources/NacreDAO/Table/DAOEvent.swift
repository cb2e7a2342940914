/// What happens to a table of a DAO; ``DAOBacked/eventHandler`` is told.
///
/// That a table was made or deleted is told once it is committed: at once outside of a transaction; of what a
/// transaction has done, in its order after its commit, when the handler is outside of it; and never of what was rolled
/// back, be it with the whole transaction or with an inner `write`. That an upgrade is to come, or has failed, is told
/// at once.
public enum DAOEvent: Sendable {
  /// The table is of another version than the configuration and will be upgraded, or made anew.
  ///
  /// `from` is nil where no version of the table is recorded.
  case shouldUpgrade(table: String, from: DAOVersion?, to: DAOVersion)
  /// The upgrade failed; the table is as it was before, and the call that needed it fails.
  case upgradeFailed(table: String, error: any Error)
  /// The table was made, and that is committed.
  case tableCreated(table: String)
  /// The table was deleted, and that is committed.
  case tableDeleted(table: String)
}

/// Begin, commit or rollback of a transaction that goes over several calls.
public enum DAOTransaction: Sendable {
  /// Begins a transaction that everything this thread does with the file belongs to.
  case begin
  /// Stores what was done since then.
  case commit
  /// Undoes what was done since then.
  case rollback
}
