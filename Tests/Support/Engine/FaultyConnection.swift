import NacreEngine

/// A connection that stands on another engine's, and at which the tests let calls fail or wait.
///
/// It can also behave as PostgreSQL does after a failed statement: the transaction is aborted, and
/// every call but a rollback fails.
final class FaultyConnection: EngineConnection {
  let base: any EngineConnection
  let faults: EngineFaults
  private var isAborted = false
  // The same text gives the same statement, as the protocol says.
  private var wrapped: [ObjectIdentifier: FaultyStatement] = [:]

  /// The home that opened the connection.
  let home: (any EngineHome)?

  init(_ base: any EngineConnection, of home: FaultyHome, _ faults: EngineFaults) {
    self.base = base
    self.home = home
    self.faults = faults
  }

  func provide(_ function: EngineFunction) throws -> String { try base.provide(function) }

  /// Runs a call of the engine, unless it is to fail.
  func perform<T>(_ call: EngineCall, _ body: () throws -> T) throws -> T {
    if isAborted { throw InducedError(kind: .rolledBack, call: call) }
    do {
      try faults.pass(call)
      return try body()
    } catch {
      if faults.abortsTransactions, base.isInTransaction { isAborted = true }
      throw error
    }
  }

  private func wrap(_ statement: any PreparedStatement) -> FaultyStatement {
    FaultyStatement(statement, on: self)
  }

  // MARK: Statements

  func prepare(_ sql: String, persistent: Bool) throws -> any PreparedStatement {
    try perform(.prepare(sql)) { wrap(try base.prepare(sql, persistent: persistent)) }
  }

  func cached(_ sql: String) throws -> any PreparedStatement {
    try perform(.prepare(sql)) {
      let statement = try base.cached(sql)
      if let known = wrapped[ObjectIdentifier(statement)] { return known }
      let made = wrap(statement)
      wrapped[ObjectIdentifier(statement)] = made
      return made
    }
  }

  func clearCache() {
    wrapped = [:]
    base.clearCache()
  }

  func execute(_ sql: String) throws {
    try perform(.execute(sql)) { try base.execute(sql) }
  }

  func execute(_ sql: String, each: (_ run: () throws -> Void) throws -> Void) throws {
    try base.execute(sql) { run in
      // Both closures end before this call does.
      try withoutActuallyEscaping(run) { run in
        try each { try self.perform(.execute(sql), run) }
      }
    }
  }

  var changes: Int { base.changes }
  var totalChanges: Int { base.totalChanges }
  var lastInsertRowID: Int64 { base.lastInsertRowID }

  // MARK: Transactions

  var isInTransaction: Bool { base.isInTransaction }
  var transactionNumber: UInt64 { base.transactionNumber }
  var transactionDepth = 0
  var lostTransaction: any EngineError { base.lostTransaction }

  var refusesTransactionSQL: Bool {
    get { base.refusesTransactionSQL }
    set { base.refusesTransactionSQL = newValue }
  }

  func begin(_ kind: TransactionKind) throws {
    try perform(.begin(kind)) { try base.begin(kind) }
  }

  func commit() throws {
    do {
      try perform(.commit) { try base.commit() }
    } catch {
      // A server ends an aborted transaction at its commit, by rolling it back.
      if isAborted { try rollback() }
      throw error
    }
  }

  func rollback() throws {
    isAborted = false
    try faults.pass(.rollback)
    try base.rollback()
  }

  func savepoint(_ depth: Int) throws {
    try perform(.savepoint) { try base.savepoint(depth) }
  }

  func releaseSavepoint(_ depth: Int) throws {
    try perform(.release) { try base.releaseSavepoint(depth) }
  }

  func rollbackToSavepoint(_ depth: Int) throws {
    isAborted = false
    try faults.pass(.rollbackToSavepoint)
    try base.rollbackToSavepoint(depth)
  }

  func resetStatements() { base.resetStatements() }

  func syncingCommits<Result>(_ body: () throws -> Result) throws -> Result {
    try base.syncingCommits(body)
  }

  func spillingChanges<Result>(_ body: () throws -> Result) throws -> Result {
    try base.spillingChanges(body)
  }

  func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
    try base.withoutTriggers(body)
  }

  var stopper: (any StatementStopper)? { base.stopper }

  // MARK: Watching

  func watchAccess(_ handler: ((Access) -> Bool)?) { base.watchAccess(handler) }
  func beginRecordingReads() { base.beginRecordingReads() }
  func endRecordingReads() -> Set<String> { base.endRecordingReads() }
  func setStatementTrace(_ handler: ((TraceEvent, _ expanded: () -> String?) -> Void)?) {
    base.setStatementTrace(handler)
  }
  func setChangeHook(_ handler: ((UnsafePointer<CChar>, UnsafeRawBufferPointer) -> Void)?) {
    base.setChangeHook(handler)
  }
  func setBlobHook(_ handler: ((UnsafeRawBufferPointer) -> Void)?) { base.setBlobHook(handler) }

  // MARK: The database

  var hasSettingsOfSQL: Bool { base.hasSettingsOfSQL }
  func stateNumber() throws -> Int64 { try base.stateNumber() }
  func hasReaders(before state: Int64) throws -> Bool { try base.hasReaders(before: state) }
  func tryToEmptyLog() throws -> Bool { try base.tryToEmptyLog() }
  var dialect: any Dialect { base.dialect }
  var schema: any EngineSchema { FaultySchema(base: base.schema, connection: self) }
  func layoutNumber() throws -> Int64 {
    try perform(.step("layout number")) { try base.layoutNumber() }
  }
  func dataNumber() throws -> Int64 {
    try perform(.step("data number")) { try base.dataNumber() }
  }
  func restartGeneratedKeys(of table: String) throws {
    try perform(.run("restart generated keys")) { try base.restartGeneratedKeys(of: table) }
  }
  func close() throws {
    wrapped = [:]
    try base.close()
  }
}
