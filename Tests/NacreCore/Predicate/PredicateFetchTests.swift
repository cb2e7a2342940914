import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Fetching, counting and deleting by predicates.
@Suite struct PredicateFetchTests {
  private func wheels(
    _ count: Int,
    _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws -> TestStore {
    let test = try TestStore(in: nil, change)
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

  @Test func `a predicate is fetched with an order and a page`() throws {
    let test = try wheels(30)
    try test.store.read { (_) throws in
      let page = try Wheel.fetchAll(
        #Predicate { $0.size > 3 && $0.note.starts(with: "e") },
        orderBy: [SortDescriptor(\.size, order: .reverse)],
        page: 1,
        size: 4
      )
      #expect(page.map(\.size) == [20, 18, 16, 14])
      let one = try Wheel.fetchOne(
        #Predicate { $0.note == "odd" },
        orderBy: [SortDescriptor(\.size, order: .reverse)]
      )
      #expect(one?.size == 29)
      let none = try Wheel.fetchOne(#Predicate { $0.size > 100 })
      #expect(none == nil)
      let count = try Wheel.count(#Predicate { $0.note == "odd" })
      #expect(count == 15)
      let always = try Wheel.count(.true)
      #expect(always == 30)
      let ordered = try Wheel.fetchAll(orderBy: [SortDescriptor(\.size)], page: 2, size: 7)
      #expect(ordered.map(\.size) == Array(14..<21))
    }
  }

  @Test func `a cursor reads the objects of a predicate`() throws {
    let test = try wheels(600)
    try test.store.read { (_) throws in
      let cursor = try Wheel.cursor(
        #Predicate { $0.note == "odd" },
        orderBy: [SortDescriptor(\.size)]
      )
      var sizes: [Int] = []
      while let wheel = try cursor.next() { sizes.append(wheel.size) }
      #expect(sizes == Array(stride(from: 1, to: 600, by: 2)))
    }
  }

  @Test func `objects are deleted by a predicate, with children and without`() throws {
    let fleet = try VehicleFleet(count: 60)
    let (store, all) = (fleet.test.store, fleet.vehicles)
    try store.write { (_) throws in
      let gone = all.filter { $0.motor?.cylinders == 4 }
      let motors = try Motor.count()
      let deleted = try Vehicle.deleteAll(#Predicate { $0.motor?.cylinders == 4 })
      #expect(deleted == gone.count && deleted > 0)
      #expect(try Vehicle.count() == all.count - deleted)
      #expect(try Motor.count() == motors)
      let more = try Vehicle.deleteAll(#Predicate { $0.motor != nil }, cascade: true)
      #expect(more == all.filter { $0.motor != nil }.count - deleted)
      #expect(try Motor.count() == deleted)
    }
  }

  @Test func `the async twins find what the others find`() async throws {
    // The twins ask the store that was opened for the entity; the default one may be another test's at any moment.
    let test = try wheels(20) { $0.entities = [Wheel.self] }
    let few = #Predicate<Wheel> { $0.size < 5 }
    let order = [SortDescriptor(\Wheel.size, order: .reverse)]
    let count = try await Wheel.count(few)
    #expect(count == 5)
    let sizes = try await Wheel.fetchAll(few, orderBy: order, page: 1, size: 2).map(\.size)
    #expect(sizes == [2, 1])
    let all = try await Wheel.fetchAll(orderBy: order).map(\.size)
    #expect(all == Array((0..<20).reversed()))
    let one = try await Wheel.fetchOne(few, orderBy: order)?.size
    #expect(one == 4)
    let cursor = try await Wheel.cursor(few, orderBy: order)
    #expect(try cursor.next()?.size == 4)
    cursor.close()
    let deleted = try await Wheel.deleteAll(few)
    #expect(deleted == 5)
    let rest = try await Wheel.count()
    #expect(rest == 15)
    let evaluated = #Predicate<Wheel> { $0.hasChanges || $0.size == 7 }
    let found = try await Wheel.fetchAll(evaluated, filteringInMemory: true).map(\.size)
    #expect(found == [7])
    try await test.store.close()
  }

  @Test(.sqliteOnly("a list of values has a parameter for each on a server"))
  func `a predicate has one text of SQL for all captured values`() throws {
    let test = try wheels(20)
    try test.store.read { (_) throws in
      var texts: Set<[String]> = []
      for size in [1, 5, 17] {
        let list = Array(0...size)
        let statements = try test.statements {
          let found = try Wheel.fetchAll(#Predicate { $0.size < size && list.contains($0.size) })
          #expect(found.count == size)
        }
        texts.insert(statements)
        #expect(statements.count == 1)
      }
      #expect(texts.count == 1)
    }
  }

  @Test func `a predicate takes lists of any length`() throws {
    let test = try wheels(20)
    let numbers = Array(-50_000..<5)
    let texts = (0..<40_000).map { "text \($0)" } + ["odd"]
    let ids = (0..<50_000).map { _ in UUID() }
    try test.store.read { (_) throws in
      let few = try Wheel.count(#Predicate { numbers.contains($0.size) })
      #expect(few == 5)
      let odd = try Wheel.count(#Predicate { texts.contains($0.note) })
      #expect(odd == 10)
      let none = try Wheel.count(#Predicate { !ids.contains($0.objectID) })
      #expect(none == 20)
    }
  }

  @Test func `a predicate uses a column's index`() throws {
    let test = try TestStore()
    try test.store.save([Person.create()])
    let statements = try test.statements {
      try test.store.read { _ in _ = try Person.fetchOne(#Predicate { $0.code == "x" }) }
    }
    let plan = try test.plan(of: statements.first ?? "", "x")
    #expect(plan.contains(TestPlace.sql("SEARCH Person USING INDEX", onServer: "Index Scan using")))
    #expect(plan.contains("Person__code"))
  }

  @Test func `an order is that of SortDescriptor, nil included`() throws {
    let fleet = try VehicleFleet(count: 80)
    let orders: [[SortDescriptor<Vehicle>]] = [
      [SortDescriptor(\.power), SortDescriptor(\.objectID)],
      [SortDescriptor(\.seats), SortDescriptor(\.objectID, order: .reverse)],
      [SortDescriptor(\.seats, order: .reverse), SortDescriptor(\.objectID)],
      [
        SortDescriptor(\.weight, order: .reverse), SortDescriptor(\.load),
        SortDescriptor(\.objectID),
      ],
      [
        SortDescriptor(\.sold), SortDescriptor(\.built, order: .reverse),
        SortDescriptor(\.objectID),
      ],
      [SortDescriptor(\.name, comparator: .lexical), SortDescriptor(\.objectID)],
      [SortDescriptor(\.serial), SortDescriptor(\.small), SortDescriptor(\.objectID)],
    ]
    try fleet.test.store.read { (_) throws in
      for (index, order) in orders.enumerated() {
        let found = try Vehicle.fetchAll(orderBy: order).map(\.objectID)
        #expect(found == fleet.vehicles.sorted(using: order).map(\.objectID), "[\(index)]")
      }
    }
  }
}
