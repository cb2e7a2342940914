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

  /// The error of a sealer that made SQLite fail; nil if none did.
  package private(set) var origin: (any Error)?

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
    let isStored = extended.map { $0 & 0xff == resultCode & 0xff } ?? false
    let code = isStored ? extended ?? resultCode : resultCode
    let isFault = ResultCode.faultKind(code) != nil
    let fault = isFault ? connection.flatMap(SealedFileSystem.fault) : nil
    let message = isStored ? sqlite3_errmsg(connection) : sqlite3_errstr(resultCode)
    self.init(
      extendedCode: code,
      message: fault?.message ?? message.map { String(cString: $0) } ?? "",
      sql: sql
    )
    origin = fault?.cause
  }

  /// Makes the error of a sealed file that refused to go on.
  init(_ code: Int32, of fault: SealedFault) {
    self.init(extendedCode: code, message: fault.message)
    origin = fault.cause
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

extension SQLiteError {
  /// Whether two errors have the same code, message and text.
  public static func == (left: SQLiteError, right: SQLiteError) -> Bool {
    left.extendedCode == right.extendedCode && left.message == right.message
      && left.sql == right.sql
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
