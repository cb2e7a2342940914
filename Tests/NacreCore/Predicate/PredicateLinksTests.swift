import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Predicates about to-many links, and to any depth through links and children.
@Suite struct PredicateLinksTests {
  @Test func `links are looked through by closures`() throws {
    let fleet = try VehicleFleet(count: 60)
    let driver = try #require(try fleet.vehicles.first?.drivers.fetchAll().first?.objectID)
    let (two, three) = ("code 2", "code 3")
    let codes: [String?] = [nil, "code 1"]
    let boss = #Predicate<Vehicle> {
      $0.drivers.allSatisfy { $0.boss == nil || $0.age != nil }
    }
    try fleet.check([
      #Predicate { $0.drivers.contains { $0.handle == "keeper 3" } },
      #Predicate { !$0.drivers.contains { $0.handle == "keeper 3" } },
      #Predicate { $0.drivers.contains { $0.objectID == driver } },
      #Predicate { $0.drivers.contains { ($0.age ?? 0) > 60 } },
      #Predicate { $0.drivers.contains { $0.boss != nil && $0.age == nil } },
      #Predicate { $0.drivers.contains { $0.code == two } && $0.isNew },
      #Predicate { $0.drivers.filter { $0.code != two }.count > 4 },
      #Predicate { $0.drivers.filter { codes.contains($0.code) }.count == 2 },
      #Predicate { $0.drivers.allSatisfy { $0.code != three } },
      #Predicate { !$0.drivers.allSatisfy { $0.handle != "keeper 5" } },
      #Predicate { $0.drivers.filter { _ in true }.count > 6 },
      #Predicate { $0.drivers.filter { $0.age == nil }.filter { $0.boss != nil }.isEmpty },
      #Predicate { $0.drivers.filter { $0.boss != nil }.contains { $0.handle == "keeper 4" } },
      #Predicate { car in car.drivers.contains { ($0.age ?? 0) == car.power + 30 } },
      boss,
    ])
  }

  @Test func `nil links are compared in closures as in memory`() throws {
    let fleet = try VehicleFleet(count: 60)
    let some = try #require(
      try fleet.vehicles.lazy.compactMap { try $0.drivers.filter { $0.boss != nil }.first }
        .first?.boss?.objectID
    )
    let missing: UUID? = nil
    try fleet.check([
      #Predicate { $0.drivers.allSatisfy { $0.boss?.objectID != some } },
      #Predicate { $0.drivers.contains { $0.boss?.objectID == some } },
      #Predicate { !$0.drivers.contains { $0.boss?.objectID == some } },
      #Predicate { $0.drivers.filter { $0.boss?.objectID == missing }.count > 4 },
      #Predicate { $0.drivers.filter { $0.boss?.objectID != missing }.count > 2 },
      #Predicate { $0.drivers.filter { !($0.boss?.objectID == some) }.count > 4 },
    ])
  }

  @Test func `links of links, by a table of their own and by the other end's link`() throws {
    let fleet = try VehicleFleet(count: 40)
    try fleet.check([
      #Predicate { $0.keeper?.loaded?.kept.contains { $0.isNew } == true },
      #Predicate { $0.keeper?.loaded?.kept.filter { $0.power > 5 }.count == 1 },
      #Predicate { $0.keeper?.loaded?.team.contains { $0.age == nil } != true },
      #Predicate { $0.drivers.filter { $0.team.contains { $0.age == nil } }.count > 1 },
      #Predicate { $0.drivers.contains { $0.kept.contains { $0.motor?.cylinders == 4 } } },
      #Predicate { car in car.drivers.contains { $0.kept.contains { $0.power == car.power } } },
      #Predicate { $0.drivers.contains { $0.kept.contains { $0.tyres.isEmpty && $0.isNew } } },
    ])
  }

  @Test func `a sealed property of what is linked to is found by its index`() throws {
    let codes: [String?] = ["code 1", nil]
    try VehicleFleet(count: 80).check([
      #Predicate { $0.keeper?.loaded?.code == "code 2" },
      #Predicate { $0.keeper?.loaded?.code != "code 2" },
      #Predicate { $0.keeper?.loaded?.code == nil },
      #Predicate { $0.keeper.flatMap { $0.loaded?.code } == "code 2" },
      #Predicate { $0.keeper.flatMap { $0.loaded?.code } == nil },
      #Predicate { $0.keeper?.loaded.flatMap { codes.contains($0.code) } == true },
    ])
  }

  @Test func `chains of links end in nil where one of them does`() throws {
    let fleet = try VehicleFleet(count: 80)
    let store = fleet.test.store
    try store.read { (_) throws in
      let keepers = try Keeper.fetchAll()
      let byID = Dictionary(uniqueKeysWithValues: keepers.map { ($0.objectID, $0) })
      func boss(_ link: Link<Keeper>?) -> Keeper? {
        link.flatMap { byID[$0.objectID] }?.boss.flatMap { byID[$0.objectID] }
      }
      func check(_ predicate: Predicate<Vehicle>, _ isWanted: (Vehicle) throws -> Bool) throws {
        let wanted = try fleet.vehicles.filter(isWanted).map(\.objectID)
        let found = try Vehicle.fetchAll(predicate).map(\.objectID)
        #expect(Set(found) == Set(wanted), "\(predicate)")
        #expect(!wanted.isEmpty && wanted.count < fleet.vehicles.count, "\(predicate)")
      }
      try check(VehicleFleet.bossIsFirst) {
        boss($0.keeper)?.handle == "keeper 0"
      }
      try check(ChainedPredicates.bossIsNot(named: "keeper 0")) {
        boss($0.keeper)?.handle != "keeper 0"
      }
      try check(ChainedPredicates.bossHasNot(code: "code 3")) {
        boss($0.keeper)?.code != "code 3"
      }
      try check(ChainedPredicates.bossIsTheLast) {
        boss($0.keeper)?.boss == nil && $0.keeper != nil
      }
      try check(#Predicate { $0.drivers.allSatisfy { $0.boss?.loaded?.handle != "keeper 3" } }) {
        try $0.drivers.allSatisfy { boss(Link($0))?.handle != "keeper 3" }
      }
      try check(#Predicate { $0.drivers.contains { $0.boss?.loaded?.code == "code 2" } }) {
        try $0.drivers.contains { boss(Link($0))?.code == "code 2" }
      }
    }
  }

  @Test func `an object named in a closure over a nil value is not there`() throws {
    let fleet = try VehicleFleet(count: 80)
    try fleet.check([
      #Predicate { car in car.seats.flatMap { _ in car.motor } == nil },
      #Predicate { car in car.seats.flatMap { _ in car.keeper } == nil },
      #Predicate { car in car.keeper.flatMap { _ in car.motor }?.cylinders == 4 },
      #Predicate { car in car.keeper.flatMap { _ in car.motor?.code } == nil },
      #Predicate { car in car.seats.flatMap { _ in car.motor?.code } != "code 2" },
    ])
  }

  @Test func `filter, contains and allSatisfy read the elements of links`() throws {
    let fleet = try VehicleFleet(count: 4)
    let drivers = try #require(fleet.vehicles.first?.drivers)
    let all = try drivers.fetchAll()
    #expect(try drivers.filter { $0.boss == nil }.count == all.filter { $0.boss == nil }.count)
    let last = try #require(all.last?.handle)
    #expect(try drivers.contains { $0.handle == last })
    #expect(try !drivers.contains { $0.handle == "nobody" })
    #expect(try !drivers.allSatisfy { $0.handle != last })
    #expect(try drivers.allSatisfy { $0.handle != "nobody" })
    // Nobody's list is looked up in the store at hand.
    let isEmpty = try fleet.test.store.read { _ in try Links<Keeper>().allSatisfy { _ in false } }
    #expect(isEmpty)
  }

  @Test func `evaluating a predicate about links with unsaved changes is an error`() throws {
    let fleet = try VehicleFleet(count: 2)
    let some = #Predicate<Vehicle> { $0.drivers.contains { _ in true } }
    let vehicle = try #require(fleet.vehicles.first)
    #expect(try some.evaluate(vehicle))
    vehicle.drivers.removeAll()
    #expect(throws: (any Error).self) { try some.evaluate(vehicle) }
    let new = Vehicle.create()
    #expect(try !some.evaluate(new))
  }

  @Test func `links are read where a predicate is evaluated in memory`() throws {
    let fleet = try VehicleFleet(count: 30)
    let predicate = #Predicate<Vehicle> {
      $0.tags.contains("x") && $0.drivers.contains { $0.handle == "keeper 3" }
    }
    let wanted = try fleet.vehicles.filter { try predicate.evaluate($0) }
    #expect(!wanted.isEmpty && wanted.count < fleet.vehicles.count)
    let query = Vehicle.where(predicate, filteringInMemory: true).in(fleet.test.store)
    #expect(Set(try query.fetchAll().map(\.objectID)) == Set(wanted.map(\.objectID)))
  }

  @Test func `an expression without SQL is named in a closure over links, too`() throws {
    let fleet = try VehicleFleet(count: 3)
    let cases: [(Predicate<Vehicle>, String)] = [
      (#Predicate { $0.drivers.contains { $0.hasChanges } }, "not a stored property"),
      (#Predicate { $0.drivers.filter { _ in true }.first?.age == 3 }, "order is not stored"),
      (#Predicate { $0.drivers.filter { _ in true }[0].age == 3 }, "subscript"),
    ]
    for (predicate, words) in cases {
      let error = fleet.refusal(predicate)
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
    let sealed = #Predicate<Vehicle> { $0.drivers.contains { ($0.code ?? "") > "c" } }
    #expect(fleet.refusal(sealed, .sealedCondition)?.property == "code")
  }

  @Test(.sqliteOnly("it reads SQLite's query plan")) func `an index finds the rows of links`()
    throws
  {
    let test = try TestStore()
    let predicates: [Predicate<Vehicle>] = [
      #Predicate { $0.drivers.contains { $0.handle == "x" } },
      #Predicate { $0.drivers.allSatisfy { $0.handle == "x" } },
      #Predicate { $0.drivers.filter { $0.handle == "x" }.isEmpty },
      #Predicate { $0.drivers.contains { $0.kept.contains { $0.name == "x" } } },
      #Predicate { $0.keeper?.loaded?.handle == "x" },
    ]
    try test.store.write { (database) throws in
      try Vehicle.create().save()
      for predicate in predicates {
        let statements = try test.statements { _ = try Vehicle.fetchAll(predicate) }
        let statement = try #require(statements.first)
        let plan = try database.query("EXPLAIN QUERY PLAN " + statement, "x")
        let text = "\(plan)"
        #expect(text.contains("SEARCH nacre_"), "\(text)")
        #expect(!text.contains("SCAN nacre_"), "\(text)")
        let asksTable = statement.contains("Vehicle_drivers")
        #expect(text.contains("PRIMARY KEY (owner=?") == asksTable, "\(text)")
      }
      let statements = try test.statements {
        let id = UUID()
        _ = try Vehicle.fetchAll(#Predicate { $0.keeper?.objectID == id })
      }
      let plan = try database.query("EXPLAIN QUERY PLAN " + (statements.first ?? ""), "x")
      #expect("\(plan)".contains("SEARCH Vehicle USING INDEX"), "\(plan)")
    }
  }
}
