#if PostgreSQL
import Foundation
import Testing

/// A database cluster of one test and its server, in a directory of its own below that of the tests' server.
///
/// It ends when it is released, or with the tests' server.
final class Cluster {
  /// The directory of the socket, the data and the log.
  let directory: String
  private(set) var isRunning = false
  private var data: String { directory + "/data" }

  private let port: UInt16

  /// The URL of the server's database, by its socket.
  var url: String { "postgresql://nacre@/postgres?host=\(directory)&port=\(port)" }

  /// Makes and starts a server.
  ///
  /// - Parameters:
  ///   - settings: Lines of `postgresql.conf`.
  ///   - port: The number in the socket's name, and of the port if the server listens on one.
  ///   - access: The lines of `pg_hba.conf`; by default everybody is let in.
  ///   - options: More options of `initdb`.
  /// - Throws: An error if the server does not start.
  convenience init(
    _ settings: String...,
    port: UInt16 = 5432,
    access: String = "local all all trust",
    options: [String] = []
  ) throws {
    try self.init(settings: settings, port: port, access: access) { data in
      let arguments = ["-U", "nacre", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]
      try Self.run("initdb", ["-D", data, "--no-sync", "--no-instructions"] + arguments + options)
    }
  }

  /// Makes and starts a standby, which streams from a primary under the name `standby`.
  convenience init(standbyOf primary: Cluster) throws {
    try self.init(
      settings: ["cluster_name = 'standby'"],
      port: 5432,
      access: "local all all trust\nlocal replication all trust"
    ) { data in
      try Self.run(
        "pg_basebackup",
        ["-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", primary.url]
      )
    }
  }

  private init(
    settings: [String],
    port: UInt16,
    access: String,
    make: (_ data: String) throws -> Void
  ) throws {
    self.port = port
    let log = try #require(
      ProcessInfo.processInfo.environment["NACRE_POSTGRES_LOG"],
      "run the tests by script/check NacrePostgres"
    )
    // A socket's path is short.
    directory =
      "\((log as NSString).deletingLastPathComponent)/\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Self.giveToOwner(directory, mode: 0o700)
    try make(data)
    let own = [
      "listen_addresses = ''", "port = \(port)", "unix_socket_directories = '\(directory)'",
      "fsync = off",
    ]
    let file = try #require(FileHandle(forWritingAtPath: data + "/postgresql.conf"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(("\n" + (own + settings).joined(separator: "\n") + "\n").utf8))
    try file.close()
    try write(access, to: "data/pg_hba.conf")
    try start()
  }

  deinit {
    try? stop()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Writes a file in the server's directory that only the server's owner can read.
  func write(_ text: String, to name: String) throws {
    let path = directory + "/" + name
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path))
    try Self.giveToOwner(path, mode: 0o600)
  }

  // MARK: Control

  /// Starts the server, and waits until it takes connections.
  func start() throws {
    try Self.run("pg_ctl", ["start", "-D", data, "-l", directory + "/log", "-w", "-t", "60"])
    isRunning = true
  }

  /// Stops the server at once, as a machine that loses its power; nothing is sent to a standby any more.
  func stop() throws {
    guard isRunning else { return }
    isRunning = false
    try Self.run("pg_ctl", ["stop", "-D", data, "-m", "immediate", "-t", "20"])
  }

  /// Makes a standby the primary, and waits until it is.
  func promote() throws { try Self.run("pg_ctl", ["promote", "-D", data, "-w", "-t", "60"]) }

  /// Runs statements, each in a transaction of its own, on the server's database.
  ///
  /// - Returns: What psql prints.
  @discardableResult
  func execute(_ statements: String...) throws -> String {
    try Self.run("psql", psql(statements))
  }

  private func psql(_ statements: [String]) -> [String] {
    ["-v", "ON_ERROR_STOP=1", "-qtAX", "-d", url] + statements.flatMap { ["-c", $0] }
  }

  /// Waits until a query returns a text, at most half a minute; a table of the query may come only then.
  func wait(for text: String, from query: String) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      let (status, found) = try Self.outcome("psql", psql([query]))
      if status == 0, found == text + "\n" { return }
      try #require(ContinuousClock.now < deadline, "\(query) never returned \(text): \(found)")
      usleep(20_000)
    }
  }

  // MARK: Programs

  /// PostgreSQL refuses to run as root.
  private static let owner: (user: UInt32, group: UInt32)? = {
    guard getuid() == 0, let entry = getpwnam("postgres")?.pointee else { return nil }
    return (entry.pw_uid, entry.pw_gid)
  }()

  static func giveToOwner(_ path: String, mode: Int) throws {
    var attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
    if let owner {
      attributes[.ownerAccountID] = Int(owner.user)
      attributes[.groupOwnerAccountID] = Int(owner.group)
    }
    try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
  }

  /// Runs a program of PostgreSQL, or one with a path, as the server's owner, and returns its output.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let (status, text) = try outcome(program, arguments)
    try #require(status == 0, "\(program): \(text)")
    return text
  }

  private static func outcome(_ program: String, _ arguments: [String]) throws -> (
    status: Int32, text: String
  ) {
    let bin = try #require(
      ProcessInfo.processInfo.environment["NACRE_POSTGRES_BIN"],
      "run the tests by script/check NacrePostgres"
    )
    let path = program.hasPrefix("/") ? program : "\(bin)/\(program)"
    let launcher =
      owner.map {
        ["/usr/bin/setpriv", "--reuid=\($0.user)", "--regid=\($0.group)", "--clear-groups"]
      } ?? []
    // The server's owner may not be let into the directory in which the tests run.
    let words = ["/usr/bin/env", "-C", "/tmp"] + launcher + [path] + arguments
    let directory = try TemporaryDirectory()
    let outcome = try Spawned.run(words, writingTo: directory.file("out"))
    return (outcome.status, outcome.text)
  }
}
#endif
