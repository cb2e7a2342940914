import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Queries that one `where` after another narrows.
@Suite struct ChainedWhereTests {
  let school: School

  init() throws { school = try School() }

  private var all: Query<Pupil> { Pupil.all.in(school.store) }

  @Test func `a row must fulfil all conditions of a chain`() throws {
    #expect(try school.ages(all.where("age > ?", 4).where("city = ?", "Ulm")) == [5, 10, 15])
    #expect(try school.ages(all.where("age = 1 OR age = 2").where("age > 1")) == [2])
    #expect(try school.ages(all.where("age > 4 -- more").where("age < 7 -- less")) == [5, 6])
    let ulm = all.where(\.city, equals: "Ulm")
    #expect(try school.ages(ulm.where(\.age, in: [0, 1, 5])) == [0, 5])
    #expect(try school.ages(all.where(\.bonus, equals: nil).where("age < 5")) == [3, 4])
    let city = "Bonn"
    let some = all.where(#Predicate { $0.city == city }).where(#Predicate { $0.age > 5 })
    #expect(try school.ages(some.where("age IN (?)", [1, 6, 7, 11])) == [6, 11])
    #expect(try school.ages(Pupil.where(\.city, equals: "Ulm").where("age < 6")) == [0, 5])
    #expect(try school.ages(Pupil.where(\.age, in: [7, 8])) == [7, 8])
  }

  @Test func `each condition has its own names and numbers of arguments`() throws {
    let named = all.where("age > :a", ["a": 4]).where("age < :a", ["a": 7])
    #expect(try school.ages(named) == [5, 6])
    let numbered = all.where("age = ?2 OR age = ?1", 5, 6).where(
      "level < CAST(?1 AS integer) + ?1",
      3
    )
    #expect(try school.ages(numbered) == [5])
    #expect(try numbered.updateAll(.set(\.city, to: "Hof")) == 1)
    #expect(try school.ages(all.where("city = ?", "Hof").where("1")) == [5])
    let page = try named.ordered(by: "age").page(1, size: 1)
    #expect(page.items.map(\.age) == [6] && page.totalItems == 2)
    #expect(try named.deleteAll() == 2)
    #expect(try all.count() == 18)
  }

  @Test func `a search by sealed values goes past what other conditions rule out`() throws {
    let passes: [String?] = (0..<10).map { "pass \($0 * 2)" }
    for age in stride(from: 0, to: 20, by: 2) {
      let one = all.where(\.pass, in: passes).where("age = ?", age).limit(1)
      #expect(try one.fetchAll().map(\.age) == [age])
    }
  }

  @Test func `each condition of a chain is checked as if it stood alone`() throws {
    let old = all.where("age > ?", 1)
    expectError(.sealedCondition, entity: "Pupil", property: "secret") {
      _ = try old.where("secret = ?", "secret 2").count()
    }
    expectError(.sealedCondition, entity: "Pupil", property: "secret") {
      _ = try all.where("secret = ?", "secret 2").where("age > ?", 1).count()
    }
    expectError(.unequalArgument, entity: "Pupil", property: "level") {
      _ = try old.where("level = ?", "fast").fetchAll()
    }
    expectError(.badStatement) { _ = try old.where("age > ? AND age < ?", 1).fetchAll() }
    expectError(.badPage) { _ = try all.limit(-1).where("age > 1").fetchAll() }
    expectError(.noSuchProperty, entity: "Pupil") {
      _ = try old.where(\.name.count, equals: 3).fetchAll()
    }
  }

  @Test func `a condition in memory and a condition in SQL narrow one query`() throws {
    let some = all.where("age < ?", 12)
      .where(#Predicate { $0.secret.contains("1") }, filteringInMemory: true)
    #expect(try school.ages(some) == [1, 10, 11])
  }
}
