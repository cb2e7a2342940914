import CSQLite

extension Connection {
  /// Runs the body while no trigger of the file runs; triggers of temporary tables do.
  ///
  /// Statements that the connection keeps are compiled anew at their next run, before and after it.
  ///
  /// - Throws: what the body throws; what SQLite reports.
  package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
    guard try setTriggers(-1) else { return try body() }
    _ = try setTriggers(0)
    defer {
      if handle != nil { _ = try? setTriggers(1) }
    }
    return try body()
  }

  /// - Returns: whether triggers run from now on.
  private func setTriggers(_ wanted: Int32) throws(SQLiteError) -> Bool {
    let handle = try opened()
    var now: Int32 = 0
    let result = nacre_sqlite_triggers(handle, wanted, &now)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    return now != 0
  }
}
