#if PostgreSQL
package import NacreEngine

/// A connection to a database of a PostgreSQL server; only one thread may use it at a time.
///
/// If the server is gone, the connection opens another session when it is used the next time outside of a transaction.
package final class PostgresConnection {
  /// The number of prepared statements that a connection keeps.
  static let cacheCapacity = 256

  /// The home that opened the connection.
  package let home: (any EngineHome)?
  let session: ServerSession
  let ownDialect: PostgresDialect
  private var cache: StatementCache
  package private(set) var transactionNumber: UInt64 = 0
  package var refusesTransactionSQL = false
  /// How many calls of `transaction` are under way.
  package var transactionDepth = 0 {
    didSet {
      // By now the caller knows that the transaction was lost.
      if transactionDepth == 0, session.handle == nil { session.hasOpenTransaction = false }
    }
  }
  /// Is asked about all that statements do which are prepared from now on.
  var accessHandler: ((Access) -> Bool)?
  /// The tables that statements have named, while they are recorded.
  var readTables: Set<String>?

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - address: The database.
  ///   - role: What the connection is for; readers and inspectors can't write.
  ///   - settings: The timeouts, and whether the server has to prove who it is.
  ///   - home: The home that opens the connection; nil for none.
  ///   - storeToken: The token by which its commits are told to listeners; nil if they are not told.
  ///   - missing: What the server can't do, of what PostgreSQL can.
  ///   - cacheCapacity: The number of prepared statements to keep.
  /// - Throws: `HomeError` of kind `cannotOpen`, also for a server before PostgreSQL 14 and for a database whose encoding
  ///   is not UTF8.
  package init(
    _ address: ServerAddress,
    role: ConnectionRole = .writer,
    settings: PostgresSettings = PostgresSettings(),
    home: (any EngineHome)? = nil,
    storeToken: String? = nil,
    missing: EngineCapabilities = [],
    cacheCapacity: Int = PostgresConnection.cacheCapacity
  ) throws {
    self.home = home
    session = try ServerSession(address, role, settings, storeToken: storeToken, missing: missing)
    ownDialect = missing.isEmpty ? .shared : PostgresDialect(missing: missing)
    cache = StatementCache(capacity: cacheCapacity)
  }

  deinit { session.close() }

  /// The settings that the connection has.
  var settings: PostgresSettings { session.settings }

  /// Gives the connection other settings.
  func set(_ settings: PostgresSettings) throws {
    guard settings != session.settings else { return }
    session.settings = settings
    if session.handle != nil { try session.applySettings() }
  }

  // MARK: Statements

  /// Prepares exactly one statement.
  ///
  /// - Throws: The server's error; one of kind `refusedTransaction` or `refusedAccess` for a statement that is refused.
  package func prepare(_ sql: String) throws -> PostgresStatement {
    let text = try StatementText(sql)
    try check(text)
    return try PostgresStatement(text, on: session)
  }

  /// Returns a statement that the connection keeps by its text, reset and without bindings.
  ///
  /// While the kept one is being stepped, it returns another one.
  package func cached(_ sql: String) throws -> PostgresStatement {
    if let kept = cache.statement(for: sql) {
      if accessHandler != nil || readTables != nil { try check(kept.text) }
      return kept
    }
    let statement = try prepare(sql)
    cache.insert(statement, for: sql)
    return statement
  }

  /// Drops every statement that `cached` keeps.
  package func clearCache() { cache.removeAll() }

  /// The number of statements that `cached` keeps.
  var cachedCount: Int { cache.count }

  /// Runs SQL text of any number of statements and skips the rows that they return.
  ///
  /// - Throws: The error of the first statement that fails; outside of a transaction, those before it have run.
  package func execute(_ sql: String) throws {
    for text in try StatementText.statements(of: sql) { try execute(text) }
  }

  /// Prepares and runs the statements of a text, each in a call of `each`.
  package func execute(_ sql: String, each: (_ run: () throws -> Void) throws -> Void) throws {
    for text in try StatementText.statements(of: sql) { try each { try execute(text) } }
  }

  private func execute(_ text: StatementText) throws {
    try check(text)
    guard text.parameterNames.isEmpty else {
      throw PostgresError(
        .badStatement,
        "the statement has parameters, and no arguments",
        sql: text.sql
      )
    }
    // A statement without parameters is not prepared: it most likely runs once.
    try session.makeReady()
    if session.isShared, text.firstWord == "vacuum" {
      // It runs alone, without the search path of the store.
      let named = try StatementText.statements(of: text.sql, main: session.schema ?? "")
      return try named.forEach(session.runOnce)
    }
    try session.runOnce(text)
  }

  private func check(_ text: StatementText) throws {
    if refusesTransactionSQL, text.controlsTransaction {
      throw PostgresError(
        .refusedTransaction,
        "the statement begins or ends a transaction",
        sql: text.sql
      )
    }
    if session.isShared, text.changesSession {
      throw PostgresError(
        .badStatement,
        "behind a pool in transaction mode this would change another client's session; use SET LOCAL, or ALTER ROLE",
        sql: text.sql
      )
    }
    try reportAccess(text)
  }

  /// The number of rows that the last statement inserted, changed or deleted.
  package var changes: Int { session.changes }
  /// The number of rows that statements have inserted, changed or deleted, without those of triggers and cascades.
  package var totalChanges: Int { session.totalChanges }

  /// The last number that an identity column or a sequence gave a row; 0 if none did.
  package var lastInsertRowID: Int64 { session.lastSequenceNumber() ?? 0 }

  /// Ends the session; the connection can't be used any more.
  package func close() throws {
    session.isFinished = true
    cache.removeAll()
    session.close()
  }

  package func takeAnswers() throws { try session.makeIdle() }

  // MARK: Transactions

  package var firstQuery: String? {
    get { session.firstQuery }
    set { session.firstQuery = newValue }
  }

  /// Returns the answer to ``firstQuery``, if it is an integer in a column for values of any class.
  package func takeFirstAnswer() -> Value? {
    defer { session.firstAnswer = nil }
    guard let answer = session.firstAnswer, answer.hasPrefix("("), answer.hasSuffix(",,,)") else {
      return nil
    }
    return Int64(answer.dropFirst().dropLast(4)).map(Value.integer)
  }

  package var isInTransaction: Bool { session.isInTransaction }

  /// Begins a transaction, in which all statements see one state of the database.
  ///
  /// A writer's waits until no other writer of the store has one.
  ///
  /// - Parameter kind: How the transaction begins; `deferred` does not wait where there is no store.
  /// - Throws: The server's error, of kind `busy` if the other transaction does not end in time.
  package func begin(_ kind: TransactionKind) throws {
    if !session.isInTransaction { session.hasOpenTransaction = false }
    try session.makeReady()
    (session.depth, session.missed) = (0, nil)
    do {
      try session.begin(kind)
    } catch {
      // The lock can fail after the transaction has begun.
      if session.isInTransaction { try? session.rollback() }
      throw error
    }
    session.hasOpenTransaction = true
    transactionNumber += 1
  }

  /// Makes the transaction durable and ends it.
  ///
  /// Deferred constraints are checked before, so that the transaction is still open if one is violated.
  ///
  /// - Throws: The server's error; one of kind `rolledBack` if a statement of the transaction has failed and nobody has
  ///   undone it. If the connection is lost before the answer, another session looks whether the transaction is stored:
  ///   one of kind `connectionLost` if it is not, and one of kind `commitUnknown` if nobody can tell in time.
  package func commit() throws {
    // Also after a failure, if the server has ended the transaction.
    defer { if !session.isInTransaction { session.hasOpenTransaction = false } }
    try session.commit()
    session.layout.keepChanges()
  }

  /// Undoes the transaction and ends it.
  package func rollback() throws {
    session.hasOpenTransaction = false
    guard session.handle != nil else { return }
    session.discardPending(after: nil)
    // Rows of a state that is undone are nobody's any more.
    session.abandonStream()
    session.stopAbandoned()
    // The server rolls back what a session leaves open at its end.
    if session.handle != nil { try session.rollback() }
    session.layout.undoChanges()
  }

  package func savepoint(_ depth: Int) throws {
    try session.sendAhead("SAVEPOINT nacre_\(depth)")
    session.depth = depth + 1
  }

  package func releaseSavepoint(_ depth: Int) throws {
    let isSure = try session.pendingWritesAreSure()
    // The server would release a savepoint behind a write that is missing, and nothing could go back to it.
    if !isSure { try session.makeIdle() }
    if let missed = session.missed, missed.depth > depth, !session.hasFailed {
      try session.makeIdle()
      throw missed.error()
    }
    try session.sendAhead("RELEASE SAVEPOINT nacre_\(depth)")
    if isSure { try session.drain() }
    session.depth = depth
    session.keepCursors(releasing: depth)
  }

  package func rollbackToSavepoint(_ depth: Int) throws {
    session.discardPending(after: depth)
    try session.runToEnd("ROLLBACK TO SAVEPOINT nacre_\(depth)", sql: nil)
    if session.layout.changeCount > 0 { session.layout.noteChange() }
  }

  /// Lets go of the rows that are still on their way.
  package func resetStatements() { session.abandonStream() }

  package var lostTransaction: any EngineError {
    PostgresError(.rolledBack, "the server has rolled the transaction back")
  }
}
#endif
