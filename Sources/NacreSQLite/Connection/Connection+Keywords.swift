import CSQLite

extension Connection {
  /// Whether a name is one of SQLite's keywords, in any case (sqlite.org/c3ref/keyword_check.html).
  ///
  /// Some keywords can be used as names without quotes, others can't.
  package static func isKeyword(_ name: String) -> Bool {
    let bytes = name.utf8.map { CChar(bitPattern: $0) }
    guard let count = Int32(exactly: bytes.count) else { return false }
    return bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      return sqlite3_keyword_check(start, count) != 0
    }
  }
}
