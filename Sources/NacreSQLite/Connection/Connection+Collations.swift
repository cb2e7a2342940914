import CSQLite

extension Connection {
  /// The collation by which a column of the file compares texts, or nil if there is no such column.
  package func collation(ofColumn column: String, table: String) throws(SQLiteError) -> String? {
    let handle = try opened()
    var name: UnsafePointer<CChar>?
    let result = sqlite3_table_column_metadata(
      handle,
      "main",
      table,
      column,
      nil,
      &name,
      nil,
      nil,
      nil
    )
    // SQLite reports this code for a missing table or column.
    if result == SQLITE_ERROR { return nil }
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    return name.map { String(cString: $0) }
  }

  /// Defines a collation that this connection's statements can name, and replaces one of the same name.
  ///
  /// - Throws: SQLITE_BUSY if it replaces a collation while statements run.
  package func define(_ collation: Collation) throws(SQLiteError) {
    let handle = try opened()
    let kept = Unmanaged.passRetained(collation)
    let result = sqlite3_create_collation_v2(
      handle,
      collation.name,
      SQLITE_UTF8,
      kept.toOpaque(),
      { pointer, countA, a, countB, b in
        guard let pointer else { return 0 }
        return Unmanaged<Collation>.fromOpaque(pointer).takeUnretainedValue().body(
          UnsafeRawBufferPointer(start: a, count: Int(countA)),
          UnsafeRawBufferPointer(start: b, count: Int(countB))
        )
      },
      { pointer in
        if let pointer { Unmanaged<Collation>.fromOpaque(pointer).release() }
      }
    )
    guard result == SQLITE_OK else {
      // Unlike for a function, SQLite does not release the context of a collation that it could not make.
      kept.release()
      throw SQLiteError(result, on: handle, sql: nil)
    }
  }
}
