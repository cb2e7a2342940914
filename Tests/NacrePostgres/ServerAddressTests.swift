#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

@Suite struct ServerAddressTests {
  @Test(arguments: [
    ("postgresql://ada:hunter2@db.example/garage", "postgresql://ada@db.example/garage"),
    (
      "postgres://ada@db.example:6432/garage?password=hunter2",
      "postgresql://ada@db.example:6432/garage"
    ),
    (
      "postgresql://ada@a.example:1,b.example:2/garage",
      "postgresql://ada@a.example:1,b.example:2/garage"
    ),
    ("postgresql:///garage?host=/run/pg&user=ada", "postgresql://ada@/garage?host=/run/pg"),
    ("postgresql://?service=garage", "postgresql:///?service=garage"),
  ])
  func `an address is shown without its password`(url: String, shown: String) throws {
    let address = try ServerAddress(url: url)
    #expect(address.shown == shown)
    #expect(address.hasPassword == url.contains("hunter2"))
  }

  @Test(arguments: [
    "garage.db", "postgresql//x", "postgresql://ada:hunter2@[::1/garage",
    "postgresql://ada:hunter2@host/db?hunter2", "postgresql://ada:hunter2@host/db?nonsense=1",
    "postgresql://ada:hunter2@host/\u{0}",
    // Parts of a password that libpq would take for a host, a port or a database.
    "postgresql://ada:ab/hunter2@db.example/garage",
    "postgresql://ada:12/hunter2@db.example/garage",
    "postgresql://ada:p@hunter2@db.example/garage",
    // An at sign with an accent is one character, and two for libpq.
    "postgresql://ada:p@\u{301}hunter2@db.example/garage",
    "postgresql://ada:p@hunter2@\u{301}db.example/garage",
    "postgresql://ada:hunter2/b?c@db.example/garage",
  ])
  func `a malformed URL is refused without being shown`(url: String) {
    let error = #expect(throws: HomeError.self) { try ServerAddress(url: url) }
    #expect(error?.kind == .cannotOpen)
    #expect(error.map { !"\($0)".contains("hunter2") } ?? false)
  }

  @Test(arguments: [
    ["host": "/run/pg"], ["host": ""], [:], ["host": "@abstract"], ["host": "localhost"],
    ["host": "::1"],
    ["host": "127.0.0.1"], ["host": "127.9.9.9,localhost"],
    ["host": "db.example", "hostaddr": "127.0.0.1"],
    ["host": "localhost,db.example", "hostaddr": ",127.0.0.1"],
  ])
  func `this machine is known`(parameters: [String: String]) {
    #expect(ServerAddress.isLocal(parameters))
  }

  @Test(arguments: [
    ["host": "db.example"], ["host": "localhost,db.example"], ["host": "127.evil.example"],
    ["host": "127.0.0.1.evil.example"], ["host": "localhost", "hostaddr": "10.0.0.1"],
    ["host": "10.0.0.1"], ["host": "localhost,db.example", "hostaddr": "127.0.0.1,"],
  ])
  func `other machines are known`(parameters: [String: String]) {
    #expect(!ServerAddress.isLocal(parameters))
  }

  @Test func `a server on another machine has to prove who it is`() throws {
    let url = "postgresql://ada@192.0.2.1/garage"
    let parameters = try ServerAddress(url: url).parameters(for: PostgresSettings())
    #expect(parameters["sslmode"] == "verify-full")
    #expect(parameters["gssencmode"] == "disable")
    let full = try ServerAddress(url: url + "?sslmode=verify-full").parameters(
      for: PostgresSettings()
    )
    #expect(full["sslmode"] == "verify-full")
  }

  @Test func `an at sign and a slash in a password can be encoded`() throws {
    let address = try ServerAddress(url: "postgresql://a%40b:p%2Fq%40r@db.example/x%40y?port=1,2")
    #expect(address.shown == "postgresql://a@b@db.example:1/x@y")
    #expect(address.hasPassword)
  }

  @Test(arguments: ["disable", "allow", "prefer", "require", "verify-ca"])
  func `less is refused unless it is asked for`(mode: String) throws {
    let address = try ServerAddress(url: "postgresql://ada@192.0.2.1/garage?sslmode=\(mode)")
    expect(.cannotOpen) { _ = try address.parameters(for: PostgresSettings()) }
    var settings = PostgresSettings()
    settings.requiresVerifiedServer = false
    #expect(try address.parameters(for: settings)["sslmode"] == mode)
  }

  @Test func `a service of a file is as good as a URL`() throws {
    let file = "/tmp/nacre-service-\(UInt32.random(in: 0...UInt32.max))"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try "[far]\nhost=192.0.2.1\nsslmode=require\n[near]\nhost=/run/nowhere\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    // libpq takes the file's name from the environment alone.
    setenv("PGSERVICEFILE", file, 1)
    defer { unsetenv("PGSERVICEFILE") }
    expect(.cannotOpen) {
      _ = try ServerAddress(url: "postgresql:///x?service=far").parameters(for: PostgresSettings())
    }
    let near = try ServerAddress(url: "postgresql:///x?service=near")
    #expect(try near.parameters(for: PostgresSettings())["sslmode"] == nil)
  }

