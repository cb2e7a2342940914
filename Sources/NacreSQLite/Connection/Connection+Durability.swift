extension Connection {
  /// Runs a body whose commits are on the disk when they return, whatever the connection's setting is.
  ///
  /// Call it outside a transaction, because SQLite does not let the setting change inside one.
  ///
  /// - Parameter body: The work that commits.
  /// - Returns: The body's result.
  /// - Throws: The body's error; SQLITE_ERROR inside a transaction.
  package func syncingCommits<Result>(_ body: () throws -> Result) throws -> Result {
    let wanted = Pragmas.Synchronous.extra.rawValue
    let usual = try pragma("synchronous").flatMap { Int($0) } ?? Pragmas.Synchronous.normal.rawValue
    if usual >= wanted { return try body() }
    // The setting is set back below, so these changes are not settings that the user asked for.
    let noted = authorizer.settings
    defer { authorizer.settings = noted }
    // `full` is not enough: after a power cut a deleted rollback journal could come back and undo the commit.
    try execute("PRAGMA synchronous = \(wanted)")
    let outcome = Swift.Result { try body() }
    try execute("PRAGMA synchronous = \(usual)")
    return try outcome.get()
  }
}
