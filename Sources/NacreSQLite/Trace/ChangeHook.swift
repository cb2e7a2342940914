import CSQLite

/// SQLite's hook on every row that a connection inserts, updates or deletes, by any statement, foreign key or trigger.
///
/// SQLite calls it before each change, including changes that are undone later. The update hook would not do, because
/// it leaves out tables without rowids.
final class ChangeHook {
  /// Called with the table's name and the row's first column if that is a blob, or else with no bytes.
  typealias Handler = (UnsafePointer<CChar>, UnsafeRawBufferPointer) -> Void

  var handler: Handler?
  /// Called with every blob that a row gets.
  var blobHandler: ((UnsafeRawBufferPointer) -> Void)?

  /// SQLite's functions for the hook, or nil if the library was built without them.
  private static let functions: nacre_sqlite_change_hook? = {
    var functions = nacre_sqlite_change_hook()
    return nacre_sqlite_find_change_hook(&functions) == 0 ? nil : functions
  }()

  static var isAvailable: Bool { functions != nil }

  func install(on connection: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = Self.functions?.install(
      connection,
      { context, connection, operation, schema, table, _, _ in
        guard let context, let connection, let schema, let table else { return }
        // Changes in temporary and attached tables are not reported.
        guard sqlite3_stricmp(schema, "main") == 0 else { return }
        let hook = Unmanaged<ChangeHook>.fromOpaque(context).takeUnretainedValue()
        hook.note(connection, operation, table)
      },
      context
    )
  }

  static func remove(from connection: OpaquePointer) {
    _ = functions?.install(connection, nil, nil)
  }

  private func note(
    _ connection: OpaquePointer,
    _ operation: Int32,
    _ table: UnsafePointer<CChar>
  ) {
    guard let functions = Self.functions else { return }
    var value: OpaquePointer?
    if let handler {
      if operation != SQLITE_INSERT, functions.former(connection, 0, &value) == SQLITE_OK {
        handler(table, Self.bytes(value))
      }
      if operation != SQLITE_DELETE, functions.later(connection, 0, &value) == SQLITE_OK {
        handler(table, Self.bytes(value))
      }
    }
    guard let blobHandler, operation != SQLITE_DELETE else { return }
    for column in 0..<functions.count(connection)
    where functions.later(connection, column, &value) == SQLITE_OK {
      let bytes = Self.bytes(value)
      if !bytes.isEmpty { blobHandler(bytes) }
    }
  }

  private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    guard let value, sqlite3_value_type(value) == SQLITE_BLOB else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(
      start: sqlite3_value_blob(value),
      count: Int(sqlite3_value_bytes(value))
    )
  }
}
