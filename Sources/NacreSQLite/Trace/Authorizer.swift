import CSQLite
import NacreEngine

/// The connection's authorizer callback, installed once for the connection's life.
///
/// Installing an authorizer makes SQLite prepare every existing statement again. Exchanging only the handler behind it
/// keeps the cached statements as they are.
final class Authorizer {
  // Unchecked for speed, because every request for a cached statement reads it.
  @exclusivity(unchecked) var handler: ((Access) -> Bool)?
  /// The tables that statements have read, or nil while nobody records them.
  var readTables: Set<String>?
  /// The settings to which prepared statements give a value.
  // Unchecked for speed, because it is read each time a connection is given back.
  @exclusivity(unchecked) var settings: Set<Pragmas.Name> = []
  /// Whether the connection now refuses statements that begin or end a transaction or savepoint.
  var refusesTransactions = false
  /// Whether the authorizer has refused one since the flag was last cleared.
  var hasRefusedTransaction = false

  /// Whether the connection refuses every file but its own.
  var refusesOtherFiles = false

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
        // VACUUM attaches a temporary database, whose name is empty.
        if authorizer.refusesOtherFiles, code == SQLITE_ATTACH,
          first.map({ $0.pointee != 0 }) ?? true
        {
          return SQLITE_DENY
        }
        if code == SQLITE_PRAGMA, let first, second != nil { authorizer.note(pragma: first) }
        return SQLITE_OK
      },
      context
    )
  }

  /// Notes the name of a setting to which a PRAGMA gives a value.
  ///
  /// SQLite prepares a cached PRAGMA again each time it runs, and so asks again.
  private func note(pragma name: UnsafePointer<CChar>) {
    if let setting = Pragmas.Name(rawValue: String(cString: name).lowercased()) {
      settings.insert(setting)
    }
  }

  private static func action(
    _ code: Int32,
    _ first: UnsafePointer<CChar>?,
    _ second: UnsafePointer<CChar>?
  ) -> Access {
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
