import CSQLite

// Parameter indexes are 1-based, like SQLite's.
extension Statement {
  /// Binds an INTEGER.
  ///
  /// - Throws: SQLITE_RANGE for an index without a parameter, SQLITE_MISUSE while being stepped.
  package func bind(_ value: Int64, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds a REAL; SQLite stores a NaN as NULL.
  ///
  /// - Throws: SQLITE_RANGE for an index without a parameter, SQLITE_MISUSE while being stepped.
  package func bind(_ value: Double, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, index, value))
  }

  /// Binds NULL.
  ///
  /// - Throws: SQLITE_RANGE for an index without a parameter, SQLITE_MISUSE while being stepped.
  package func bindNull(at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, index))
  }

  /// Binds TEXT as the string's UTF-8 bytes, NUL included, which are copied once.
  ///
  /// - Throws: SQLITE_RANGE, SQLITE_MISUSE, or SQLITE_TOOBIG over SQLite's length limit (10^9
  ///   bytes by default).
  package func bind(text value: String, at index: Int32) throws(SQLiteError) {
    var value = value
    try check(
      value.withUTF8 { utf8 in
        let bytes = UnsafeRawBufferPointer(utf8)
        if let copy = copied(bytes, at: index) { return bindText(copy, at: index, nil) }
        return bindText(bytes, at: index, transient)
      }
    )
  }

  /// Binds TEXT as these bytes, UTF-8 or not, without copying them.
  ///
  /// The caller must keep the bytes in place as for `bind(unownedBlob:at:)`.
  ///
  /// - Throws: SQLITE_RANGE, SQLITE_MISUSE, or SQLITE_TOOBIG over SQLite's length limit (10^9
  ///   bytes by default).
  package func bind(
    unownedText bytes: UnsafeRawBufferPointer,
    at index: Int32
  ) throws(SQLiteError) {
    // A null destructor is SQLITE_STATIC.
    try check(bindText(bytes, at: index, nil))
  }

  /// Binds a BLOB, which is copied; an empty buffer becomes a BLOB of length 0, not NULL.
  ///
  /// - Throws: SQLITE_RANGE, SQLITE_MISUSE, or SQLITE_TOOBIG over SQLite's length limit (10^9
  ///   bytes by default).
  package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
    if let copy = copied(bytes, at: index) { return try check(bindBlob(copy, at: index, nil)) }
    try check(bindBlob(bytes, at: index, transient))
  }

  /// Binds a BLOB without copying it.
  ///
  /// The caller must keep the bytes in place and unchanged until it binds the parameter again. It may also let them go
  /// after it resets the statement, if it calls `clearBindings()` or binds again before the next step.
  ///
  /// - Throws: SQLITE_RANGE, SQLITE_MISUSE, or SQLITE_TOOBIG over SQLite's length limit (10^9
  ///   bytes by default).
  package func bind(
    unownedBlob bytes: UnsafeRawBufferPointer,
    at index: Int32
  ) throws(SQLiteError) {
    // A null destructor is SQLITE_STATIC.
    try check(bindBlob(bytes, at: index, nil))
  }

  @inline(__always)
  private func bindText(
    _ bytes: UnsafeRawBufferPointer,
    at index: Int32,
    _ destructor: sqlite3_destructor_type?
  ) -> Int32 {
    // A null pointer would bind NULL, but the empty string is not NULL.
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count > 0
    else {
      return sqlite3_bind_text(handle, index, "", 0, nil)
    }
    let count = UInt64(bytes.count)
    return sqlite3_bind_text64(handle, index, start, count, destructor, UInt8(SQLITE_UTF8))
  }

  @inline(__always)
  private func bindBlob(
    _ bytes: UnsafeRawBufferPointer,
    at index: Int32,
    _ destructor: sqlite3_destructor_type?
  ) -> Int32 {
    // A null pointer would bind NULL.
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      return sqlite3_bind_zeroblob(handle, index, 0)
    }
    return sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), destructor)
  }

  @inline(__always)
  private func check(_ result: Int32) throws(SQLiteError) {
    if result != SQLITE_OK { throw failure(result) }
  }

  /// The name of a parameter with its prefix, such as `:id`, or nil for `?` and for an index beyond the last.
  package func parameterName(at index: Int32) -> String? {
    guard handle != nil else { return nil }
    return sqlite3_bind_parameter_name(handle, index).map { String(cString: $0) }
  }
}
