#if PostgreSQL
import Foundation
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Servers that can't hold stores, by what they say of themselves when a client comes.
@Suite struct VersionTests {
  private func open(version: String, encoding: String) throws -> String {
    let server = try FakeServer([
      "server_version": version, "server_encoding": encoding, "client_encoding": "UTF8",
    ])
    defer { server.close() }
    let error = #expect(throws: NacreError.self) { try Store.open(server.url, options: .patient) }
    #expect(error?.code == .cannotOpen)
    return String(describing: error)
  }

  @Test func `a server that is too old is refused by its version`() throws {
    let words = try open(version: "13.9", encoding: "UTF8")
    #expect(words.contains("PostgreSQL 13") && words.contains("14"), "\(words)")
  }

  @Test func `a database of another encoding is refused by its name`() throws {
    let words = try open(version: "16.4", encoding: "LATIN1")
    #expect(words.contains("LATIN1") && words.contains("UTF8"), "\(words)")
  }

  @Test func `a server that can hold stores is asked further`() throws {
    let words = try open(version: "14.0", encoding: "UTF8")
    // It hangs up at the first statement.
    #expect(!words.contains("PostgreSQL 14") && !words.contains("and a store needs"), "\(words)")
  }
}
#endif
