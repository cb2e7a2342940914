import Foundation
import NacreStore
#if PostgreSQL
import NacreEngine
import NacrePostgres
import Synchronization
#endif

/// Where the tests' stores are: in files, or on the PostgreSQL server of script/postgres if NACRE_TEST_ENGINE says
/// `postgres`.
enum TestPlace {
  /// Whether the tests' stores are on a server.
  static let isOnServer = ProcessInfo.processInfo.environment["NACRE_TEST_ENGINE"] == "postgres"

  /// Returns the place of a new store: the path of a file, or the URL of a new schema.
  static func make(_ file: String) throws -> String {
    #if PostgreSQL
    if isOnServer { return try newSchema() }
    #endif
    return file
  }

  #if PostgreSQL
  private static let schemaCount = Atomic(0)

  /// Makes a new schema, and returns the URL of a session in it.
  static func newSchema() throws -> String {
    guard let url = ProcessInfo.processInfo.environment["NACRE_POSTGRES"] else {
      throw NacreError(.cannotOpen, detail: "run the tests by script/check --postgres")
    }
    let number = schemaCount.add(1, ordering: .relaxed).newValue
    let name = "scene_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
    let connection = try PostgresHome(url: url).connect(.writer)
    try connection.execute("CREATE SCHEMA \(name)")
    try connection.close()
    return "\(url)&options=-csearch_path%3D\(name)"
  }
  #endif
}
