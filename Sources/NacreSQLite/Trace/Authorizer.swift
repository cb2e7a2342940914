import CSQLite

/// The connection's authorizer callback, installed once for the connection's life.
///
/// Installing an authorizer makes SQLite prepare every existing statement again; exchanging only
/// the handler behind it keeps the cached statements as they are.
final class Authorizer {
  // Unchecked, for every cached statement that is asked for looks whether there is one.
  @exclusivity(unchecked) var handler: ((AuthorizerAction) -> Bool)?
  /// The tables that statements read, while they are recorded.
  var readTables: Set<String>?
  /// The settings that statements were prepared to give a value.
  // Unchecked, for it is looked at whenever a connection is given back.
  @exclusivity(unchecked) var settings: Set<Pragmas.Name> = []
  /// Whether statements that begin or end a transaction or savepoint are refused at the moment.
  var refusesTransactions = false
  /// Whether one was, since that was last told.
  var hasRefusedTransaction = false

  func install(on connection: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection,
      { context, code, first, second, _, _ in
        guard let context else { return SQLITE_OK }
        let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
        if code == SQLITE_READ, let first { authorizer.readTables?.insert(String(cString: first)) }
        if authorizer.refusesTransactions, code == SQLITE_TRANSACTION || code == SQLITE_SAVEPOINT {
          authorizer.hasRefusedTransaction = true
          return SQLITE_DENY
        }
        if let handler = authorizer.handler,
          !handler(Authorizer.action(code, first, second))
        {
          return SQLITE_DENY
        }
        if code == SQLITE_PRAGMA, let first, second != nil { authorizer.note(pragma: first) }
        return SQLITE_OK
      },
      context
    )
  }

  /// Notes the name of what a PRAGMA gives a value; SQLite prepares a cached one anew, and asks anew, each time it runs.
  private func note(pragma name: UnsafePointer<CChar>) {
    if let setting = Pragmas.Name(rawValue: String(cString: name).lowercased()) {
      settings.insert(setting)
    }
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
