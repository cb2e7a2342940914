import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// The URL of a server where the path of a file belongs.
///
/// `script/without-server` gives it to a build without the trait PostgreSQL.
@Suite(.serialized) struct ServerPathTests {
  private static let urls = [
    "postgresql://ada:Marker-7@db.example/garage", "postgres://db.example", "PostgreSQL://x",
  ]

  /// Runs the body in an empty directory, where a file of a URL's name would come to be.
  private func refused(_ url: String, _ body: (_ url: String) throws -> Void) throws {
    let error = #expect(throws: NacreError.self) { try body(url) }
    #expect(error?.code == .serverCannot || error?.code == .onServer)
    #expect(!"\(String(describing: error))".contains("Marker-7"))
    #expect(!FileManager.default.fileExists(atPath: url))
    #expect(!FileManager.default.fileExists(atPath: "postgresql:"))
  }

  @Test(arguments: urls)
  func `no call that needs a file takes the URL of a server for its path`(url: String) throws {
    try refused(url) { try Store.delete(at: $0) }
    try refused(url) { try Store.convertFile(at: $0, to: .file, unlock: .passphrase("p")) }
    try refused(url) { _ = try Store.exportHeader(of: $0, to: "header") }
    try refused(url) { _ = try Store.importHeader(from: $0, into: "header") }
    let store = try Store.inMemory()
    try refused(url) { try store.backup(to: $0) }
    try refused(url) { _ = try store.adopt($0, by: AdoptionMapping(tables: [])) }
  }

  @Test func `a file whose name only resembles a URL is opened`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("postgresql:")
    try Store.open(path).close()
    #expect(Store.exists(at: path))
  }
}
