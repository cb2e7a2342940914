import CSQLite

extension Connection {
  /// Runs the body with the triggers of the file switched off; triggers of temporary tables still run.
  ///
  /// Both switches make SQLite compile the connection's kept statements again at their next run.
  ///
  /// - Throws: The body's error; SQLite's error.
  package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
    guard try setTriggers(-1) else { return try body() }
    _ = try setTriggers(0)
    defer {
      if handle != nil { _ = try? setTriggers(1) }
    }
    return try body()
  }

  /// - Returns: Whether triggers run from now on.
  private func setTriggers(_ wanted: Int32) throws(SQLiteError) -> Bool {
    let handle = try opened()
    var now: Int32 = 0
    let result = nacre_sqlite_triggers(handle, wanted, &now)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    return now != 0
  }
}
