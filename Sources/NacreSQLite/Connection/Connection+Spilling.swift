extension Connection {
  /// Runs a body whose transaction may change more than fits into memory: SQLite may write changed pages to the log
  /// before the commit.
  ///
  /// Otherwise the connection keeps all changed pages in memory until the commit
  /// (``ConnectionConfiguration/pragmas`` says why). If the body sets a savepoint, this holds from there on again.
  /// Inside a transaction the call changes nothing.
  ///
  /// - Parameter body: The work. If a statement of it fails, it has to undo the whole transaction.
  /// - Returns: The body's result.
  /// - Throws: The body's error; SQLite's error.
  package func spillingChanges<Result>(_ body: () throws -> Result) throws -> Result {
    // SQLite does not let the setting change inside a transaction.
    if isInTransaction || spillsChanges { return try body() }
    // A number of pages; the size of the page cache holds where it is larger.
    try execute("PRAGMA cache_spill = 1")
    spillsChanges = true
    let outcome = Swift.Result { try body() }
    spillsChanges = false
    try execute(ConnectionConfiguration.holdsChanges)
    return try outcome.get()
  }

  /// Keeps pages that change from now on in memory, inside of a transaction that may spill.
  func holdChanges() throws(SQLiteError) {
    // The number of pages can be set inside a transaction, unlike ON and OFF.
    try execute("PRAGMA cache_spill = \(Int32.max)")
  }
}
