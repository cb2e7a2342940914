import CSQLite

/// One prepared statement of one connection; used by one thread at a time, with its connection.
///
/// It may outlive its connection object: SQLite then closes the file when the last statement goes.
/// After `Connection.close()` the connection's cached statements answer SQLITE_MISUSE.
package final class Statement {
  /// The text it was prepared from.
  package let sql: String

  /// The number of parameters: the largest index that can be bound.
  package let parameterCount: Int

  /// Whether it writes nothing to the database file (sqlite3_stmt_readonly).
  package let isReadOnly: Bool

  // Nil once finalised; SQLite answers each call that the hot methods make on NULL with an error,
  // NULL or zero.
  // Unchecked, because each column of each row asks for it.
  @exclusivity(unchecked) private(set) var handle: OpaquePointer?

  /// Whether an authorizer handler was asked when this was prepared.
  let isAuthorized: Bool

  /// Where `sql` is in memory.
  let address: UInt

  /// The cache's clock at the last hand-out.
  var lastUse: UInt64 = 0

  // Unchecked, for every call sets it.
  @exclusivity(unchecked) private(set) var isLent = false

  /// Whether it is known to be before its first row.
  // Unchecked, for every step sets it.
  @exclusivity(unchecked) private var isReset = true

  private var kept: (owner: AnyObject, notes: AnyObject, preparations: Int32)?

  init(handle: OpaquePointer, sql: String, isAuthorized: Bool) {
    self.handle = handle
    self.sql = sql
    self.address = StatementText(sql).address
    self.isAuthorized = isAuthorized
    self.parameterCount = Int(sqlite3_bind_parameter_count(handle))
    self.isReadOnly = sqlite3_stmt_readonly(handle) != 0
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Keeps the cache from giving it to anybody until `takeBack()`: who binds it may run code in between that asks for
  /// the same text, which then gets another.
  package func lend() { isLent = true }

  /// Lets the cache give it to anybody again.
  package func takeBack() { isLent = false }

  /// Whether it stores nothing of what is bound to it: it reads, or deletes.
  package var onlyCompares: Bool {
    if isReadOnly { return true }
    let word = sql.utf8.drop { $0 <= 0x20 }.prefix(6)
    // Letters of ASCII alone, whose case is one bit.
    return word.map { $0 | 0x20 } == Array("delete".utf8)
  }

  /// Whether it has been stepped and neither ran to its end nor was reset.
  package var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// The number of columns of its rows; 0 for a statement that returns none.
  ///
  /// It can change when the schema does, since SQLite then prepares the statement again.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// What `owner` kept of the statement's columns; nil where it kept nothing, or the schema has changed since.
  package func notes(of owner: AnyObject) -> AnyObject? {
    guard let kept, kept.owner === owner, kept.preparations == preparations else { return nil }
    return kept.notes
  }

  /// Keeps what `owner` found out about the columns, in place of what anybody kept before.
  ///
  /// On the first row at the earliest, since the first step can prepare the statement again. The notes must not hold
  /// the statement, which holds them.
  package func keep(_ notes: AnyObject, of owner: AnyObject) {
    kept = (owner, notes, preparations)
  }

  /// How often SQLite has prepared the statement again.
  private var preparations: Int32 {
    guard let handle else { return -1 }
    return sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
  }

  /// Steps to the next row, or to the end.
  ///
  /// After the end, `reset()` before binding again. On an error the statement is reset.
  ///
  /// - Returns: true for a row, false at the end.
  /// - Throws: What SQLite reports; the statement can be used again.
  package func step() throws(SQLiteError) -> Bool {
    isReset = false
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw stepFailure(result)
  }

  /// Steps to the end, over any rows, and resets, also on an error.
  ///
  /// - Throws: What SQLite reports; the statement can be used again.
  package func run() throws(SQLiteError) {
    isReset = false
    var result = sqlite3_step(handle)
    while result == SQLITE_ROW { result = sqlite3_step(handle) }
    guard result == SQLITE_DONE else { throw stepFailure(result) }
    reset()
  }

  /// Goes back to before the first row, keeping the bindings.
  package func reset() {
    if isReset { return }
    // The code it returns repeats what the last step has thrown.
    sqlite3_reset(handle)
    isReset = true
  }

  /// Sets every parameter to NULL and frees what was bound.
  package func clearBindings() {
    guard let handle else { return }
    sqlite3_clear_bindings(handle)
  }

  /// Ends the statement before the object goes.
  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
  }

  @inline(never)
  private func stepFailure(_ result: Int32) -> SQLiteError {
    var error = failure(result)
    if error.extendedCode == SQLITE_READONLY, !isReadOnly, isOnReader {
      error = error.asWriteOnReader
    }
    sqlite3_reset(handle)
    return parameterCount > 0 ? error.withoutValues() : error
  }

  /// Whether the connection was opened for reading alone; one for writing is refused where the file can't be written.
  private var isOnReader: Bool {
    sqlite3_db_readonly(sqlite3_db_handle(handle), "main") == 1
  }

  @inline(never)
  func failure(_ result: Int32) -> SQLiteError {
    guard let handle else { return .closed(sql: sql) }
    return SQLiteError(result, on: sqlite3_db_handle(handle), sql: sql)
  }
}
