#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import Synchronization
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A server that wants a password of everybody but its owner.
@Suite struct PasswordTests {
  private let server: Cluster
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    server = try .wanting(password: "Marker-1")
  }

  private var url: String { server.url(of: "ada") }

  /// A source that returns what the application holds at the time, and counts how often it is called.
  private final class Vendor: Sendable {
    private let state: Mutex<(password: String, calls: Int)>

    init(_ password: String) { state = Mutex((password, 0)) }

    var calls: Int { state.withLock { $0.calls } }

    func change(to password: String) { state.withLock { $0.password = password } }

    func provide() throws -> SecretBytes {
      let password = state.withLock { state in
        state.calls += 1
        return state.password
      }
      return try Data(password.utf8).withUnsafeBytes { try SecretBytes(copying: $0) }
    }
  }

  private func options(_ vendor: Vendor) -> StoreOptions {
    var options = StoreOptions.patient
    options.postgres.password = .callback { try vendor.provide() }
    return options
  }

  /// Returns the error of an attempt to open the store, which may not tell a password.
  private func refusal(_ options: StoreOptions, _ more: String = "") -> NacreError? {
    let error = #expect(throws: NacreError.self) {
      try Store.open(url + more, options: options).close()
    }
    #expect(!String(describing: error).contains("Marker-"))
    return error
  }

  @Test func `each new connection asks for the password that holds at the time`() throws {
    let vendor = Vendor("Marker-1")
    let store = try Store.open(url, options: options(vendor))
    defer { try? store.close() }
    let first = vendor.calls
    #expect(first > 0)
    try store.write { _ in try Wheel.create().save() }
    #expect(try store.read { _ in try Wheel.count() } == 1)
    try server.execute("ALTER ROLE ada PASSWORD 'Marker-2'")
    vendor.change(to: "Marker-2")
    try server.execute(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'ada'"
    )
    #expect(try store.read { _ in try Wheel.count() } == 1)
    #expect(vendor.calls > first)
    let inspection = try StoreInspection(path: url, options: options(vendor))
    #expect(try inspection.describe().path == store.path)
  }

  @Test func `a listener asks for it, too`() throws {
    let vendor = Vendor("Marker-1")
    let home = try PostgresHome(url: url, settings: options(vendor).postgres)
    let connection = try home.connect(.writer)
    defer { try? connection.close() }
    let before = vendor.calls
    let listener = try #require(try home.listen {})
    listener.stop()
    #expect(vendor.calls == before + 1)
  }

  @Test func `a wrong password and none are refused, each in words of its own`() throws {
    let wrong = refusal(options(Vendor("Marker-2")))
    #expect(wrong?.code == .cannotOpen)
    #expect("\(wrong as Any)".contains("password authentication failed for user \"ada\""))
    for none in [StoreOptions.patient, options(Vendor(""))] {
      let error = refusal(none)
      #expect(error?.code == .cannotOpen)
      #expect("\(error as Any)".contains("PGPASSFILE"))
      #expect("\(error as Any)".contains("options.postgres.password"))
    }
    // libpq would take what stands before it.
    #expect(refusal(options(Vendor("Marker-1\0")))?.code == .badSecret)
  }

  @Test func `it takes the place of the password in the URL and in a file`() throws {
    let file = directory.file("passwords")
    try Data("*:*:*:ada:Marker-2\n".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    for more in ["&passfile=\(file)", "&password=Marker-2"] {
      #expect(refusal(.patient, more)?.code == .cannotOpen)
      try Store.open(url + more, options: options(Vendor("Marker-1"))).close()
    }
  }

  @Test func `the error of the source is that of the call`() throws {
    struct Unreachable: Error {}
    var options = StoreOptions.patient
    options.postgres.password = .callback { throw Unreachable() }
    #expect(throws: Unreachable.self) { try Store.open(url, options: options).close() }
    #expect(throws: Unreachable.self) { try StoreInspection(path: url, options: options) }
  }

  @Test func `a source that is asked last is not asked where nobody has to`() throws {
    let asked = Mutex<[String]>([])
    var settings = PostgresSettings()
    settings.password = .asking { user in
      asked.withLock { $0.append(user) }
      return try Vendor("Marker-1").provide()
    }
    try TestServer.connect(to: server.url, settings).close()
    try TestServer.connect(to: url + "&password=Marker-1", settings).close()
    #expect(asked.withLock { $0 } == [])
    try TestServer.connect(to: url, settings).close()
    #expect(asked.withLock { $0 } == ["ada"])
  }

  @Test func `the password is in no description, no log and no statement`() throws {
    try server.execute(
      "ALTER SYSTEM SET log_statement = 'all'",
      "ALTER SYSTEM SET log_connections = on",
      "SELECT pg_reload_conf()"
    )
    try server.wait(for: "all", from: "SHOW log_statement")
    let vendor = Vendor("Marker-1")
    var options = self.options(vendor)
    let traced = Mutex("")
    options.trace = { event in traced.withLock { $0 += "\(event)" } }
    let secret = try vendor.provide()
    options.postgres.password = .callback { secret }
    let store = try Store.open(url, unlock: .passphrase("correct horse"), options: options)
    defer { try? store.close() }
    try store.write { _ in try Wheel.create().save() }
    var dumped = ""
    dump(options, to: &dumped)
    dump(options.postgres.password, to: &dumped)
    let texts = [
      dumped, String(describing: options), String(reflecting: options.postgres), store.path,
      traced.withLock { $0 },
      try String(contentsOfFile: server.directory + "/log", encoding: .utf8),
    ]
    for text in texts { #expect(!text.contains("Marker-")) }
    #expect(Mirror(reflecting: try #require(options.postgres.password)).children.isEmpty)
    #expect(texts[5].contains("user=ada"))
    // A copy is the same source, and another one is not.
    #expect(options.postgres == options.postgres)
    #expect(options.postgres != self.options(vendor).postgres)
  }
}
#endif
