import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Values that the database computes of a property.
@Suite struct AggregateTests {
  let school: School

  init() throws { school = try School() }

  private var all: Query<Pupil> { Pupil.all.in(school.store) }
  private var none: Query<Pupil> { Pupil.where("age < 0").in(school.store) }

  @Test func `numbers are added up by their kind`() throws {
    #expect(try all.sum(\.age) == 190)
    #expect(try all.sum(\.level) == 190)
    #expect(try all.sum(\.score) == 75.0)
    #expect(try all.sum(\.bonus) == 3)
    #expect(try all.sum(\.fee) == Decimal(192))
    #expect(try Pupil.where("age IN (?)", [2, 3]).in(school.store).sum(\.age) == 5)
    #expect(try none.sum(\.age) == 0)
    #expect(try none.sum(\.score) == 0)
    #expect(try none.sum(\.fee) == 0)
  }

  @Test func `a sum of integers beyond 64 bits is an error`() throws {
    try school.store.write { (_) throws in
      for pupil in try Pupil.fetchAll(where: "age < 2") {
        pupil.age = .max
        try pupil.save()
      }
    }
    expectError(.overflow, entity: "Pupil", property: "age") { _ = try all.sum(\.age) }
    #expect(try all.max(\.age) == .max)
  }

  @Test func `the average, minimum and maximum of no rows are nil`() throws {
    #expect(try all.average(\.age) == 9.5)
    #expect(try all.average(\.score) == 5.0)
    #expect(try none.average(\.age) == nil)
    #expect(try all.min(\.age) == 0)
    #expect(try all.max(\.age) == 19)
    #expect(try all.min(\.score) == 0.5)
    #expect(try all.max(\.name) == "p19")
    #expect(try all.min(\.city) == "Bonn")
    #expect(try all.max(\.joined) == School.day(19))
    #expect(try none.min(\.age) == nil)
    #expect(try none.max(\.fee) == nil)
  }

  /// As text, 10.1 lies before 9.1.
  @Test func `decimals are compared and added as numbers`() throws {
    let some = Pupil.where("age IN (?)", [9, 10]).in(school.store)
    #expect(try some.max(\.fee) == Decimal(string: "10.1"))
    #expect(try some.min(\.fee) == Decimal(string: "9.1"))
    #expect(try some.sum(\.fee) == Decimal(string: "19.2"))
    #expect(try all.limit(2).ordered(by: "age DESC").sum(\.fee) == Decimal(string: "37.2"))
  }

  @Test func `values are counted once where they are distinct`() throws {
    #expect(try all.count(distinct: \.city) == 5)
    #expect(try all.count(distinct: \.bonus) == 3)
    #expect(try all.count(distinct: \.objectID) == 20)
    #expect(try none.count(distinct: \.city) == 0)
  }

  @Test func `groups are counted, the greatest first`() throws {
    let some = Pupil.where("age < ?", 7).in(school.store)
    let counts = try some.groupCounts(by: \.city)
    #expect(counts.map(\.value) == ["Bonn", "Ulm", "Gera", "Jena", "Köln"])
    #expect(counts.map(\.count) == [2, 2, 1, 1, 1])
    let bonuses = try all.groupCounts(by: \.bonus)
    #expect(bonuses.map(\.value) == [nil, 0, 1, 2] && bonuses.map(\.count) == [17, 1, 1, 1])
    #expect(try none.groupCounts(by: \.city).isEmpty)
    #expect(
      try all.ordered(by: "age").limit(2).groupCounts(by: \.city).map(\.value) == ["Bonn", "Ulm"]
    )
  }

  @Test func `a sealed property is refused by name`() {
    for call in [
      { _ = try all.min(\.secret) }, { _ = try all.max(\.secret) },
      { _ = try all.count(distinct: \.secret) }, { _ = try all.groupCounts(by: \.secret) },
    ] {
      expectError(.sealedCondition, entity: "Pupil", property: "secret") { try call() }
    }
    expectError(.sealedCondition, entity: "Person", property: "age") {
      _ = try Person.all.in(school.store).sum(\.age)
    }
    expectError(.sealedCondition, entity: "Person", property: "age") {
      _ = try Person.all.in(school.store).average(\.age)
    }
  }

  @Test func `a child and a part of a property are no values`() {
    expectError(.noSuchProperty, entity: "Car", property: "spare") {
      _ = try Car.all.in(school.store).count(distinct: \.spare)
    }
    expectError(.noSuchProperty, entity: "Pupil") { _ = try all.sum(\.name.count) }
  }
}
