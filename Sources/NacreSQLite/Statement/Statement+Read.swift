import CSQLite
package import NacreEngine

// Column indexes are 0-based, like SQLite's. Outside a row, and beyond the last column, every value reads like NULL: 0,
// 0.0, "" and no bytes.
extension Statement {
  /// How the current row's value is stored; ask before reading, because a read may convert the value.
  package func storageClass(at index: Int32) -> StorageClass {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// The value as an integer; 0 for NULL.
  package func int64(at index: Int32) -> Int64 {
    sqlite3_column_int64(handle, index)
  }

  /// The value as a double; 0 for NULL.
  package func double(at index: Int32) -> Double {
    sqlite3_column_double(handle, index)
  }

  /// The value as text of its exact byte length, NUL included; "" for NULL.
  ///
  /// Bytes that are not UTF-8 become U+FFFD.
  package func text(at index: Int32) -> String {
    guard let start = sqlite3_column_text(handle, index) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, index))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The value's bytes in SQLite's memory, valid until the next step, reset or text read.
  ///
  /// The buffer is empty for NULL and for a BLOB of length 0; `storageClass(at:)` tells them apart.
  package func blob(at index: Int32) -> UnsafeRawBufferPointer {
    guard let start = sqlite3_column_blob(handle, index) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
  }

  /// The number of bytes of a TEXT or BLOB value.
  package func byteCount(at index: Int32) -> Int {
    Int(sqlite3_column_bytes(handle, index))
  }

  /// The name of a column of the result; "" for an index beyond the last.
  package func columnName(at index: Int32) -> String {
    guard handle != nil, let name = sqlite3_column_name(handle, index) else { return "" }
    return String(cString: name)
  }
}
