import Foundation
import Nacre
import TestSupport
import Testing

extension DefaultStoreTests.Tour {
  @Entity final class Vehicle {
    @Encrypted var name = ""
    var built: Date?
  }

  @Test func `a foreign file is adopted by a mapping, which the page also shows as JSON`() throws {
    let foreign = try ForeignDatabase(
      """
      CREATE TABLE car (id INTEGER PRIMARY KEY, title TEXT, built_at INTEGER);
      INSERT INTO car VALUES (1, 'Zoe', 1700000000), (2, 'Ami', NULL);
      """
    )
    let old = foreign.path
    // tour: adoption
    var options = StoreOptions()
    options.entities = [Vehicle.self]  // the store must know the class
    let store = try Store.open(
      directory + "/fleet.db",
      unlock: .keyFile(directory + "/fleet.key", createIfMissing: true),
      options: options
    )
    let mapping = AdoptionMapping(tables: [
      AdoptedTable(
        "car",
        entity: "Vehicle",
        key: .derived("id"),
        properties: ["name": "title", "built": .column("built_at", as: .secondsSince1970)]
      )
    ])
    let plan = try store.adopt(old, by: mapping, misfits: .list)  // a dry run: changes nothing
    print(plan.misfits)  // table, column, reason, count and rows, but never a value
    let report = try store.adopt(old, by: mapping)  // one transaction
    // end
    #expect(mapping == (try AdoptPage.mapping(under: "")))
    #expect(plan.isDryRun && plan.misfits == [] && plan.objects == ["Vehicle": 2])
    #expect(!report.isDryRun && report.objects == ["Vehicle": 2])
    let vehicles = try store.read { _ in
      try Vehicle.fetchAll(orderBy: "objectID").map { ($0.name, $0.built) }
    }
    #expect(vehicles.map(\.0) == ["Zoe", "Ami"])
    #expect(vehicles.map(\.1) == [Date(timeIntervalSince1970: 1_700_000_000), nil])
    try store.close()
  }
}
