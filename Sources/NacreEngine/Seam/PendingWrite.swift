/// A write that a connection may send without waiting for its end, which its next call then finds.
package enum PendingWrite {
  /// One row has to be written.
  ///
  /// `failure` returns the error to throw for the engine's own, or for a statement that has written no row (nil). For nil
  /// it may run a query on the same connection; the engine calls it when no other statement is on its way.
  case row(isNew: Bool, failure: ((any EngineError)?) -> any Error)
  /// Any number of rows may be changed.
  ///
  /// `ended` gets that number, unless the write or one before it has failed. Without it nobody needs to know.
  case rows(ended: ((Int) -> Void)? = nil)
}
