import CSQLite
import NacreEngine

extension Connection {
  /// Runs SQL text of any number of statements and skips the rows that they return.
  ///
  /// - Throws: The error of the first statement that fails; the statements before it have run.
  package func execute(_ sql: String) throws(SQLiteError) {
    let text = try terminated(sql)
    try text.withUnsafeBufferPointer { (buffer) throws(SQLiteError) in
      guard var next = buffer.baseAddress else { return }
      let end = next + (buffer.count - 1)
      while next < end {
        let (statement, tail) = try compile(next, end: end, flags: 0, sql: sql)
        next = tail
        // Blanks and comments give no statement.
        try statement?.run()
      }
    }
  }

  /// Prepares and runs the statements of a text, each in a call of `each`.
  ///
  /// - Parameters:
  ///   - sql: The text.
  ///   - each: Called once a statement; it gets a closure that prepares and runs the next statement.
  /// - Throws: SQLite's error; the error of `each`.
  package func execute(_ sql: String, each: (_ run: () throws -> Void) throws -> Void) throws {
    let text = try terminated(sql)
    try text.withUnsafeBufferPointer { buffer in
      guard var next = buffer.baseAddress else { return }
      let end = next + (buffer.count - 1)
      while next < end {
        try each {
          let (statement, tail) = try compile(next, end: end, flags: 0, sql: sql)
          next = tail
          try statement?.run()
        }
      }
    }
  }

  /// Prepares exactly one statement.
  ///
  /// `persistent` tells SQLite that the statement will be kept and used many times.
  ///
  /// - Throws: SQLite's error; SQLITE_MISUSE if the text holds no statement, more than one, or a NUL.
  package func prepare(_ sql: String, persistent: Bool = true) throws(SQLiteError) -> Statement {
    let text = try terminated(sql)
    let flags = persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    return try text.withUnsafeBufferPointer { (buffer) throws(SQLiteError) in
      guard let start = buffer.baseAddress else { throw Self.misuse("no statement", sql) }
      let end = start + (buffer.count - 1)
      let (statement, tail) = try compile(start, end: end, flags: flags, sql: sql)
      guard let statement else { throw Self.misuse("the text holds no statement", sql) }
      guard StatementText.isBlank(tail) else {
        throw Self.misuse("the text holds more than one statement", sql)
      }
      return statement
    }
  }

  /// A prepared statement that the connection caches by its text, reset and without bindings.
  ///
  /// The connection returns the same object until the caller steps it; while it is being stepped, the connection
  /// returns a fresh statement. So bind and step it before asking for the same text again. While an authorizer handler
  /// is set, the connection returns only statements that were prepared under one.
  ///
  /// - Throws: The same errors as `prepare`.
  package func cached(_ sql: String) throws(SQLiteError) -> Statement {
    let isAuthorized = authorizer.handler != nil
    if let kept = cache.statement(for: sql, authorized: isAuthorized) { return kept }
    let statement = try prepare(sql)
    cache.insert(statement)
    return statement
  }

  /// Drops every statement that `cached` keeps; statements in use live on until their users drop them.
  package func clearCache() {
    cache.removeAll()
  }

  /// Runs a PRAGMA and returns the first column of its first row as text, or nil without a row.
  ///
  /// The name becomes SQL text, such as `journal_mode` or `max_page_count = 100`, so never pass user input.
  ///
  /// - Throws: SQLite's error.
  package func pragma(_ name: String) throws(SQLiteError) -> String? {
    let statement = try prepare("PRAGMA \(name)", persistent: false)
    defer { statement.reset() }
    guard try statement.step(), statement.storageClass(at: 0) != .null else { return nil }
    return statement.text(at: 0)
  }

  private func compile(
    _ start: UnsafePointer<CChar>,
    end: UnsafePointer<CChar>,
    flags: UInt32,
    sql: String
  ) throws(SQLiteError) -> (statement: Statement?, tail: UnsafePointer<CChar>) {
    let handle = try opened(sql: sql)
    var compiled: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    // Refuse only while preparing, not while statements run: VACUUM and virtual tables then prepare their own
    // transactions.
    authorizer.refusesTransactions = refusesTransactionSQL
    authorizer.hasRefusedTransaction = false
    defer { authorizer.refusesTransactions = false }
    // Counting the NUL in the length spares SQLite a copy of the text.
    let result = sqlite3_prepare_v3(
      handle,
      start,
      Int32(end - start + 1),
      flags,
      &compiled,
      &tail
    )
    guard result == SQLITE_OK else {
      throw authorizer.hasRefusedTransaction
        ? .refusedTransaction(sql: sql) : SQLiteError(result, on: handle, sql: sql)
    }
    let statement = compiled.map {
      Statement(handle: $0, sql: sql, isAuthorized: authorizer.handler != nil)
    }
    return (statement, tail ?? end)
  }

  /// The text with a NUL after it; throws if it has one inside, because that would hide the rest from SQLite.
  private func terminated(_ sql: String) throws(SQLiteError) -> ContiguousArray<CChar> {
    guard !sql.utf8.contains(0) else { throw Self.misuse("the text contains a NUL", sql) }
    guard sql.utf8.count < Int(Int32.max) else {
      throw SQLiteError(extendedCode: SQLITE_TOOBIG, message: "the text is too long")
    }
    return sql.utf8CString
  }

  static func misuse(_ message: String, _ sql: String? = nil) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_MISUSE, message: message, sql: sql)
  }
}
