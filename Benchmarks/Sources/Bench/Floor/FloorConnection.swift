import CBenchSQLite

/// One open connection, set as Nacre sets its own.
final class FloorConnection {
  let handle: OpaquePointer

  init(path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2(path, &handle, flags, nil)
    guard let handle else { throw FloorError(message: "out of memory") }
    guard result == SQLITE_OK else { throw FloorError(handle) }
    self.handle = handle
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = NORMAL")
    try execute("PRAGMA foreign_keys = ON")
    try execute("PRAGMA secure_delete = ON")
  }

  deinit {
    // The statements are finalised first or keep it open until they are.
    sqlite3_close_v2(handle)
  }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw FloorError(handle) }
  }

  func prepare(_ sql: String) throws -> FloorStatement { try FloorStatement(handle, sql) }

  /// Runs `body` in one write transaction.
  func transaction(_ body: () throws -> Void) throws {
    try execute("BEGIN IMMEDIATE")
    try body()
    try execute("COMMIT")
  }
}

/// A writing and a reading connection to one file, as any user of a WAL has them.
struct FloorFile {
  let writer: FloorConnection
  let reader: FloorConnection

  init(directory: String, schema: [String]) throws {
    let path = directory + "/floor.db"
    writer = try FloorConnection(path: path)
    for statement in schema { try writer.execute(statement) }
    reader = try FloorConnection(path: path)
  }
}

/// What a C call said when it failed.
struct FloorError: Error, CustomStringConvertible {
  let description: String

  init(message: String) {
    description = message
  }

  init(_ database: OpaquePointer) {
    description = String(cString: sqlite3_errmsg(database))
  }
}
