import CSQLite
package import NacreEngine

extension Connection {
  /// Makes one of Nacre's own functions callable by the connection's statements, and returns its name.
  package func provide(_ function: EngineFunction) throws -> String {
    let own = ScalarFunction.own(function)
    try define(own)
    return own.name
  }

  /// Defines a function that this connection's statements can call; does nothing if the connection has one of that
  /// name.
  ///
  /// The file's own views and triggers can't call it.
  ///
  /// - Throws: SQLITE_MISUSE for a name or number of arguments that SQLite does not accept.
  package func define(_ function: ScalarFunction) throws(SQLiteError) {
    if functions.contains(function.name) { return }
    let handle = try opened()
    let result = sqlite3_create_function_v2(
      handle,
      function.name,
      function.argumentCount,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(function).toOpaque(),
      { context, count, values in
        guard let context, let pointer = sqlite3_user_data(context) else { return }
        let function = Unmanaged<ScalarFunction>.fromOpaque(pointer).takeUnretainedValue()
        let arguments = FunctionArguments(values, count: count)
        Connection.give(function.body(arguments), to: context)
      },
      nil,
      nil,
      // SQLite calls this when the connection is closed, and when it can't make the function.
      { pointer in
        if let pointer { Unmanaged<ScalarFunction>.fromOpaque(pointer).release() }
      }
    )
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    functions.insert(function.name)
  }

  /// Defines the table-valued functions of Nacre's own.
  package func defineTables() throws(SQLiteError) {
    let handle = try opened()
    let result = IdentifierTable.define(on: handle)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
  }

  private static func give(_ result: FunctionResult, to context: OpaquePointer) {
    switch result {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .string(var text): text.withUTF8 { give(.text(UnsafeRawBufferPointer($0)), to: context) }
    case .text(let bytes):
      // A null pointer would be NULL, but an empty text is not NULL.
      guard let start = bytes.bindMemory(to: CChar.self).baseAddress, !bytes.isEmpty else {
        return sqlite3_result_text(context, "", 0, nil)
      }
      sqlite3_result_text64(context, start, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
    case .blob(let bytes):
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        _ = sqlite3_result_zeroblob64(context, 0)
        return
      }
      sqlite3_result_blob64(context, start, UInt64(bytes.count), transient)
    }
  }
}
