package import NacreEngine

/// Takes part in the transactions of one connection, for a module above this one.
///
/// The connection calls it on the thread that uses the connection.
@usableFromInline
package protocol DatabaseDelegate: AnyObject {
  /// Is called when the outermost transaction has begun.
  func transactionBegan()
  /// Is called before rows of a table are sealed anew, in a transaction that does nothing else to them.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - objects: Returns the rows' objectIDs.
  /// - Throws: The engine's error, if they can't be read.
  func transactionWillReseal(_ table: String, _ objects: () -> [ObjectID]) throws
  /// Is called right before the outermost transaction is committed.
  func transactionWillCommit()
  /// Is called when the outermost transaction is committed, while the connection is still held.
  func transactionCommitted()
  /// Is called when the outermost transaction has failed or was rolled back.
  ///
  /// - Parameter isLost: Whether the transaction was no longer open when its body ended, because
  ///   SQLite rolled it back or the caller's own SQL ended it.
  func transactionEnded(isLost: Bool)
  /// Explains the error of a COMMIT while the transaction is still open.
  ///
  /// - Returns: The error to throw.
  func explained(_ error: any Error) -> any Error
  /// Restores the state that an object had before it was saved or deleted.
  func putBack(_ object: AnyObject, _ state: ObjectState)
  /// Forgets statements that were prepared for tables that may have changed.
  func forgetStatements()
}

/// A module above this one takes part in one store through it.
package protocol StoreDelegate: AnyObject, Sendable {
  /// Makes the delegate for one connection.
  func delegate(of database: Database) -> any DatabaseDelegate
  /// Is called when the store was opened.
  ///
  /// - Throws: An error if the store can't be used; the store is closed again then.
  func opened(_ store: Store) throws
  /// Is called when the store is about to close; `reopened()` follows if it stays open.
  func willClose()
  /// Is called when the store could not be closed.
  func reopened()
}

/// The options of a module above this one for opening a store.
package protocol StoreDelegateOptions: Sendable {
  /// The classes whose objects go to this store if nothing else names one.
  var classes: Set<ObjectIdentifier> { get }
  /// Makes the store's delegate.
  ///
  /// - Throws: An error if the options are wrong.
  func delegate(of options: StoreOptions, at path: String) throws -> any StoreDelegate
}
