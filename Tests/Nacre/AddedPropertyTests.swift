import Foundation
import Nacre
import Testing
@testable import TestSupport

/// Properties that are added to a class whose rows are stored already.
@Suite struct AddedPropertyTests {
  private let directory: TemporaryDirectory
  private let oldID: UUID

  /// Five trucks of the first version.
  init() throws {
    directory = try TemporaryDirectory()
    let test = try TestStore(in: directory)
    oldID = try test.store.write { _ in
      let trucks = (0..<5).map { index in
        let truck = V1.Truck.create()
        truck.name = "truck \(index)"
        return truck
      }
      for truck in trucks { try truck.save() }
      return trucks[0].objectID
    }
    try test.store.close()
  }

  private func reopened(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> TestStore {
    try TestStore(in: directory, change)
  }

  /// The columns of the trucks' table.
  private func columns(_ database: Database) throws -> [[Value]] {
    try database.query(
      TestPlace.sql(
        "SELECT name FROM pragma_table_info('Truck')",
        onServer: """
          SELECT column_name::text FROM information_schema.columns WHERE table_name = 'Truck' \
          AND table_schema = current_schema() ORDER BY ordinal_position
          """
      )
    )
  }

  @Test func `old rows hold in each new property what a new object holds`() throws {
    let test = try reopened()
    try test.store.read { (database) throws in
      let trucks = try V2.Truck.fetchAll(orderBy: "name")
      #expect(trucks.map(\.name) == (0..<5).map { "truck \($0)" })
      let new = V2.Truck()
      for truck in trucks {
        #expect(!truck.hasChanges)
        #expect(truck.isLarge == new.isLarge && truck.load == new.load)
        #expect(truck.plate == nil && truck.note == new.note && truck.lowest == new.lowest)
        #expect(truck.tag == new.tag && truck.photo == new.photo && truck.empty == new.empty)
        #expect(truck.fuel == .diesel && truck.year == 1999)
        #expect(truck.secret == "nobody knows" && truck.code == nil)
        #expect(truck.cabin == nil && truck.crates.isEmpty && truck.driver == nil)
        #expect(truck.trips.isEmpty)
        #expect(try truck.loaders.count() == 0)
      }
      // `@Column(default:)` says what old rows get, and nothing of new objects.
      #expect(Set(trucks.map(\.state)) == ["stored"])
      #expect(try database.query("SELECT count(DISTINCT secret) FROM \"Truck\"") == [[5]])
    }
  }

  @Test(.sqliteOnly("it asks for SQLite's storage classes"))
  func `old rows hold a sealed default as bytes, and nil as NULL`() throws {
    let test = try reopened()
    try test.store.read { (database) throws in
      #expect(try V2.Truck.count() == 5)
      let storedAs = try database.query(
        "SELECT DISTINCT typeof(secret), length(secret), typeof(code), typeof(empty) FROM Truck"
      )
      #expect(storedAs == [["blob", .integer(45 + 1 + 12), "null", "blob"]])
    }
  }

  @Test func `new relationships of old rows are set, stored and fetched`() throws {
    let test = try reopened()
    let found = try test.store.read { _ in try V2.Truck.fetch(id: oldID) }
    let truck = try #require(found)
    truck.cabin = V2.Cabin.create()
    truck.crates = [V2.Crate.create(), V2.Crate.create()]
    truck.driver = Link(V2.Driver.create())
    truck.loaders.add(V2.Driver.create())
    truck.trips = [V2.Trip.create()]
    truck.secret = "changed"
    try truck.save()
    try test.store.close()
    let again = try reopened()
    try again.store.read { (_) throws in
      let fetched = try #require(try V2.Truck.fetch(id: oldID))
      #expect(fetched.cabin?.objectID == truck.cabin?.objectID)
      #expect(fetched.crates.map(\.objectID) == truck.crates.map(\.objectID))
      #expect(fetched.driver?.objectID == truck.driver?.objectID)
      #expect(try fetched.loaders.count() == 1)
      #expect(fetched.trips.map(\.objectID) == truck.trips.map(\.objectID))
      #expect(fetched.secret == "changed")
      let others = try V2.Truck.fetchAll(where: "objectID <> ?", oldID)
      #expect(Set(others.map(\.secret)) == ["nobody knows"])
    }
  }

  @Test(.sqliteOnly("it compares what SQLite's pragmas say"))
  func `the added columns are those of a table made today`() throws {
    let test = try reopened()
    let fresh = try TestStore()
    let tables = try [test, fresh].map { test in
      try test.store.write { database in
        _ = try V2.Truck.count()
        let columns = try database.query(
          "SELECT name, type, \"notnull\" FROM pragma_table_info('Truck') ORDER BY name"
        )
        let keys = try database.query(
          "SELECT \"from\", \"table\", on_delete FROM pragma_foreign_key_list('Truck') ORDER BY 1"
        )
        let indexes = try database.query(
          "SELECT type, name, tbl_name FROM sqlite_schema WHERE tbl_name LIKE 'Truck%' ORDER BY name"
        )
        return columns + keys + indexes
      }
    }
    #expect(tables[0] == tables[1])
    #expect(tables[0].count > 20)
  }

  @Test func `a store that adds no columns names what is missing and stays as it is`() throws {
    let test = try reopened { $0.addsMissingColumns = false }
    func expectRefused<E: Entity>(_ type: E.Type, _ property: String) throws {
      for _ in 0..<2 {
        let error = #expect(throws: NacreError.self, "\(type)") {
          try test.store.read { _ in _ = try E.fetchAll() }
        }
        #expect(error?.code == .schemaMismatch && error?.entity == "Truck", "\(type)")
        #expect(error?.property == property, "\(type)")
      }
      #expect(throws: NacreError.self, "\(type)") {
        try test.store.write { _ in try E.create().save() }
      }
    }
    try expectRefused(OneMore.Value.Truck.self, "wheels")
    try expectRefused(OneMore.Child.Truck.self, "crate")
    try expectRefused(OneMore.Children.Truck.self, "crates")
    try expectRefused(OneMore.Reference.Truck.self, "crate")
    try expectRefused(OneMore.References.Truck.self, "crates")
    try expectRefused(OneMore.Sealed.Truck.self, "secret")
    try test.store.read { (database) throws in
      #expect(try V1.Truck.fetchAll().count == 5)
      #expect(try columns(database) == [["objectID"], ["name"]])
      let properties = try database.query("SELECT name FROM nacre_property WHERE entity = 'Truck'")
      #expect(properties == [["name"]])
    }
  }

  @Test func `a unique property can't be added to several rows and changes nothing`() throws {
    let test = try reopened()
    let error = #expect(throws: NacreError.self) {
      try test.store.read { _ in _ = try OneMore.Unique.Truck.fetchAll() }
    }
    #expect(error?.code == .constraint)
    try test.store.read { (database) throws in
      #expect(try V1.Truck.fetchAll().count == 5)
      #expect(try columns(database).count == 2)
    }
  }

  @Test func `a default that has no stored form names its property and changes nothing`() throws {
    let test = try reopened()
    let error = #expect(throws: NacreError.self) {
      try test.store.read { _ in _ = try OneMore.Unstorable.Truck.fetchAll() }
    }
    #expect(error?.code == .valueMismatch)
    #expect(error?.entity == "Truck" && error?.property == "weight")
    try test.store.read { (database) throws in
      #expect(try columns(database).count == 2)
    }
  }

  @Test func `a property that was taken out of the class stays in the file`() throws {
    let first = try reopened()
    let named = V2.Truck.create()
    named.plate = "kept"
    try first.store.write { _ in try named.save() }
    try first.store.close()
    let older = try reopened()
    let new = OneMore.Sealed.Truck.create()
    new.secret = "short"
    try older.store.write { (_) throws in
      let found = try #require(try OneMore.Sealed.Truck.fetch(id: named.objectID))
      #expect(found.secret == "nobody knows")
      found.name = "renamed"
      try found.save()
      try new.save()
    }
    try older.store.close()
    let again = try reopened()
    try again.store.read { (_) throws in
      #expect(try V2.Truck.fetch(id: named.objectID)?.plate == "kept")
      let added = try #require(try V2.Truck.fetch(id: new.objectID))
      #expect(added.year == 1999 && added.secret == "short" && added.note == V2.Truck().note)
    }
  }

  @Test func `a sealed property behind the 64th is added without touching its neighbours`() throws {
    let first = try reopened()
    let ledger = V1.Ledger.create()
    (ledger.p62, ledger.p63, ledger.p64, ledger.p65) = (62, 63, nil, 65)
    try first.store.write { _ in try ledger.save() }
    try first.store.close()
    let second = try reopened()
    try second.store.read { (_) throws in
      let found = try #require(try V2.Ledger.fetch(id: ledger.objectID))
      #expect(found.p62 == 62 && found.p63 == 63 && found.p64 == nil && found.p65 == 65)
      #expect(found.auditor == "nobody")
    }
  }
}
