#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A server on loopback with a certificate of `db.example` by a CA of the test.
@Suite struct TLSTests {
  private let server: Cluster
  private let directory: TemporaryDirectory
  private let port: UInt16

  init() throws {
    directory = try TemporaryDirectory()
    port = try Self.freePort()
    server = try Cluster(
      "listen_addresses = '127.0.0.1'",
      "password_encryption = 'scram-sha-256'",
      port: port,
      access: """
        local all all trust
        hostssl all guest 127.0.0.1/32 cert
        hostssl all all 127.0.0.1/32 scram-sha-256
        """
    )
    for name in ["ca", "other"] { try makeAuthority(name) }
    try makeCertificate("server", of: "db.example")
    try makeCertificate("guest", of: "guest")
    for file in ["server.crt", "server.key"] {
      try server.write(String(decoding: directory.bytes(file), as: UTF8.self), to: file)
    }
    try server.write(String(decoding: directory.bytes("ca.crt"), as: UTF8.self), to: "ca.crt")
    try server.execute(
      "CREATE ROLE ada LOGIN PASSWORD 'Marker-6'",
      "CREATE ROLE guest LOGIN",
      "CREATE SCHEMA garage AUTHORIZATION ada",
      "CREATE SCHEMA guest AUTHORIZATION guest",
      "ALTER SYSTEM SET ssl_cert_file = '\(server.directory)/server.crt'",
      "ALTER SYSTEM SET ssl_key_file = '\(server.directory)/server.key'",
      "ALTER SYSTEM SET ssl_ca_file = '\(server.directory)/ca.crt'",
      "ALTER SYSTEM SET ssl = on",
      "SELECT pg_reload_conf()"
    )
    try server.wait(for: "on", from: "SHOW ssl")
    try write("db.example:\(port):*:ada:Marker-6", to: "passwords")
  }

  // MARK: Certificates

  /// A port of loopback that nobody has now.
  private static func freePort() throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    try #require(result)
    return UInt16(bigEndian: address.sin_port)
  }

  private func openssl(_ arguments: String...) throws {
    let outcome = try BuiltProduct.run(
      ["/usr/bin/env", "-C", directory.path, "/usr/bin/openssl"] + arguments
    )
    try #require(outcome.status == 0, "\(outcome.complaint)")
  }

  private func makeAuthority(_ name: String) throws {
    try openssl(
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=\(name)",
      "-keyout",
      "\(name).key",
      "-out",
      "\(name).crt"
    )
  }

  private func makeCertificate(_ name: String, of subject: String) throws {
    try openssl(
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=\(subject)",
      "-addext",
      "subjectAltName=DNS:\(subject)",
      "-addext",
      "basicConstraints=critical,CA:FALSE",
      "-CA",
      "ca.crt",
      "-CAkey",
      "ca.key",
      "-keyout",
      "\(name).key",
      "-out",
      "\(name).crt"
    )
  }

  private func write(_ text: String, to name: String) throws {
    let path = directory.file(name)
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  // MARK: Connections

  private func url(
    host: String = "db.example",
    authority: String = "ca.crt",
    mode: String = "verify-full",
    user: String = "ada",
    _ more: String = ""
  ) -> String {
    "postgresql://\(user)@\(host):\(port)/postgres?hostaddr=127.0.0.1&sslmode=\(mode)"
      + "&sslrootcert=\(directory.file(authority))&passfile=\(directory.file("passwords"))"
      + "&options=-csearch_path%3Dgarage" + more
  }

  /// Expects that a store can't be opened, and that the error has words and no secret.
  private func refused(_ url: String, _ words: String) {
    let error = #expect(throws: NacreError.self) { try Store.open(url).close() }
    #expect(error?.code == .cannotOpen)
    let text = String(describing: error)
    #expect(text.contains(words), "\(text)")
    #expect(!text.contains("Marker-6"))
  }

  @Test func `a store is opened on a server that proves who it is`() throws {
    let unlock = Unlock.passphrase("correct horse")
    let store = try Store.open(url(), unlock: unlock)
    defer { try? store.close() }
    let sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
    #expect(try store.read { try $0.first(sql) } == .integer(1))
    // The password came from the file.
    #expect(try store.read { try $0.first("SELECT current_user::text") } == .text("ada"))
    try store.write { _ in
      let safe = Safe.create()
      safe.secret = "Marker-5"
      try safe.save()
    }
    #expect(try store.read { _ in try Safe.fetchAll().first?.secret } == "Marker-5")
  }

  @Test func `a client's certificate takes the place of a password`() throws {
    let (certificate, key) = (directory.file("guest.crt"), directory.file("guest.key"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let more = "&sslcert=\(certificate)&sslkey=\(key)"
    let connection = try TestServer.connect(to: url(user: "guest", more))
    #expect(try connection.values("SELECT current_user::text") == [.text("guest")])
  }

  @Test func `another host's name and another authority are refused`() throws {
    refused(url(host: "evil.example"), "does not match host name \"evil.example\"")
    refused(url(authority: "other.crt"), "certificate verify failed")
    refused(url(authority: "missing.crt"), "does not exist")
  }

  @Test func `a way that is not sealed is refused by the server and the client`() throws {
    refused(url(mode: "disable"), "no encryption")
    // What is not this machine is not even asked.
    for mode in ["disable", "require"] {
      let far = url(host: "192.0.2.1", mode: mode).replacing("hostaddr=127.0.0.1&", with: "")
      refused(far, "sslmode=\(mode) does not prove who it is")
    }
    try server.execute("ALTER SYSTEM SET ssl = off", "SELECT pg_reload_conf()")
    try server.wait(for: "off", from: "SHOW ssl")
    refused(url(), "does not support SSL")
  }

  @Test func `a wrong password is refused`() throws {
    try write("db.example:\(port):*:ada:wrong", to: "passwords")
    refused(url(), "password authentication failed for user \"ada\"")
  }
}
#endif
