#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A store whose role owns its schema and has no other right.
@Suite struct RoleTests {
  private let server: Cluster
  private let directory: TemporaryDirectory
  private let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    server = try Cluster()
    try server.execute("CREATE ROLE ada LOGIN", "CREATE SCHEMA ada AUTHORIZATION ada")
    store = try Store.open(
      server.url(of: "ada"),
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true)
    )
    try store.save((0..<20).map { Car.graph("\($0)") })
  }

  @Test func `the readers of other roles keep the old keys`() throws {
    let reader = try TestServer.connect(to: server.url)
    try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    #expect(try reader.values("SELECT count(*) FROM ada.\"Car\"") == [.integer(20)])
    var options = RotationOptions()
    options.readerTimeout = 0.2
    let kept = try store.rotate(options)
    #expect(kept.outcome == .incomplete)
    #expect(kept.disabled.isEmpty)
    try reader.execute("COMMIT")
    let report = try store.rotate(options)
    #expect(report.outcome == .finished)
    #expect(!report.disabled.isEmpty)
  }

  @Test func `an owner of a schema changes keys, converts, vacuums and verifies`() throws {
    var options = RotationOptions()
    options.vacuum = .always
    let report = try store.rotate(options)
    #expect(report.outcome == .finished && report.wasVacuumed)
    for sealing in [SealedOptions(isSearchable: true), nil] {
      #expect(try store.convert("name", of: "Car", to: sealing).count == 1)
      #expect(try store.verify().badCells.isEmpty)
    }
    #expect(try store.read { _ in try Car.count() } == 20)
  }

  @Test func `a role that may only look reads and verifies, and its saves are refused`() throws {
    try server.execute(
      "CREATE ROLE eve LOGIN",
      "ALTER ROLE eve SET search_path = ada",
      "GRANT USAGE ON SCHEMA ada TO eve",
      "GRANT SELECT ON ALL TABLES IN SCHEMA ada TO eve"
    )
    let reader = try Store.open(
      server.url(of: "eve"),
      unlock: .keyFile(directory.file("store.key"), createIfMissing: false)
    )
    defer { try? reader.close() }
    let cars = try reader.read { _ in try Car.where("name = ?", "7").fetchAll() }
    #expect(cars.map(\.vin) == ["VIN 7"])
    #expect(try reader.verify().badCells.isEmpty)
    cars[0].name = "changed"
    let error = #expect(throws: NacreError.self) { try reader.save(cars) }
    #expect(error?.code == .notPermitted, "\(String(describing: error))")
    #expect(try store.read { _ in try Car.where("name = ?", "7").count() } == 1)
  }
}
#endif
