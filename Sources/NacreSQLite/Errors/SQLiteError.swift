import CSQLite

/// An error that SQLite reports, or that this module reports with SQLite's codes.
///
/// It carries the result codes, SQLite's message and the SQL text as it was prepared. It never carries the values bound
/// to it: whatever a run-time message quotes is cut out before the error is made.
public struct SQLiteError: Error, Sendable, Equatable {
  /// The primary result code, such as 19 for a constraint.
  public let code: Int32

  /// The extended result code, such as 2067 for a UNIQUE constraint, or the primary code if there is no extended one.
  public let extendedCode: Int32

  /// SQLite's message.
  public let message: String

  /// The SQL text that failed, with its placeholders, or nil if no statement was involved.
  public let sql: String?

  /// Makes an error from an extended result code.
  package init(extendedCode: Int32, message: String, sql: String? = nil) {
    self.code = extendedCode & 0xff
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }

  /// Makes an error from the connection's code and message for its last call.
  init(_ resultCode: Int32, on connection: OpaquePointer?, sql: String?) {
    let extended = connection.map { sqlite3_extended_errcode($0) }
    // Some calls return a code that they do not store on the connection; its message would then be about another error.
    guard let extended, extended & 0xff == resultCode & 0xff else {
      let message = String(cString: sqlite3_errstr(resultCode))
      self.init(extendedCode: resultCode, message: message, sql: sql)
      return
    }
    self.init(
      extendedCode: extended,
      message: String(cString: sqlite3_errmsg(connection)),
      sql: sql
    )
  }

  /// The same error without the part of the message that may quote a bound value.
  ///
  /// FTS5 quotes the query, and ATTACH quotes the path. Constraint messages name columns only, so they are kept.
  package func withoutValues() -> SQLiteError {
    guard !isConstraint, let cut = Self.firstQuotation(in: message) else { return self }
    return SQLiteError(
      extendedCode: extendedCode,
      message: message[..<cut] + "‹hidden›",
      sql: sql
    )
  }

  private static func firstQuotation(in message: String) -> String.Index? {
    var previous: UInt8 = 0
    for index in message.utf8.indices {
      let byte = message.utf8[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return index }
      if byte == UInt8(ascii: " "), previous == UInt8(ascii: ":") {
        return message.utf8.index(after: index)
      }
      previous = byte
    }
    return nil
  }
}

extension SQLiteError: CustomStringConvertible {
  /// The error in one line: the extended code, the message and the SQL text, without bound values.
  public var description: String {
    let head = "SQLite error \(extendedCode): \(message)"
    guard let sql else { return head }
    return "\(head) (in: \(sql))"
  }
}
