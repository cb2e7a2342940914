import Foundation

/// A PostgreSQL server that `script/postgres` has started, as its administrator sees it.
struct GarageServer {
  let url: String

  /// Has the server write every statement into its log from now on, with the values that are bound to it.
  func logStatements() throws {
    _ = try run("psql", "-qc", "ALTER SYSTEM SET log_statement = 'all'")
    _ = try run("psql", "-qtAc", "SELECT pg_reload_conf()")
  }

  /// Returns a query's rows as psql prints them.
  func show(_ sql: String) throws -> String {
    String(decoding: try run("psql", "-x", "-qtc", sql), as: UTF8.self)
  }

  /// Returns the whole database as pg_dump writes it.
  func dump() throws -> Data { try run("pg_dump") }

  /// Returns the server's log.
  func log() throws -> Data {
    guard let path = ProcessInfo.processInfo.environment["NACRE_POSTGRES_LOG"] else {
      throw MissingError(what: "NACRE_POSTGRES_LOG")
    }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Runs a program of PostgreSQL on the database, and returns what it prints.
  private func run(_ program: String, _ arguments: String...) throws -> Data {
    guard let directory = ProcessInfo.processInfo.environment["NACRE_POSTGRES_BIN"] else {
      throw MissingError(what: "NACRE_POSTGRES_BIN")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: directory + "/" + program)
    process.arguments = arguments + ["-d", url]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw MissingError(what: program) }
    return output
  }
}
