import CSQLite

/// The arguments of one call of a function; valid until the call returns.
package struct FunctionArguments {
  private let values: UnsafeMutablePointer<OpaquePointer?>?

  /// The number of arguments.
  package let count: Int

  init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32) {
    self.values = values
    self.count = Int(count)
  }

  /// Whether any argument is NULL.
  package var hasNull: Bool {
    (0..<count).contains { sqlite3_value_type(values?[$0]) == SQLITE_NULL }
  }

  /// An argument as an integer; 0 for NULL.
  package func int64(at index: Int) -> Int64 { sqlite3_value_int64(values?[index]) }

  /// The argument as UTF-8 text; no bytes for NULL.
  package func utf8(at index: Int) -> UnsafeRawBufferPointer {
    // Ask for the text before the count, because that can move the bytes.
    let start = sqlite3_value_text(values?[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values?[index])))
  }

  /// The bytes of an argument; no bytes for NULL.
  package func blob(at index: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(values?[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values?[index])))
  }
}
