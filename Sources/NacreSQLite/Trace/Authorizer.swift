import CSQLite

/// The connection's authorizer callback, installed once for the connection's life.
///
/// Installing an authorizer makes SQLite prepare every existing statement again; exchanging only
/// the handler behind it keeps the cached statements as they are.
final class Authorizer {
  var handler: ((AuthorizerAction) -> Bool)?
  /// The tables that statements read, while they are recorded.
  var readTables: Set<String>?

  func install(on connection: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection,
      { context, code, first, second, _, _ in
        guard let context else { return SQLITE_OK }
        let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
        if code == SQLITE_READ, let first { authorizer.readTables?.insert(String(cString: first)) }
        guard let handler = authorizer.handler else { return SQLITE_OK }
        return handler(Authorizer.action(code, first, second)) ? SQLITE_OK : SQLITE_DENY
      },
      context
    )
  }

  private static func action(
    _ code: Int32,
    _ first: UnsafePointer<CChar>?,
    _ second: UnsafePointer<CChar>?
  ) -> AuthorizerAction {
    let table = first.map { String(cString: $0) } ?? ""
    let column = second.map { String(cString: $0) } ?? ""
    return switch code {
    case SQLITE_READ: .read(table: table, column: column)
    case SQLITE_INSERT: .insert(table: table)
    case SQLITE_UPDATE: .update(table: table, column: column)
    case SQLITE_DELETE: .delete(table: table)
    default: .other(code: code)
    }
  }
}
