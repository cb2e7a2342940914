/// A connection to a database, as the modules above an engine see it; one thread at a time uses it.
package protocol EngineConnection: AnyObject {
  /// The home that opened the connection; nil if none did.
  var home: (any EngineHome)? { get }
  /// Makes a function callable by the connection's statements.
  ///
  /// - Returns: The name by which SQL calls it.
  func provide(_ function: EngineFunction) throws -> String

  // MARK: Statements

  /// Prepares exactly one statement.
  ///
  /// - Parameters:
  ///   - sql: The statement's text.
  ///   - persistent: Whether the statement is kept and used many times.
  /// - Returns: The statement, without bindings.
  /// - Throws: An `EngineError`, also if the text holds no statement or more than one.
  func prepare(_ sql: String, persistent: Bool) throws -> any PreparedStatement
  /// Returns a statement that the connection keeps by its text, reset and without bindings.
  ///
  /// It returns the same object until the caller steps it, so bind and step it before asking for the same text again.
  func cached(_ sql: String) throws -> any PreparedStatement
  /// Drops every statement that `cached` keeps.
  func clearCache()
  /// Runs SQL text of any number of statements and skips the rows that they return.
  func execute(_ sql: String) throws
  /// Prepares and runs the statements of a text, each in a call of `each`.
  func execute(_ sql: String, each: (_ run: () throws -> Void) throws -> Void) throws
  /// The number of rows that the last statement changed.
  var changes: Int { get }
  /// The number of rows that were changed since the connection was opened, by triggers and cascades, too.
  var totalChanges: Int { get }
  /// The rowid of the last row that was inserted into a table with rowids.
  var lastInsertRowID: Int64 { get }

  /// Takes the answers to all writes that were sent ahead.
  ///
  /// - Throws: The error of the first one that failed.
  func takeAnswers() throws

  // MARK: Transactions

  /// Whether a transaction is open.
  var isInTransaction: Bool { get }
  /// The number of transactions so far, so that each has another number.
  var transactionNumber: UInt64 { get }
  /// Whether SQL text that begins or ends a transaction is refused.
  var refusesTransactionSQL: Bool { get set }
  /// A query for one value, whose answer a connection to a server brings with each beginning of a transaction.
  var firstQuery: String? { get set }
  /// Returns the answer to ``firstQuery`` before the first statement of a transaction; nil afterwards, and on engines
  /// whose queries take no journey.
  func takeFirstAnswer() -> Value?
  /// Begins a transaction.
  func begin(_ kind: TransactionKind) throws
  /// Makes the transaction durable and ends it; if that fails, it is still open.
  func commit() throws
  /// Undoes the transaction and ends it.
  func rollback() throws
  /// Sets a savepoint, named by its depth from 0 on.
  func savepoint(_ depth: Int) throws
  /// Removes a savepoint and those after it, and keeps the changes made since.
  func releaseSavepoint(_ depth: Int) throws
  /// Undoes the changes made since a savepoint, and leaves it set.
  func rollbackToSavepoint(_ depth: Int) throws
  /// How many calls of `transaction` are under way; only `transaction` sets it.
  var transactionDepth: Int { get set }
  /// Ends the run of every statement.
  func resetStatements()
  /// The error for a transaction that the engine rolled back on its own.
  var lostTransaction: any EngineError { get }
  /// Runs the body with commits that a power cut can't undo, whatever the connection's settings.
  func syncingCommits<Result>(_ body: () throws -> Result) throws -> Result
  /// Runs the body, whose transaction may change more than fits into memory.
  ///
  /// If a statement of the body fails, the body has to undo the whole transaction.
  func spillingChanges<Result>(_ body: () throws -> Result) throws -> Result
  /// Runs the body without the triggers of the application's own.
  func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result

  /// Stops the connection's statements; nil if nobody but the engine can.
  var stopper: (any StatementStopper)? { get }

  // MARK: Watching

  /// Asks the handler about all that statements do which are prepared from now on; nil removes it.
  ///
  /// If the handler answers false, the statement is refused.
  func watchAccess(_ handler: ((Access) -> Bool)?)
  /// Records from now on which tables statements read.
  func beginRecordingReads()
  /// Ends the recording and returns the tables.
  func endRecordingReads() -> Set<String>
  /// Calls the handler when a statement starts and when it ends; nil removes it.
  func setStatementTrace(_ handler: ((TraceEvent, _ expanded: () -> String?) -> Void)?)
  /// Calls the handler before each row that the connection writes, with the table and the row's key; nil removes it.
  func setChangeHook(_ handler: ((UnsafePointer<CChar>, UnsafeRawBufferPointer) -> Void)?)
  /// Calls the handler with each blob that a row gets; nil removes it.
  func setBlobHook(_ handler: ((UnsafeRawBufferPointer) -> Void)?)

  // MARK: The database

  /// The pieces of SQL that are the engine's own.
  var dialect: any Dialect { get }
  /// Reads the tables, columns and indexes of the database.
  var schema: any EngineSchema { get }
  /// Returns a number that changes when anybody has changed tables, columns, indexes or triggers.
  ///
  /// Each transaction asks, so it has to be cheap.
  func layoutNumber() throws -> Int64
  /// Returns a number that changes when another connection has changed the database.
  func dataNumber() throws -> Int64
  /// Lets the keys that the engine generates for a table begin at 1 again.
  func restartGeneratedKeys(of table: String) throws
  /// Whether the caller's SQL has changed settings of the connection.
  var hasSettingsOfSQL: Bool { get }

  /// Returns a number for the state of the database after the last commit.
  func stateNumber() throws -> Int64
  /// Returns whether somebody still reads a state from before another one.
  ///
  /// Engines whose log can't be emptied meanwhile need no answer of their own: they return false.
  func hasReaders(before state: Int64) throws -> Bool
  /// Empties the log in which the former state of changed pages stays readable.
  ///
  /// - Returns: Whether it is empty; somebody who reads may keep it from that.
  func tryToEmptyLog() throws -> Bool
  /// Ends the connection.
  func close() throws
}

extension EngineConnection {
  /// Prepares exactly one statement, which is kept and used many times.
  @_disfavoredOverload
  package func prepare(_ sql: String) throws -> any PreparedStatement {
    try prepare(sql, persistent: true)
  }
}

extension EngineConnection {
  package var firstQuery: String? {
    get { nil }
    set {}
  }
  package func takeFirstAnswer() -> Value? { nil }
  package func takeAnswers() throws {}
}