  @Test func `a server on this machine needs no proof`() throws {
    let parameters = try ServerAddress(url: TestServer.url).parameters(for: PostgresSettings())
    #expect(parameters["sslmode"] == nil)
  }

  @Test func `a server that is not there is refused in time and by its address`() throws {
    let error = #expect(throws: HomeError.self) {
      _ = try TestServer.connect(to: "postgresql://ada:hunter2@/garage?host=/nowhere")
    }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.detail == "postgresql://ada@/garage?host=/nowhere")
    #expect(error.map { !"\($0)".contains("hunter2") } ?? false)
  }

  @Test func `a server that never answers is given up in time`() throws {
    let silent = try SilentServer()
    defer { silent.close() }
    var settings = PostgresSettings()
    settings.connectTimeout = 0.3
    let begun = ContinuousClock.now
    expect(.cannotOpen) {
      _ = try TestServer.connect(to: "postgresql:///x?host=\(silent.directory)", settings)
    }
    #expect(ContinuousClock.now - begun < .seconds(5))
  }

  @Test(
    arguments: [(130_009, "UTF8"), (140_000, "SQL_ASCII"), (90_600, "UTF8")] as [(Int32, String)]
  )
  func `an old server and another encoding are refused`(version: Int32, encoding: String) {
    expect(.cannotOpen) { try ServerSession.check(version: version, encoding: encoding) }
  }

  @Test func `PostgreSQL 14 is enough`() throws {
    try ServerSession.check(version: 140_000, encoding: "UTF8")
  }

  // MARK: Several hosts

  /// Returns the hosts, ports and wanted states of the attempts to connect.
  private func attempts(_ url: String) throws -> [[String?]] {
    var settings = PostgresSettings()
    settings.requiresVerifiedServer = false
    return try ServerAddress(url: url).attempts(for: settings).map {
      [$0["host"], $0["hostaddr"], $0["port"], $0["target_session_attrs"]]
    }
  }

  @Test func `each host is an attempt of its own`() throws {
    #expect(try attempts("postgresql://a/garage") == [["a", nil, nil, nil]])
    #expect(
      try attempts("postgresql://a:1,b:2/garage?target_session_attrs=read-write") == [
        ["a", nil, "1", "read-write"], ["b", nil, "2", "read-write"],
      ]
    )
    #expect(
      try attempts("postgresql://a,b/garage?port=7&hostaddr=10.0.0.1,10.0.0.2") == [
        ["a", "10.0.0.1", "7", nil], ["b", "10.0.0.2", "7", nil],
      ]
    )
    // First any standby, and then whoever is there.
    #expect(
      try attempts("postgresql://a:1,b:2/garage?target_session_attrs=prefer-standby") == [
        ["a", nil, "1", "standby"], ["b", nil, "2", "standby"],
        ["a", nil, "1", "any"], ["b", nil, "2", "any"],
      ]
    )
  }

  @Test(arguments: [
    "postgresql://a,b,c/garage?port=1,2", "postgresql:///garage?host=a,&port=1",
    "postgresql://a,b/garage?hostaddr=,10.0.0.2",
  ])
  func `lists that only libpq can read are left to it`(url: String) throws {
    #expect(try attempts(url).count == 1)
  }

  @Test func `a host that takes connections and says nothing keeps none from the next one`() throws
  {
    let silent = try SilentServer()
    defer { silent.close() }
    let url = try TestPlace.newSchema()
    let host = try #require(url.firstMatch(of: /host=([^&]*)/)).output.1
    var settings = PostgresSettings()
    settings.connectTimeout = 4
    let both = url.replacingOccurrences(
      of: "host=\(host)",
      with: "host=\(silent.directory),\(host)"
    )
    let connection = try TestServer.connect(to: both, as: .writer, settings)
    #expect(try connection.values("SELECT 1::bigint") == [.integer(1)])
    let none = url.replacingOccurrences(
      of: "host=\(host)",
      with: "host=\(silent.directory),\(silent.directory)/none"
    )
    settings.connectTimeout = 0.5
    let error = #expect(throws: HomeError.self) {
      try TestServer.connect(to: none, as: .writer, settings)
    }
    let words = String(reflecting: error)
    #expect(words.contains("did not answer in time") && words.contains("/none"), "\(words)")
  }
}

extension TestServer {
  /// Opens a connection with settings as a writer.
  static func connect(to url: String, _ settings: PostgresSettings) throws -> PostgresConnection {
    try connect(to: url, as: .writer, settings)
  }
}

/// A Unix socket that takes connections and never answers.
struct SilentServer {
  let directory: String
  private let socket: Int32

  init() throws {
    directory = "/tmp/nacre-silent-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    socket = try UnixSocket.listener(at: directory + "/.s.PGSQL.5432")
  }

  func close() {
    UnixSocket.end(socket)
    try? FileManager.default.removeItem(atPath: directory)
  }
}
#endif
