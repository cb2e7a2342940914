/// Keeps rights that one process has at a time among all machines that use a database, each for a limited time.
///
/// The database's own clock decides when a right has run out. All functions work in the connection's transaction; two
/// transactions that write never run at the same time.
package protocol LeaseKeeping: AnyObject, Sendable {
  /// Takes a lease that nobody has, or whose time is up.
  ///
  /// - Parameters:
  ///   - name: The lease's name.
  ///   - holder: Words for people that name the process.
  ///   - duration: How long the lease lasts.
  ///   - connection: The connection.
  /// - Returns: A number larger than that of every holder before; nil if somebody else has the lease.
  /// - Throws: An `EngineError`.
  func take(
    _ name: String,
    by holder: String,
    for duration: Duration,
    on connection: any EngineConnection
  ) throws -> Int64?
  /// Lets a lease last for the duration from now on.
  ///
  /// - Returns: Whether nobody else has taken it since the holder got this number.
  /// - Throws: An `EngineError`.
  func renew(
    _ name: String,
    _ number: Int64,
    for duration: Duration,
    on connection: any EngineConnection
  ) throws -> Bool
  /// Gives a lease up, unless somebody else has taken it.
  ///
  /// - Throws: An `EngineError`.
  func release(_ name: String, _ number: Int64, on connection: any EngineConnection) throws
  /// Returns the words of the one who has a lease; nil if nobody has.
  ///
  /// - Throws: An `EngineError`.
  func holder(of name: String, on connection: any EngineConnection) throws -> String?
}
