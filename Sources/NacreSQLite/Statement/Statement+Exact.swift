import CSQLite

// Reads that check a column's storage class and return its content in one call.
//
// They fetch the value once and ask it twice. Asking the column each time would go through SQLite's bookkeeping for
// calls on a statement each time. Asking the unprotected value is allowed, because the connection is opened without a
// mutex and used by one thread at a time (SQLite, "Obtaining SQL Values": in multi-thread mode there is no difference).
extension Statement {
  /// The column as an integer, or nil if it holds something else.
  package func integer(at index: Int32) -> Int64? {
    let value = sqlite3_column_value(handle, index)
    return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
  }

  /// The column as a floating-point number, or nil if it holds something else.
  package func real(at index: Int32) -> Double? {
    let value = sqlite3_column_value(handle, index)
    return sqlite3_value_type(value) == SQLITE_FLOAT ? sqlite3_value_double(value) : nil
  }

  /// The column as text of its exact length, or nil if it holds something else.
  package func string(at index: Int32) -> String? {
    let value = sqlite3_column_value(handle, index)
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
      return nil
    }
    let count = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes of a blob, valid until the next step or reset, or nil if the column holds something else.
  package func bytes(at index: Int32) -> UnsafeRawBufferPointer? {
    let value = sqlite3_column_value(handle, index)
    guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
    return UnsafeRawBufferPointer(
      start: sqlite3_value_blob(value),
      count: Int(sqlite3_value_bytes(value))
    )
  }

  /// Whether the column holds NULL.
  package func isNull(at index: Int32) -> Bool {
    sqlite3_column_type(handle, index) == SQLITE_NULL
  }
}
