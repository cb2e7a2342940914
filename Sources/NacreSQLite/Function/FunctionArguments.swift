import CSQLite

/// The arguments of one call of a function, good until it returns.
package struct FunctionArguments {
  private let values: UnsafeMutablePointer<OpaquePointer?>?

  /// How many there are.
  package let count: Int

  init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32) {
    self.values = values
    self.count = Int(count)
  }

  /// Whether any of them is NULL.
  package var hasNull: Bool {
    (0..<count).contains { sqlite3_value_type(values?[$0]) == SQLITE_NULL }
  }

  /// An argument as an integer; 0 for NULL.
  package func int64(at index: Int) -> Int64 { sqlite3_value_int64(values?[index]) }

  /// The UTF-8 of an argument as text; no bytes for NULL.
  package func utf8(at index: Int) -> UnsafeRawBufferPointer {
    // The text first: asking for it can move the bytes.
    let start = sqlite3_value_text(values?[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values?[index])))
  }

  /// The bytes of an argument; none for NULL.
  package func blob(at index: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(values?[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values?[index])))
  }
}
