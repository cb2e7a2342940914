import Foundation
import NacreEngine
import NacreOpen
import NacreSQLite
import NacreStore
#if PostgreSQL
import NacrePostgres
import Synchronization
#endif

/// Where the tests' stores are: in files, or on the PostgreSQL server of script/postgres if NACRE_TEST_ENGINE says
/// `postgres`.
enum TestPlace {
  /// Whether the tests' stores are on a server.
  static let isOnServer = ProcessInfo.processInfo.environment["NACRE_TEST_ENGINE"] == "postgres"

  /// A character that C takes for the end of a text; on a server another control character, because it refuses a NUL.
  static let nul = isOnServer ? "\u{2}" : "\0"

  /// Returns the text of SQL that the tests' engine takes: SQLite's or PostgreSQL's.
  static func sql(_ file: String, onServer server: String) -> String { isOnServer ? server : file }

  /// Returns the place of a store: the path of a file, or the URL of a schema, which the same file gets again.
  static func make(_ file: String) throws -> String {
    #if PostgreSQL
    if isOnServer {
      if let url = schemas.withLock({ $0[file] }) { return url }
      let url = try newSchema(in: databases.next())
      schemas.withLock { $0[file] = url }
      return url
    }
    #endif
    return file
  }

  /// Opens a connection behind a store's back, which checks no foreign keys.
  static func connect(_ path: String) throws -> any EngineConnection {
    #if PostgreSQL
    if path.hasPrefix("postgresql:") {
      let connection = try PostgresHome(url: asSuperuser(withoutPool(path))).connect(.writer)
      try connection.execute("SET session_replication_role = replica")
      return connection
    }
    #endif
    var configuration = ConnectionConfiguration()
    configuration.pragmas.foreignKeys = false
    configuration.setsJournalMode = false
    return try Connection(path: path, mode: .readWrite, configuration: configuration)
  }

  /// Returns whether `NACRE_TEST_LACKING=references,locks,notices` takes an ability from the server, as other servers lack
  /// it.
  static func isLacking(_ ability: String) -> Bool { lacking.contains(ability) }

  private static let lacking = ProcessInfo.processInfo.environment["NACRE_TEST_LACKING"] ?? ""

  /// Opens the store of a place.
  static func open(_ path: String, unlock: Unlock?, options: StoreOptions) throws -> Store {
    #if PostgreSQL
    if path.hasPrefix("postgresql:"), !lacking.isEmpty {
      var missing: EngineCapabilities = []
      if isLacking("references") { missing.insert(.defersReferences) }
      if isLacking("locks") { missing.insert(.locksTables) }
      if isLacking("notices") { missing.insert(.tellsChanges) }
      let home = try PostgresHome(url: path, settings: options.postgres, missing: missing)
      return try Store.open(home, unlock: unlock, options: options)
    }
    #endif
    return try Store.open(path, unlock: unlock, options: options)
  }

  #if PostgreSQL
  private static let schemaCount = Atomic(0)
  /// The URLs of the schemas that stand for files.
  private static let schemas = Mutex<[String: String]>([:])

  private static let databases = TestDatabases()

  /// Makes a new schema.
  ///
  /// - Parameter database: The name of its database.
  /// - Returns: The URL of a session in it, of a role that owns it and has no other right; behind a pool, of a superuser.
  /// - Throws: The server's error.
  static func newSchema(in database: String = "postgres") throws -> String {
    let url = try serverURL().replacingOccurrences(of: "/postgres?", with: "/\(database)?")
    let number = schemaCount.add(1, ordering: .relaxed).newValue
    let name = "scene_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
    let connection = try PostgresHome(url: url).connect(.writer)
    defer { try? connection.close() }
    guard let pool else {
      try connection.execute("CREATE SCHEMA \(name) AUTHORIZATION tester")
      return "\(url)&options=-csearch_path%3D\(name)".replacingOccurrences(
        of: superuser,
        with: tester
      )
    }
    // A pool takes no options, so the schema is that of a role.
    try connection.execute("CREATE SCHEMA \(name)")
    try connection.execute("CREATE ROLE \(name) SUPERUSER LOGIN")
    try connection.execute("ALTER ROLE \(name) SET search_path = \(name)")
    return "postgresql://\(name)@/\(database)?host=\(pool)"
  }

  private static let (superuser, tester) = ("//nacre@", "//tester@")

  /// Returns the URL of the same place for a role with every right, for what a test does behind a store's back.
  static func asSuperuser(_ url: String) -> String {
    url.replacingOccurrences(of: tester, with: superuser)
  }

  /// Returns the URL of the database `postgres` of script/postgres.
  fileprivate static func serverURL() throws -> String {
    guard let url = ProcessInfo.processInfo.environment["NACRE_POSTGRES"] else {
      throw NacreError(.cannotOpen, detail: "run the tests by script/check --postgres")
    }
    return url
  }

  /// The directory of the socket of the pool that stands before the server; nil if there is none.
  static let pool = ProcessInfo.processInfo.environment["NACRE_POSTGRES_POOL"]

  /// Returns the URL of the same database with its server in the place of the pool.
  private static func withoutPool(_ url: String) -> String {
    guard let pool, let server = ProcessInfo.processInfo.environment["NACRE_POSTGRES"],
      let host = server.firstMatch(of: /host=([^&]*)/)?.output.1
    else { return url }
    return url.replacingOccurrences(of: "host=\(pool)", with: "host=\(host)")
  }
  #endif
}

#if PostgreSQL
/// The databases of the schemas that stand for files.
///
/// What the server looks up takes longer the more tables a database has, so each gets a few of the schemas.
private final class TestDatabases: Sendable {
  private static let schemaCount = 20
  private let given = Mutex(0)

  /// Returns the name of the database for the next schema, which is made if it is not there.
  func next() throws -> String {
    try given.withLock { given in
      let (number, place) = given.quotientAndRemainder(dividingBy: Self.schemaCount)
      let name = "scenes_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
      if place == 0 {
        let connection = try PostgresHome(url: TestPlace.serverURL()).connect(.writer)
        defer { try? connection.close() }
        try connection.execute("CREATE DATABASE \(name)")
      }
      given += 1
      return name
    }
  }
}
#endif
