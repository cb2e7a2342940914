import NacreEngine
import NacreSQLite
import NacreStore
#if PostgreSQL
import NacrePostgres
#endif

// The path of a store can be the URL of a database on a server.
extension Store {
  /// Returns whether a path is the URL of a database on a server, whether or not this build can open it.
  package static func isOnServer(_ path: String) -> Bool { path.isServerURL }

  /// Throws for the URL of a server where only a file will do; nobody may show such a path, which can hold a password.
  ///
  /// - Parameters:
  ///   - path: The path, or the URL.
  ///   - reason: Why it has to be a file.
  ///   - advice: What to do instead.
  /// - Throws: ``NacreError`` with code `serverCannot`; `onServer` in a build without the trait PostgreSQL.
  package static func refuseServer(
    _ path: String,
    _ reason: String = "a file belongs where the URL of a server was given",
    advice: String = "Give the path of a file."
  ) throws {
    guard isOnServer(path) else { return }
    #if PostgreSQL
    throw NacreError(.serverCannot, detail: reason, advice: advice)
    #else
    throw NacreError(.onServer, detail: "the trait PostgreSQL of the package is off")
    #endif
  }

  /// Returns whether a path is the URL of a server with a password or a passphrase in it, which whoever sees the URL can
  /// read; false in a build without the trait PostgreSQL.
  ///
  /// - Throws: ``NacreError`` with code `cannotOpen` for a malformed URL.
  package static func hasPassword(_ path: String) throws -> Bool {
    #if PostgreSQL
    guard path.isServerURL else { return false }
    return try NacreError.wrapping { try ServerAddress(url: path).hasPassword }
    #else
    return false
    #endif
  }
}
