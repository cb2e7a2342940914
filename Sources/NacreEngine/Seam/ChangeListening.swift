/// Hears of the commits of a database's other users, until it is stopped.
package protocol ChangeListening: AnyObject, Sendable {
  /// Ends the listening; ending it twice does nothing.
  ///
  /// It does not wait, so the handler may still be called once.
  func stop()
}
