import CSQLite

/// Tells SQLite to copy bytes at once: SQLITE_TRANSIENT, a cast that the importer leaves out.
var transient: sqlite3_destructor_type {
  @inline(__always) get { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
