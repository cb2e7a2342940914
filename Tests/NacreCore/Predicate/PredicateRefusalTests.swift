import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// A predicate without SQL is refused by name, and evaluated in memory only on request.
@Suite struct PredicateRefusalTests {
  @Test func `the error names the expression that has no SQL`() throws {
    let fleet = try VehicleFleet(count: 5)
    let tags = ["x"]
    let price = Decimal(1)
    let cases: [(Predicate<Vehicle>, String)] = [
      (#Predicate { $0.name.contains(#/A.*i/#) }, "regular expression"),
      (#Predicate { $0.tags == tags }, "JSON"),
      (#Predicate { $0.tags.contains("x") }, "list stored as JSON"),
      (#Predicate { $0.tags.contains { $0 == "x" } }, "a closure over a list or text"),
      (#Predicate { !$0.tags.allSatisfy { $0 == "x" } }, "a closure over a list or text"),
      (#Predicate { $0.tags.filter { $0 == "x" }.contains("x") }, "a closure over a list or text"),
      (#Predicate { $0.tags.count > 1 }, "a property of Array<String>"),
      (#Predicate { $0.price * 2 > price }, "arithmetic of Decimal"),
      (#Predicate { $0.name.utf8.count > 2 }, "a property of String"),
      (#Predicate { $0.tyres[0].inches > 3 }, "subscript"),
      (#Predicate { $0.kind.rawValue == "car" }, "a property of Kind"),
      (#Predicate { $0.hasChanges }, "not a stored property"),
      (#Predicate { $0.trips.first?.length == 3 }, "order is not stored"),
    ]
    for (predicate, words) in cases {
      let error = fleet.refusal(predicate)
      #expect(error?.entity == "Vehicle")
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
      #expect(error?.description.contains("filteringInMemory") == true)
    }
  }

  @Test func `a predicate without SQL is evaluated in memory on request`() throws {
    let fleet = try VehicleFleet(count: 600)
    let wanted = fleet.vehicles.filter { $0.tags.contains("x") && $0.power > 3 }
    try fleet.test.store.read { (_) throws in
      let predicate = #Predicate<Vehicle> { $0.tags.contains("x") && $0.power > 3 }
      let found = try Vehicle.fetchAll(predicate, filteringInMemory: true)
      #expect(Set(found.map(\.objectID)) == Set(wanted.map(\.objectID)))
      #expect(!wanted.isEmpty && wanted.count < fleet.vehicles.count)
      let order = [SortDescriptor(\Vehicle.weight), SortDescriptor(\Vehicle.objectID)]
      let page = try Vehicle.fetchAll(
        predicate,
        orderBy: order,
        page: 2,
        size: 10,
        filteringInMemory: true
      )
      let sorted = wanted.sorted(using: order)
      #expect(page.map(\.objectID) == sorted[20..<30].map(\.objectID))
      let one = try Vehicle.fetchOne(predicate, orderBy: order, filteringInMemory: true)
      #expect(one?.objectID == sorted.first?.objectID)
    }
  }

  @Test func `a closure over a list stored as JSON is evaluated in memory on request`() throws {
    let fleet = try VehicleFleet(count: 50)
    let wanted = fleet.vehicles.filter { $0.tags.contains { $0 == "x" } }
    try fleet.test.store.read { (_) throws in
      let predicate = #Predicate<Vehicle> { $0.tags.contains { $0 == "x" } }
      let found = try Vehicle.fetchAll(predicate, filteringInMemory: true)
      #expect(Set(found.map(\.objectID)) == Set(wanted.map(\.objectID)))
      #expect(!wanted.isEmpty && wanted.count < fleet.vehicles.count)
    }
  }

  @Test func `a predicate with SQL is not evaluated in memory even on request`() throws {
    let fleet = try VehicleFleet(count: 50)
    try fleet.test.store.read { (_) throws in
      let statements = try fleet.test.statements {
        _ = try Vehicle.fetchAll(#Predicate { $0.power > 100 }, filteringInMemory: true)
      }
      #expect(statements.first?.contains("WHERE") == true)
    }
  }

  @Test func `an order that is not stored is refused by name`() throws {
    let fleet = try VehicleFleet(count: 5)
    func refusal(
      _ code: NacreError.Code,
      _ property: String?,
      _ order: SortDescriptor<Vehicle>
    ) -> NacreError? {
      let error = thrown(code, entity: "Vehicle") {
        _ = try fleet.test.store.read { _ in try Vehicle.fetchAll(orderBy: [order]) }
      }
      #expect(error?.property == property)
      return error
    }
    #if canImport(Darwin)
    // Elsewhere there is no other comparator than the lexical one.
    let localized = SortDescriptor(\Vehicle.name, comparator: .localized)
    _ = refusal(.untranslatablePredicate, "name", localized)
    #endif
    _ = refusal(.noSuchProperty, nil, SortDescriptor(\.name.count))
    let sealed = thrown(.sealedCondition, entity: "Motor", property: "code") {
      _ = try fleet.test.store.read { _ in try Motor.fetchAll(orderBy: [SortDescriptor(\.code)]) }
    }
    #expect(sealed != nil)
  }
}
