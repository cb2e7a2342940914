#if PostgreSQL
package import NacreEngine

// The other requirements are met by the methods as they stand.
extension PostgresConnection: EngineConnection {
  @_disfavoredOverload
  package func prepare(_ sql: String, persistent: Bool) throws -> any PreparedStatement {
    let statement: PostgresStatement = try prepare(sql)
    return statement
  }

  @_disfavoredOverload
  package func cached(_ sql: String) throws -> any PreparedStatement {
    let statement: PostgresStatement = try cached(sql)
    return statement
  }

  /// Returns the name of a function in the store's schema: a server calls none of a client's.
  ///
  /// - Throws: An error of kind `badStatement` if ``Dialect/calls(_:)`` is false of it.
  package func provide(_ function: EngineFunction) throws -> String {
    if let name = ServerFunctions.name(of: function) { return name }
    throw PostgresError(.badStatement, "the server can't call the function \(function)")
  }

  /// Runs the body with commits that are on the server's disk when they return, whatever its settings are.
  package func syncingCommits<Result>(_ body: () throws -> Result) throws -> Result {
    try session.makeReady()
    if !session.isShared { try session.runToEnd("SET synchronous_commit = on", sql: nil) }
    // Also in a session that is opened meanwhile, or that a transaction gets.
    session.syncsCommits = true
    let outcome = Swift.Result { try body() }
    session.syncsCommits = false
    if session.handle != nil, !session.isShared, !session.settings.commitsDurably {
      do {
        try session.runToEnd("RESET synchronous_commit", sql: nil)
      } catch {
        // The body's commits are stored, so this is no failure of it. Another session has the usual setting.
        session.close()
      }
    }
    return try outcome.get()
  }

  /// Runs the body: a server's transaction may be of any size.
  package func spillingChanges<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  /// Runs the body with all triggers: only a superuser could switch them off, and foreign keys with them.
  package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  /// Asks the server to cancel statements.
  package var stopper: (any StatementStopper)? { session.canceller }

  // MARK: Watching

  package func setStatementTrace(
    _ handler: ((TraceEvent, _ expanded: () -> String?) -> Void)?
  ) {
    session.trace = handler
  }

  /// Does nothing: the engine has no `changeReports`.
  package func setChangeHook(_ handler: ((UnsafePointer<CChar>, UnsafeRawBufferPointer) -> Void)?) {
  }

  /// Does nothing: the engine has no `changeReports`.
  package func setBlobHook(_ handler: ((UnsafeRawBufferPointer) -> Void)?) {}

  // MARK: The database

  /// Whether the caller's SQL has changed a setting; no setting of a session is taken over.
  package var hasSettingsOfSQL: Bool { false }

  /// Returns true: the server's own log is emptied by the server alone, and ``EngineCapabilities/rawFile`` is missing.
  package func tryToEmptyLog() throws -> Bool { true }
}
#endif
