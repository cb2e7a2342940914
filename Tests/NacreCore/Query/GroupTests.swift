import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Sums and the like for each value of a property.
@Suite struct GroupTests {
  let school: School

  init() throws { school = try School() }

  private var all: Query<Pupil> { Pupil.all.in(school.store) }

  @Test func `each group has its own sums, averages, extremes and counts`() throws {
    let rows = try all.groups(
      by: \.city,
      .count,
      .sum(\.age),
      .average(\.age),
      .min(\.score),
      .max(\.age),
      .count(distinct: \.bonus)
    )
    #expect(rows.map(\.0) == ["Bonn", "Gera", "Jena", "Köln", "Ulm"])
    let bonn = try #require(rows.first)
    #expect(bonn.1 == 4 && bonn.2 == 34 && bonn.3 == 8.5)
    #expect(bonn.4 == 0.5 && bonn.5 == 16 && bonn.6 == 1)
    #expect(rows.map(\.2).reduce(0, +) == 190)
    let gera = try all.groups(by: \.city, .sum(\.bonus), .min(\.bonus)).dropFirst().first
    #expect(gera?.1 == 0 && gera?.2 == nil)
  }

  @Test func `decimals of a group are added exactly and compared as numbers`() throws {
    let rows = try all.groups(by: \.city, .sum(\.fee), .max(\.fee))
    #expect(rows.first?.1 == Decimal(string: "34.4"))
    #expect(rows.first?.2 == Decimal(string: "16.1"))
    let none = try all.where("age < 0").groups(by: \.city, .sum(\.fee))
    #expect(none.isEmpty)
  }

  @Test func `nil is a group, and a dictionary takes a group and one sum`() throws {
    let rows = try all.groups(by: \.bonus, .count)
    #expect(rows.map(\.0) == [nil, 0, 1, 2] && rows.map(\.1) == [17, 1, 1, 1])
    let sums = Dictionary(uniqueKeysWithValues: try all.groups(by: \.city, .sum(\.age)))
    #expect(sums["Ulm"] == 30)
  }

  @Test func `groups keep to the conditions and the limit of their query`() throws {
    let some = all.where("age > ?", 9).ordered(by: "age").limit(2)
    let rows = try some.groups(by: \.city, .sum(\.age))
    #expect(rows.map(\.0) == ["Bonn", "Ulm"] && rows.map(\.1) == [11, 10])
  }

  @Test func `groups are computed without blocking the caller`() async throws {
    let rows = try await all.groups(by: \.city, .sum(\.age), .count)
    #expect(rows.map(\.1).reduce(0, +) == 190 && rows.map(\.2) == [4, 4, 4, 4, 4])
  }

  @Test func `a sum of a group that does not fit is an error that names it`() throws {
    #expect(try all.where("age < 12").updateAll(.set(\.age, to: .max)) == 12)
    expectError(.overflow, entity: "Pupil", property: "age") {
      _ = try all.groups(by: \.city, .count, .sum(\.age))
    }
  }

  @Test func `a sealed property is refused by name, as a group and in one`() {
    expectError(.sealedCondition, entity: "Pupil", property: "secret") {
      _ = try all.groups(by: \.secret, .count)
    }
    expectError(.sealedCondition, entity: "Pupil", property: "pass") {
      _ = try all.groups(by: \.city, .count, .max(\.pass))
    }
  }
}
