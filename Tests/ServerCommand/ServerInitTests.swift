#if PostgreSQL
import Foundation
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

@Suite struct ServerInitTests {
  private let directory: TemporaryDirectory
  private let url: String

  init() throws {
    directory = try TemporaryDirectory()
    url = try TestPlace.newSchema()
  }

  private func initialize(
    _ url: String,
    _ arguments: String...,
    environment: [String: String] = [:]
  ) throws -> BuiltProduct.Outcome {
    try BuiltProduct.nacre.run(
      ["init", url, "--key-file", directory.file("new.key")] + arguments,
      environment: environment
    )
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path)
  }

  private func execute(_ sql: String) throws {
    let connection = try PostgresHome(url: url).connect(.writer)
    defer { try? connection.close() }
    try connection.execute(sql)
  }

  @Test func `a store is made in an empty schema, under a new key file`() throws {
    let outcome = try initialize(url, "--suite", "aes-256-gcm")
    #expect(outcome.status == 0)
    #expect(outcome.complaint == "")
    #expect(outcome.output.contains(/Made postgresql:.*, store [0-9a-f]{32}\.\n/))
    #expect(outcome.output.contains(/Made the key file .*new\.key\./))
    let inspection = try StoreInspection(path: url, unlock: .keyFile(directory.file("new.key")))
    let ring = try #require(try inspection.describe().ring)
    #expect(ring.isVerified)
    #expect(ring.keys.contains { $0.purpose == .field && $0.suite == .aes256GCM })
  }

  @Test func `a store that is there is refused before a secret is asked for`() throws {
    #expect(try initialize(url).status == 0)
    let asked = directory.file("asked")
    let again = try BuiltProduct.nacre.run(["init", url, "--key-command", "touch \(asked)"])
    #expect(again.status == 60)
    #expect(again.complainsInOneLine)
    #expect(again.complaint.contains("name another schema or database"))
    #expect(!FileManager.default.fileExists(atPath: asked))
  }

  @Test func `a schema that holds something else is refused and stays as it is`() throws {
    try execute("CREATE TABLE other (a bigint)")
    let outcome = try initialize(url)
    #expect(outcome.status == 11)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains("search_path"))
    #expect(try files() == [])
    #expect(try PostgresHome(url: url).connect(.inspector).schema.objectNames() == ["other"])
  }

  @Test func `no store on a server has sealed pages`() throws {
    let outcome = try initialize(url, "--seal-file")
    #expect(outcome.status == 86)
    #expect(outcome.complaint.contains("Leave out --seal-file"))
    #expect(try files() == [])
    var options = StoreOptions()
    options.seals = .file
    let error = #expect(throws: NacreError.self) {
      try Store.open(url, unlock: .passphrase("p"), options: options)
    }
    #expect(error?.code == .serverCannot)
    #expect(try PostgresHome(url: url).connect(.inspector).schema.objectNames().isEmpty)
  }

  @Test func `a server that is not there is told by its address`() throws {
    let outcome = try initialize("postgresql://ada@/garage?host=/nowhere")
    #expect(outcome.status == 10)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains("postgresql://ada@/garage?host=/nowhere"))
    #expect(!outcome.complaint.contains("\\n"))
    #expect(try files() == [])
  }

  @Test func `a schema without a store is told`() throws {
    let outcome = try BuiltProduct.nacre.run(["status", url])
    #expect(outcome.status == 11)
    #expect(outcome.complaint.contains("holds no store"))
  }

  @Test func `a service file names the server`() throws {
    let address = try #require(URLComponents(string: url))
    let parameters = (address.queryItems ?? []).map { "\($0.name)=\($0.value ?? "")" }
    let lines = ["[garage]", "user=\(try #require(address.user))", "dbname=postgres"] + parameters
    let file = directory.file("services.conf")
    try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    let service = "postgresql://?service=garage"
    let environment = ["PGSERVICEFILE": file]
    let outcome = try initialize(service, environment: environment)
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(try StoreInspection(path: url).describe().slots.count == 1)
    let shown = try BuiltProduct.nacre.run(["slot", "list", service], environment: environment)
    #expect(shown.output == "1  secret\n")
  }

  @Test func `the environment names the server`() throws {
    let address = try #require(URLComponents(string: url))
    let items = Dictionary(
      uniqueKeysWithValues: (address.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    )
    let environment = [
      "PGHOST": try #require(items["host"]), "PGUSER": try #require(address.user),
      "PGDATABASE": "postgres",
      "PGOPTIONS": try #require(items["options"]),
    ]
    let outcome = try initialize("postgresql://", environment: environment)
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(try StoreInspection(path: url).describe().slots.count == 1)
  }
}
#endif
