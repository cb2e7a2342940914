/// Takes part in the transactions of one connection, for a room that stands on this one.
///
/// The connection calls it on the thread that uses the connection.
package protocol DatabaseDelegate: AnyObject {
  /// Called when the outermost transaction has begun.
  func transactionBegan()
  /// Called right before the outermost transaction is committed.
  func transactionWillCommit()
  /// Called when the outermost transaction is committed, while the connection is still held.
  func transactionCommitted()
  /// Called when the outermost transaction has failed or was rolled back.
  ///
  /// - Parameter isLost: whether it was no longer open when its body ended, because SQLite rolled it back or the caller's own
  ///   SQL ended it.
  func transactionEnded(isLost: Bool)
  /// Explains the error of a COMMIT, while the transaction is still open.
  ///
  /// - Returns: the error to throw.
  func explained(_ error: any Error) -> any Error
  /// Gives an object the state that it had before it was saved or deleted.
  func putBack(_ object: AnyObject, _ state: ObjectState)
  /// Forgets statements that were prepared for tables which may be others now.
  func forgetStatements()
}

/// Belongs to one store, for a room that stands on this one.
package protocol StoreDelegate: AnyObject, Sendable {
  /// Makes what takes part in the transactions of one connection.
  func delegate(of database: Database) -> any DatabaseDelegate
  /// Called when the store was opened.
  ///
  /// - Throws: what keeps it from being used; it is closed again then.
  func opened(_ store: Store) throws
  /// Called when the store is about to close; a `reopened()` follows where it stays open.
  func willClose()
  /// Called when the store could not be closed.
  func reopened()
}

/// How a store is opened, as far as a room that stands on this one is concerned.
package protocol StoreDelegateOptions: Sendable {
  /// The classes whose objects go to the store when nothing else says to which.
  var classes: Set<ObjectIdentifier> { get }
  /// Makes the store's delegate.
  ///
  /// - Throws: what is wrong with the options.
  func delegate(of options: StoreOptions, at path: String) throws -> any StoreDelegate
}
