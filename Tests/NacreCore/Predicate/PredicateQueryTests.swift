import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Queries whose condition is a predicate.
@Suite struct PredicateQueryTests {
  private func wheels(_ count: Int) throws -> TestStore {
    let test = try TestStore()
    try test.store.write { _ in
      for index in 0..<count {
        let wheel = Wheel.create()
        wheel.size = index
        wheel.note = index.isMultiple(of: 2) ? "even" : "odd"
        try wheel.save()
      }
    }
    return test
  }

  @Test func `pages of a predicate know their totals`() throws {
    let test = try wheels(50)
    let query = Wheel.where(#Predicate { $0.note == "even" && $0.size >= 10 })
      .ordered(by: SortDescriptor(\.note), SortDescriptor(\.size, order: .reverse))
      .in(test.store)
    let page = try query.page(1, size: 8)
    #expect(page.items.map(\.size) == [32, 30, 28, 26, 24, 22, 20, 18])
    #expect(page.totalItems == 20 && page.totalPages == 3 && page.hasNext)
    #expect(try query.page(3, size: 8).items.isEmpty)
    #expect(try query.exists())
    #expect(try query.limit(3, offset: 2).fetchAll().map(\.size) == [44, 42, 40])
    #expect(try query.limit(3).count() == 3)
  }

  @Test func `values, sums and groups are read by a predicate`() throws {
    let test = try wheels(20)
    let sizes = [2, 3, 5, 7, 11, 13, 17, 19, 23]
    let query = Wheel.where(#Predicate { sizes.contains($0.size) && $0.size > 4 }).in(test.store)
    let rows = try query.ordered(by: SortDescriptor(\.size)).values(\.note, \.size)
    #expect(rows.map(\.1) == [5, 7, 11, 13, 17, 19] && rows.allSatisfy { $0.0 == "odd" })
    #expect(try query.sum(\.size) == 72)
    #expect(try query.max(\.size) == 19)
    #expect(try query.distinct().values(\.note) == ["odd"])
    #expect(try query.groupCounts(by: \.note).map(\.count) == [6])
    #expect(try query.limit(2).sum(\.size) == 12)
  }

  @Test func `objects of a predicate are changed and deleted without being loaded`() throws {
    let test = try wheels(30)
    let few = Wheel.where(#Predicate { $0.size < 10 && $0.note.contains("ev") }).in(test.store)
    #expect(try few.updateAll(.set(\.note, to: "even less"), .increment(\.size, by: 100)) == 5)
    let all = Wheel.in(test.store)
    #expect(try all.sum(\.size) == (0..<30).reduce(500, +))
    let changed = Wheel.where(#Predicate { $0.note == "even less" }).in(test.store)
    let last = changed.ordered(by: SortDescriptor(\.size, order: .reverse)).limit(2)
    #expect(try last.deleteAll() == 2)
    let rest = try changed.ordered(by: SortDescriptor(\.size)).values(\.size)
    #expect(rest == [100, 102, 104])
  }

  @Test func `a sealed property is set where a sealed one has a value`() throws {
    let test = try TestStore()
    try test.store.write { _ in
      for index in 0..<6 {
        try Badge.make("\(index)") {
          $0.plate = index < 2 ? "AB-1" : nil
          $0.number = index
        }.save()
      }
    }
    let plain = Badge.where(#Predicate { $0.plate == "AB-1" || $0.number == 5 }).in(test.store)
    #expect(try plain.updateAll(.set(\.plate, to: "AB-2"), .set(\.label, to: "set")) == 3)
    let found = try Badge.where(#Predicate { $0.plate == "AB-2" }).in(test.store).fetchAll()
    #expect(Set(found.map(\.number)) == [0, 1, 5] && found.allSatisfy { $0.label == "set" })
    #expect(try Badge.where(#Predicate { $0.plate == nil }).in(test.store).count() == 3)
  }

  @Test func `a cursor and the async twins run a query by predicate`() async throws {
    let test = try wheels(600)
    let query = Wheel.where(#Predicate { $0.note == "odd" }).ordered(by: SortDescriptor(\.size))
      .in(test.store)
    let count = try await query.count()
    #expect(count == 300)
    let sizes = try await query.page(1, size: 2).items.map(\.size)
    #expect(sizes == [5, 7])
    let values = try await query.limit(2).values(\.size)
    #expect(values == [1, 3])
    let cursor = try await query.cursor()
    var read = 0
    while try cursor.next() != nil { read += 1 }
    #expect(read == 300)
    let changed = try await query.updateAll(.set(\.note, to: "none"))
    #expect(changed == 300)
    let none = try await query.exists()
    #expect(!none)
  }

  @Test func `a live query by predicate gives the objects of now`() async throws {
    let test = try wheels(4)
    let odd = #Predicate<Wheel> { $0.note == "odd" }
    let results = test.store.live { _ in try Wheel.count(odd) }
    var iterator = results.makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first == 2)
    try await test.store.write { _ in
      let wheel = Wheel.create()
      wheel.note = "odd"
      try wheel.save()
    }
    let second = try await iterator.next()
    #expect(second == 3)
  }

  @Test func `a predicate without SQL serves every call of a query`() throws {
    let fleet = try VehicleFleet(count: 600)
    let wanted = fleet.vehicles.filter { $0.tags.contains("x") && $0.power > 3 }
    let predicate = #Predicate<Vehicle> { $0.tags.contains("x") && $0.power > 3 }
    let store = fleet.test.store
    let query = Vehicle.where(predicate, filteringInMemory: true).in(store)
    #expect(try query.count() == wanted.count && wanted.count > 20)
    #expect(try query.sum(\.power) == wanted.reduce(0) { $0 + $1.power })
    let page = try query.ordered(by: SortDescriptor(\.weight), SortDescriptor(\.objectID))
      .page(1, size: 10)
    let order = [SortDescriptor(\Vehicle.weight), SortDescriptor(\Vehicle.objectID)]
    #expect(page.items.map(\.objectID) == wanted.sorted(using: order)[10..<20].map(\.objectID))
    #expect(page.totalItems == wanted.count)
    #expect(try query.updateAll(.increment(\.power, by: -100)) == wanted.count)
    #expect(try query.count() == 0)
    let low = #Predicate<Vehicle> { $0.tags.contains("x") && $0.power < -80 }
    #expect(try Vehicle.where(low, filteringInMemory: true).in(store).deleteAll() == wanted.count)
    #expect(try Vehicle.in(store).count() == 600 - wanted.count)
    let error = thrown(.untranslatablePredicate, entity: "Vehicle") {
      _ = try Vehicle.where(predicate).in(store).count()
    }
    #expect(error != nil)
  }

  @Test func `a sealed property that is not searchable is evaluated when that is asked for`() throws
  {
    let test = try TestStore()
    try test.store.write { _ in
      for index in 0..<5 { try Badge.make("\(index)") { $0.name = "name \(index)" }.save() }
    }
    let predicate = #Predicate<Badge> { $0.name > "name 2" }
    let query = Badge.where(predicate, filteringInMemory: true).in(test.store)
    #expect(try query.ordered(by: SortDescriptor(\.label)).values(\.label) == ["3", "4"])
  }

  @Test func `an evaluated predicate sees the objects of links that are loaded with it`() throws {
    let fleet = try VehicleFleet(count: 60)
    let wanted = fleet.vehicles.filter {
      $0.tags.contains("x") && $0.keeper?.loaded?.handle == "keeper 3"
    }
    let predicate = #Predicate<Vehicle> {
      $0.tags.contains("x") && $0.keeper?.loaded?.handle == "keeper 3"
    }
    let query = Vehicle.where(predicate, filteringInMemory: true).with(\.keeper)
    let found = try query.in(fleet.test.store).fetchAll()
    #expect(Set(found.map(\.objectID)) == Set(wanted.map(\.objectID)) && !wanted.isEmpty)
  }

  @Test func `an order that is not stored is an error when the query is asked`() throws {
    let test = try wheels(1)
    let error = thrown(.noSuchProperty, entity: "Wheel") {
      _ = try Wheel.all.ordered(by: SortDescriptor(\.note.count)).in(test.store).fetchAll()
    }
    #expect(error != nil)
  }

  @Test func `a link's objects are asked for in a store that has none yet`() throws {
    let test = try TestStore()
    let predicates: [Predicate<Vehicle>] = [
      #Predicate { $0.keeper?.loaded?.handle == "x" },
      #Predicate { $0.motor?.spare?.brand == "y" },
      #Predicate { $0.trips.count > 1 },
    ]
    for predicate in predicates {
      #expect(try Vehicle.where(predicate).in(test.store).count() == 0)
    }
  }
}
