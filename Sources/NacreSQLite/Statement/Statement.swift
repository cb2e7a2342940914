import CSQLite

/// A prepared statement of one connection; only one thread may use it, with its connection, at a time.
///
/// It may outlive its connection object: SQLite then closes the file when the last statement goes. After
/// `Connection.close()` the connection's cached statements throw SQLITE_MISUSE.
package final class Statement {
  /// The text from which the statement was prepared.
  package let sql: String

  /// The number of parameters, which is the largest index that can be bound.
  package let parameterCount: Int

  /// Whether the statement writes nothing to the database file (sqlite3_stmt_readonly).
  package let isReadOnly: Bool

  // Nil once finalised. The hot methods then pass NULL, and SQLite answers each such call with an error, NULL or zero.
  // Unchecked for speed, because each column of each row asks for it.
  @exclusivity(unchecked) private(set) var handle: OpaquePointer?

  /// Whether an authorizer handler was set when the statement was prepared.
  let isAuthorized: Bool

  /// The address of `sql` in memory.
  let address: UInt

  /// The cache's clock when it last returned the statement.
  var lastUse: UInt64 = 0

  // Unchecked for speed, because every call sets it.
  @exclusivity(unchecked) private(set) var isLent = false

  /// Whether the statement is known to be before its first row.
  // Unchecked for speed, because every step sets it.
  @exclusivity(unchecked) private var isReset = true

  /// The size of the room for a parameter's short text or blob, and how many parameters have one.
  private static let (roomByteCount, roomLimit) = (64, 64)

  /// Room for a short text or blob of each parameter, made when the first one is bound.
  // Unchecked for speed, because every text that is bound asks for it.
  @exclusivity(unchecked) private var rooms: UnsafeMutableRawPointer?

  private var kept: (owner: AnyObject, notes: AnyObject, preparations: Int32)?

  init(handle: OpaquePointer, sql: String, isAuthorized: Bool) {
    self.handle = handle
    self.sql = sql
    self.address = StatementText(sql: sql).address
    self.isAuthorized = isAuthorized
    self.parameterCount = Int(sqlite3_bind_parameter_count(handle))
    self.isReadOnly = sqlite3_stmt_readonly(handle) != 0
  }

  deinit {
    sqlite3_finalize(handle)
    rooms?.deallocate()
  }

  /// Keeps the cache from returning the statement until `takeBack()`.
  ///
  /// A caller may run code between its binds that asks for the same text; that code then gets another statement.
  package func lend() { isLent = true }

  /// Lets the cache return the statement again.
  package func takeBack() { isLent = false }

  /// Whether the statement stores none of the values bound to it, because it reads or deletes.
  package var onlyCompares: Bool {
    if isReadOnly { return true }
    let word = sql.utf8.drop { $0 <= 0x20 }.prefix(6)
    // Only ASCII letters have one bit for their case.
    return word.map { $0 | 0x20 } == Array("delete".utf8)
  }

  /// Whether the statement was stepped and has neither reached its end nor been reset.
  package var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// The number of columns of the statement's rows; 0 if it returns no rows.
  ///
  /// It can change with the schema, because SQLite then prepares the statement again.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The notes that `owner` kept about the columns, or nil if there are none.
  ///
  /// Notes expire when SQLite prepares the statement again, as it does after a change of the schema.
  package func notes(of owner: AnyObject) -> AnyObject? {
    guard let kept, kept.owner === owner, kept.preparations == preparations else { return nil }
    return kept.notes
  }

  /// Keeps the notes of `owner` about the columns; they replace any notes kept before.
  ///
  /// Call it on the first row at the earliest, because the first step can prepare the statement again. The statement
  /// holds the notes, so the notes must not hold the statement.
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
  /// After the end, call `reset()` before you bind again. On an error the statement is reset.
  ///
  /// - Returns: true for a row, false at the end.
  /// - Throws: SQLite's error; the statement can be used again.
  package func step() throws(SQLiteError) -> Bool {
    isReset = false
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw stepFailure(result)
  }

  /// Steps to the end, skips any rows, and resets, also on an error.
  ///
  /// - Throws: SQLite's error; the statement can be used again.
  package func run() throws(SQLiteError) {
    isReset = false
    var result = sqlite3_step(handle)
    while result == SQLITE_ROW { result = sqlite3_step(handle) }
    guard result == SQLITE_DONE else { throw stepFailure(result) }
    reset()
  }

  /// Goes back to before the first row and keeps the bindings.
  package func reset() {
    if isReset { return }
    // The returned code only repeats the error that the last step has thrown.
    sqlite3_reset(handle)
    isReset = true
  }

  /// Sets every parameter to NULL and frees the bound values.
  package func clearBindings() {
    guard let handle else { return }
    sqlite3_clear_bindings(handle)
  }

  /// Ends the statement before the object is released.
  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
  }

  /// Copies the bytes of a short text or blob to where they stay until the parameter is bound again; SQLite would
  /// allocate memory for them each time.
  ///
  /// - Returns: The copy; nil if SQLite has to copy the bytes, because they are none or many, or because the statement
  ///   is being stepped.
  @inline(__always)
  func copied(_ bytes: UnsafeRawBufferPointer, at index: Int32) -> UnsafeRawBufferPointer? {
    guard let start = bytes.baseAddress, bytes.count <= Self.roomByteCount, isReset, index > 0,
      index <= min(parameterCount, Self.roomLimit)
    else { return nil }
    let room = (rooms ?? makeRooms()) + Int(index - 1) * Self.roomByteCount
    room.copyMemory(from: start, byteCount: bytes.count)
    return UnsafeRawBufferPointer(start: room, count: bytes.count)
  }

  @inline(never)
  private func makeRooms() -> UnsafeMutableRawPointer {
    let count = min(parameterCount, Self.roomLimit) * Self.roomByteCount
    let made = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
    rooms = made
    return made
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

  /// Whether the connection was opened only for reading; opening for writing fails if the file can't be written.
  private var isOnReader: Bool {
    sqlite3_db_readonly(sqlite3_db_handle(handle), "main") == 1
  }

  @inline(never)
  func failure(_ result: Int32) -> SQLiteError {
    guard let handle else { return .closed(sql: sql) }
    return SQLiteError(result, on: sqlite3_db_handle(handle), sql: sql)
  }
}
