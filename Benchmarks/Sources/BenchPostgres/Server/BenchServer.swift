import Foundation

/// The server that all subjects use, on a Unix socket.
struct BenchServer {
  /// The directory of its socket.
  let directory: String

  static let socketName = ".s.PGSQL.5432"

  /// Returns the server that `script/postgres` has started.
  static func given() throws -> BenchServer {
    let url = ProcessInfo.processInfo.environment["NACRE_POSTGRES"] ?? ""
    guard let match = url.firstMatch(of: /[?&]host=(\/[^&]*)/) else {
      throw BenchError(
        description: "There is no server; run `script/bench --postgres`, which starts one."
      )
    }
    return BenchServer(directory: String(match.output.1))
  }

  /// Returns the URL of a database.
  func url(_ database: String) -> String { "postgresql://nacre@/\(database)?host=\(directory)" }

  /// Makes an empty database; one of that name is dropped with its connections.
  func make(_ database: String) throws {
    let connection = try FloorConnection(url: url("postgres"))
    // Otherwise the server says that there was none.
    try connection.execute("SET client_min_messages = warning")
    try connection.execute("DROP DATABASE IF EXISTS \(database) WITH (FORCE)")
    try connection.execute("CREATE DATABASE \(database)")
  }
}
