import Foundation
import Nacre
import Observation
import Synchronization
import Testing

extension DefaultStoreTests.Tour {
  // tour: records
  struct Service: Record {
    var id: Int64?
    var day = ""
    var cost = 0.0
    static let columns: [RecordColumn<Service>] = [
      .key(\.id), .column(\.day, unique: true), .column(\.cost, default: 50.0),
    ]
  }
  // end

  // tour: versions
  @Entity(version: 3) final class Truck {
    @Column(renamedFrom: "label") var name = ""
    var tons = 0.0

    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      old == 2 ? [SQLStatement("UPDATE Truck SET tons = tons / ?", 1000)] : []
    }
  }
  // end

  enum Earlier {
    @Entity(version: 2) final class Truck {
      var label = ""
      var tons = 0.0
    }
  }

  private func fleet() throws -> Store {
    let store = try Store.open(
      directory + "/queries.db",
      unlock: .keyFile(directory + "/queries.key", createIfMissing: true)
    )
    try store.makeDefault()
    for (name, power, color) in [("A", 100, "red"), ("B", 250, "blue"), ("C", 300, "red")] {
      let car = Car.create()
      (car.name, car.power, car.color) = (name, power, color)
      try car.save()
    }
    return store
  }

  @Test func `a query is a value`() throws {
    let store = try fleet()
    // tour: queries
    let red = Car.where(
      "color IN (:colors) AND power > :min",
      ["colors": ["red", "blue"], "min": 90]
    )
    let page = try red.ordered(by: "power DESC").page(1, size: 2, startingAt: 1)
    // page.items, page.totalItems, page.totalPages: of one state of the store
    let total = try red.sum(\.power)
    let counts = try Car.all.groupCounts(by: \.color)  // [(value: "red", count: 2), …]
    try red.limit(1).updateAll(.set(\.color, to: "green"), .increment(\.power, by: 10))
    // end
    // tour: narrowing
    let strong = Car.where("power > ?", 90).where("color IS NOT NULL")  // each `where` narrows
    let names = Set(try strong.values(\.name))
    let rows = try strong.groups(by: \.color, .count, .sum(\.power))  // [(String?, Int, Int)]
    // end
    #expect(names == ["A", "B", "C"])
    #expect(rows.map(\.1).reduce(0, +) == 3 && rows.map(\.2).reduce(0, +) == 660)
    #expect(page.items.map(\.name) == ["C", "B"] && page.totalItems == 3 && page.totalPages == 2)
    #expect(total == 650)
    #expect(counts.map(\.count) == [2, 1])
    #expect(try Car.count(where: "color = ?", "green") == 1)
    try describe(store)
  }

  private func describe(_ store: Store) throws {
    // tour: rows
    let rows = try store.read { database in
      try database.rows("SELECT color, max(power) AS best FROM Car GROUP BY color")
    }
    let best = try rows[0].value("best", as: Int.self)
    let found = try Car.find(sql: "SELECT c.*, power * 2 AS twice FROM Car c ORDER BY power DESC")
    let twice = found[0]["twice"]  // found[0].name is the car's
    // end
    #expect(best == 250)
    #expect(twice == 600 && found[0].name == "C")
    try store.close()
  }

  @Test func `a query is a predicate`() throws {
    let store = try fleet()
    // tour: predicates
    let strong = try Car.fetchAll(
      #Predicate { $0.power > 200 && $0.engine == nil && !["blue"].contains($0.color) },
      orderBy: [SortDescriptor(\.power, order: .reverse)]
    )
    let small = try Car.where(#Predicate { $0.wheels.contains { $0.inches < 15 } }).count()
    // end
    #expect(strong.map(\.name) == ["C"])
    #expect(small == 0)
    try store.close()
  }

  @Test func `predicates over two links are two steps`() throws {
    let (store, car, _) = try garage()
    // tour: steps
    let hers = Car.where(#Predicate { $0.owner?.loaded?.handle == "ada" })
      .where(#Predicate { $0.engine?.cylinders == 4 })
    // end
    #expect(try hers.fetchAll().map(\.objectID) == [car.objectID])
    #expect(try hers.where(#Predicate { $0.engine?.cylinders == 6 }).count() == 0)
    try store.close()
  }

  @Test func `records are structs in tables of their own`() throws {
    let store = try fleet()
    // tour: table
    let services = Table<Service>()
    var service = Service(day: "2026-03-01", cost: 120)
    try services.insert(&service)  // service.id is 1
    try services.upsert(&service, by: \.day)
    let costly = try services.where("cost > ?", 100).ordered(by: "day").fetchAll()
    let dearest = services.all.ordered(by: "cost DESC").limit(3)  // a query, as for objects
    let cost = try dearest.sum(\.cost)
    // end
    #expect(service.id == 1)
    #expect(cost == 120)
    #expect(costly.map(\.day) == ["2026-03-01"])
    try store.close()
  }

  @Test func `a property is known by its name`() throws {
    let car = Car.create()
    // tour: names
    try car.populate(with: ["name": "Zoe", "power": 109, "engine": ["cylinders": 0]])
    try car.setValue("grey", forKey: "color")
    let json = try car.toJSON(includesObjectID: true)  // json["engine"]?["cylinders"] is 0
    let data = try JSONEncoder().encode(Coded(car))  // and Decodable, the whole graph
    // end
    #expect(car.name == "Zoe" && car.power == 109 && car.color == "grey")
    #expect(json["engine"]?["cylinders"] == 0)
    #expect(try JSONDecoder().decode(Coded<Car>.self, from: data).object.objectID == car.objectID)
  }

  @Test func `versions lead from class to class`() throws {
    let before = try Store.open(directory + "/trucks.db")
    try before.write { _ in
      let truck = Earlier.Truck.create()
      (truck.label, truck.tons) = ("L", 7500)
      try truck.save()
    }
    try before.close()
    // tour: migrating
    var options = StoreOptions()
    options.entities = [Truck.self]
    options.migrator = Migrator(
      .init("2025"),
      .init("2026") { try $0.createIndex(on: "Truck", columns: ["tons"]) }
    )
    options.backupBeforeMigrating = { plan in directory + "/before.db" }  // print(plan)
    let store = try Store.open(directory + "/trucks.db", options: options)
    // end
    #expect(try store.read { _ in try Truck.fetchOne()?.tons } == 7.5)
    #expect(try store.read { _ in try Truck.fetchOne()?.name } == "L")
    #expect(Store.exists(at: directory + "/before.db"))
    try store.close()
  }

  @Test func `changes are observed`() async throws {
    let store = try fleet()
    // tour: observing
    let changes = try await store.changes(of: Car.self)  // for await change in changes { … }
    let live = store.live { _ in try Car.count(where: "power > ?", 200) }
    // end
    var counts = live.makeAsyncIterator()
    #expect(try await counts.next() == 2)
    let car = Car.create()
    car.power = 500
    try await car.save()
    #expect(try await counts.next() == 3)
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next()?.inserted == [car.objectID])
    let seen = Mutex(false)
    withObservationTracking {
      _ = car.power
    } onChange: {
      seen.withLock { $0 = true }
    }
    car.power = 600
    #expect(seen.withLock { $0 })
    try await store.close()
  }
}
