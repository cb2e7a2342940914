/// An event in the life of a DAO's table; ``DAOBacked/eventHandler`` receives it.
///
/// The handler learns that a table was made or deleted only once that is committed: at once outside of a transaction;
/// for the changes of a transaction, in their order after its commit, when the handler is outside of it. It never
/// learns of changes that were rolled back, with the whole transaction or with an inner `write`. It learns at once that
/// an upgrade is to come, or has failed.
public enum DAOEvent: Sendable {
  /// The table has another version than the configuration and will be upgraded, or made anew.
  ///
  /// `from` is nil if no version of the table is recorded.
  case shouldUpgrade(table: String, from: DAOVersion?, to: DAOVersion)
  /// The upgrade failed; the table is as it was before, and the call that needed it fails.
  case upgradeFailed(table: String, error: any Error)
  /// The table was made, and that is committed.
  case tableCreated(table: String)
  /// The table was deleted, and that is committed.
  case tableDeleted(table: String)
}
