import CSQLite

/// What SQLite keeps of a collation.
private final class CollationBox {
  let collation: Collation

  init(_ collation: Collation) { self.collation = collation }
}

extension Connection {
  /// The collation by which a column of the file compares texts; nil where there is no such column.
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
    // It says the same of a table or column that is not there.
    if result == SQLITE_ERROR { return nil }
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    return name.map { String(cString: $0) }
  }

  /// Lets this connection's statements name a collation, in place of one of that name.
  ///
  /// - Throws: SQLITE_BUSY while statements are run, where it takes another's place.
  package func define(_ collation: Collation) throws(SQLiteError) {
    let handle = try opened()
    let box = Unmanaged.passRetained(CollationBox(collation))
    let result = sqlite3_create_collation_v2(
      handle,
      collation.name,
      SQLITE_UTF8,
      box.toOpaque(),
      { pointer, countA, a, countB, b in
        guard let pointer else { return 0 }
        let box = Unmanaged<CollationBox>.fromOpaque(pointer).takeUnretainedValue()
        return box.collation.body(
          UnsafeRawBufferPointer(start: a, count: Int(countA)),
          UnsafeRawBufferPointer(start: b, count: Int(countB))
        )
      },
      { pointer in
        if let pointer { Unmanaged<CollationBox>.fromOpaque(pointer).release() }
      }
    )
    guard result == SQLITE_OK else {
      // Unlike a function's, SQLite does not release what it could not make.
      box.release()
      throw SQLiteError(result, on: handle, sql: nil)
    }
  }
}
