extension Connection {
  /// Runs a body whose commits are on the disk when they return, whatever the connection's setting is.
  ///
  /// It must be called outside of a transaction, in which SQLite does not let the setting be changed.
  ///
  /// - Parameter body: what commits.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; SQLITE_ERROR inside a transaction.
  package func syncingCommits<Result>(_ body: () throws -> Result) throws -> Result {
    let wanted = Pragmas.Synchronous.extra.rawValue
    let usual = try pragma("synchronous").flatMap { Int($0) } ?? Pragmas.Synchronous.normal.rawValue
    if usual >= wanted { return try body() }
    // What is set here is set back, and nobody's wish.
    let noted = authorizer.settings
    defer { authorizer.settings = noted }
    // More than `full`, by which a rollback journal that was deleted could come back after a power cut, and undo it.
    try execute("PRAGMA synchronous = \(wanted)")
    let outcome = Swift.Result { try body() }
    try execute("PRAGMA synchronous = \(usual)")
    return try outcome.get()
  }
}
