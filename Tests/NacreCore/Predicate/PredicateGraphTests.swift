import Foundation
import NacreCore
import TestSupport
import Testing

/// Predicates about children and links, compared with memory.
@Suite struct PredicateGraphTests {
  @Test func `a child is there or not, and its properties are asked for`() throws {
    let fleet = try VehicleFleet()
    let motor = try #require(fleet.vehicles.lazy.compactMap(\.motor).first?.objectID)
    try fleet.check([
      #Predicate { $0.motor == nil },
      #Predicate { $0.motor != nil },
      #Predicate { $0.motor?.cylinders == 4 },
      #Predicate { $0.motor?.cylinders != 4 },
      #Predicate { !($0.motor?.cylinders == 4) },
      #Predicate { ($0.motor?.cylinders ?? 0) > 4 },
      #Predicate { $0.motor?.note == nil },
      #Predicate { $0.motor?.note == "Audi" },
      #Predicate { $0.motor?.note?.contains("u") ?? false },
      #Predicate { $0.motor?.spare == nil },
      #Predicate { $0.motor?.spare != nil && $0.isNew },
      #Predicate { ($0.motor?.spare?.inches ?? 0) > 16 },
      #Predicate { $0.motor?.spare?.brand == "Pirelli" },
      #Predicate { $0.motor?.spare?.brand != "Pirelli" },
      #Predicate { $0.motor?.objectID == motor },
      #Predicate { $0.motor?.objectID != motor },
      #Predicate { $0.motor != nil && $0.motor!.cylinders > 5 },
      #Predicate { vehicle in
        if let motor = vehicle.motor { motor.cylinders > vehicle.power } else { vehicle.isNew }
      },
      #Predicate { $0.motor.flatMap { $0.cylinders > 3 } == true },
      #Predicate { $0.motor.flatMap { [4, 6].contains($0.cylinders) } == true },
      #Predicate { ($0.motor?.cylinders ?? 0) == $0.power },
    ])
  }

  @Test func `to-many children are counted and looked through`() throws {
    try VehicleFleet().check([
      #Predicate { $0.tyres.count > 2 },
      #Predicate { $0.tyres.isEmpty },
      #Predicate { !$0.tyres.isEmpty },
      #Predicate { $0.tyres.contains { $0.inches > 17 } },
      #Predicate { !$0.tyres.contains { $0.inches > 17 } },
      #Predicate { $0.tyres.contains { $0.brand == nil } },
      #Predicate { $0.tyres.contains { $0.brand != "Pirelli" } },
      #Predicate { $0.tyres.allSatisfy { $0.inches > 14 } },
      #Predicate { $0.tyres.allSatisfy { $0.brand != "Pirelli" } },
      #Predicate { !$0.tyres.allSatisfy { ($0.brand ?? "").contains("l") } },
      #Predicate { $0.tyres.filter { $0.wear > 2 }.count >= 2 },
      #Predicate { $0.tyres.filter { $0.wear > 2 }.filter { $0.inches < 17 }.isEmpty },
      #Predicate { $0.tyres.filter { $0.wear > 2 }.contains { $0.brand == nil } },
      #Predicate { $0.tyres.first?.inches == 15 },
      #Predicate { ($0.tyres.last?.inches ?? 0) > 17 },
      #Predicate { $0.tyres.filter { $0.wear > 2 }.first?.brand == "é" },
      #Predicate { vehicle in vehicle.tyres.contains { $0.wear == vehicle.power } },
      #Predicate { vehicle in
        vehicle.tyres.contains { tyre in vehicle.tyres.filter { $0.wear == tyre.wear }.count > 1 }
      },
      #Predicate { $0.trips.count == 2 },
      #Predicate { $0.trips.contains { $0.length > 5 } },
      #Predicate { $0.trips.allSatisfy { $0.length > 2 } },
    ])
  }

  @Test func `a link is compared, and what it refers to is asked for`() throws {
    let fleet = try VehicleFleet()
    let keeper = try #require(fleet.vehicles.lazy.compactMap(\.keeper).first?.objectID)
    let keepers = fleet.vehicles.compactMap(\.keeper?.objectID).prefix(4)
    let some = Array(keepers)
    try fleet.check([
      #Predicate { $0.keeper == nil },
      #Predicate { $0.keeper != nil },
      #Predicate { $0.keeper?.objectID == keeper },
      #Predicate { $0.keeper?.objectID != keeper },
      #Predicate { $0.keeper.flatMap { some.contains($0.objectID) } ?? true },
      #Predicate { $0.keeper?.loaded?.handle == "keeper 3" },
      #Predicate { ($0.keeper?.loaded?.age ?? 0) > 40 },
      #Predicate { $0.keeper?.loaded?.age == nil },
      #Predicate { $0.keeper?.loaded?.boss == nil },
    ])
  }

  @Test func `a predicate follows links that are not loaded`() throws {
    let fleet = try VehicleFleet()
    let all = fleet.vehicles.compactMap(\.keeper?.loaded).filter { $0.boss != nil }
    #expect(!all.isEmpty)
    try fleet.test.store.read { (_) throws in
      let found = try Vehicle.fetchAll(VehicleFleet.bossIsFirst)
      #expect(found.allSatisfy { $0.keeper?.loaded == nil })
      #expect(try found.allSatisfy { try $0.keeper?.get().handle == "keeper 1" })
      let wanted = fleet.vehicles.filter { $0.keeper?.loaded?.handle == "keeper 1" }
      #expect(found.count == wanted.count && !found.isEmpty)
    }
  }
}
