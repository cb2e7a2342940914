import Foundation
import NacreCore
import NacreRecords
@testable import TestSupport
import Testing

/// A record without a key, which no table can store.
private struct Unkeyed: Record {
  var a = 0
  init() {}
  static let columns: [RecordColumn<Unkeyed>] = [.column(\.a)]
}

/// Queries for records: where they come from, and what keys of one or more columns mean for them.
@Suite struct RecordQueryTests {
  private let scene: Guests

  init() throws { scene = try Guests() }

  private func ages(_ query: Query<Guest>) throws -> [Int] {
    try query.ordered(by: "age").fetchAll().map(\.age)
  }

  @Test func `records are asked for by SQL, by named arguments and by a predicate`() throws {
    let guests = scene.guests
    #expect(
      try ages(guests.where("age > ? AND city IN (?)", 8, ["Ulm", "Bonn"])) == [10, 11, 15, 16]
    )
    #expect(try ages(guests.where("age < :age", ["age": 3])) == [0, 1, 2])
    let least = 17
    #expect(try ages(guests.where(#Predicate { $0.age >= least })) == [17, 18, 19])
    #expect(try ages(guests.where(#Predicate { $0.bonus != nil && $0.name.contains("2") })) == [2])
    let cities: [String?] = ["Jena", "Gera"]
    let some = guests.where(#Predicate { cities.contains($0.city) && $0.age < 9 })
    #expect(try ages(some) == [3, 4, 8])
    #expect(try some.updateAll(.set(\.city, to: "Hof")) == 3)
    #expect(try guests.where("city = ?", "Hof").deleteAll() == 3)
    #expect(try guests.count() == 17)
  }

  @Test func `queries for records are narrowed and grouped as those for objects`() throws {
    let guests = scene.guests
    #expect(try ages(guests.where("age > ?", 8).where(\.city, equals: "Ulm")) == [10, 15])
    #expect(try ages(guests.where(\.pass, in: ["pass 2", "pass 4"]).where("age > 3")) == [4])
    let some = guests.where(\.age, in: [1, 2, 6]).where(#Predicate { $0.city == "Bonn" })
    #expect(try ages(some) == [1, 6])
    let cities = try some.groups(by: \.city, .sum(\.age), .count)
    #expect(cities.map(\.1) == [7])
    #expect(try guests.where("pass IS NULL").count() == 10)
    #expect(Set(try guests.all.values(\.city)).count == 5)
  }

  @Test func `a predicate finds sealed values by their index, and refuses what it can't`() throws {
    let guests = scene.guests
    #expect(try ages(guests.where(#Predicate { $0.pass == "pass 4" })) == [4])
    let passes: [String?] = ["pass 6", "pass 8", "none"]
    #expect(try ages(guests.where(#Predicate { passes.contains($0.pass) })) == [6, 8])
    #expect(try guests.where(#Predicate { $0.pass == nil }).count() == 10)
    expectError(.sealedCondition, entity: "Guest", property: "secret") {
      _ = try guests.where(#Predicate { $0.secret == "secret 1" }).fetchAll()
    }
    expectError(.sealedCondition, entity: "Guest", property: "pass") {
      _ = try guests.where(#Predicate { $0.pass ?? "" > "a" }).fetchAll()
    }
  }

  @Test func `a predicate without SQL is evaluated on each record if it may be`() throws {
    let guests = scene.guests
    let predicate = #Predicate<Guest> { $0.secret.contains("9") }
    expectError(.sealedCondition) { _ = try guests.where(predicate).fetchAll() }
    let found = guests.where(predicate, filteringInMemory: true)
    #expect(try ages(found) == [9, 19])
    #expect(try ages(found.ordered(by: "age DESC").limit(1)) == [9])
    #expect(try found.updateAll(.set(\.secret, to: "nine")) == 2)
    #expect(try found.count() == 0)
    let seats = scene.seats
    let halves = #Predicate<Seat> { $0.hall.description == "B" && $0.number > 3 }
    expectError(.untranslatablePredicate) { _ = try seats.where(halves).count() }
    let few = seats.where(halves, filteringInMemory: true)
    #expect(
      try few.ordered(by: "number").fetchAll() == [Seat("B", 4, price: 4), Seat("B", 5, price: 5)]
    )
    #expect(try few.deleteAll() == 2)
    #expect(try seats.count() == 10)
    #expect(try few.count() == 0)
  }

  @Test func `a limit means rows by their keys, also by keys of several columns`() throws {
    let last = scene.seats.all.ordered(by: "price DESC, hall").limit(3)
    #expect(try last.count() == 3 && last.sum(\.price) == 14)
    #expect(try last.updateAll(.set(\.level, to: 3)) == 3)
    #expect(try scene.seats.where("level = 3").count() == 3)
    #expect(try last.deleteAll() == 3)
    #expect(try scene.seats.all.max(\.price) == 4)
    let pages = try (0..<3).flatMap { try scene.seats.all.page($0, size: 4).items }
    #expect(pages.map(\.hall) == ["A", "A", "A", "A", "B", "B", "B", "B", "B"])
    #expect(try scene.seats.all.values(\.hall, \.number).count == 9)
  }

  @Test func `nil sets the default, and numbers are added by condition and by key`() throws {
    let seats = scene.seats
    #expect(try seats.where("number = ?", 1).updateAll(.set(\.level, to: nil)) == 2)
    #expect(try seats.fetch(key: "A", 1)?.level == 7)
    #expect(try seats.update([.increment(\.level, by: 100)], key: "A", 1) == 1)
    #expect(try seats.fetch(key: "A", 1)?.level == 107)
    expectError(.overflow, entity: "Seat", property: "level") {
      try seats.update([.increment(\.level, by: 100)], key: "A", 1)
    }
    expectError(.overflow, entity: "Seat", property: "level") {
      try seats.all.updateAll(.increment(\.level, by: 100))
    }
    #expect(try seats.fetch(key: "A", 1)?.level == 107)
    expectError(.sealedCondition, entity: "Guest", property: "pass") {
      _ = try scene.guests.all.ordered(by: "pass").fetchAll()
    }
    expectError(.noSuchProperty, entity: "Seat") {
      _ = try seats.all.updateAll(.set(\.hall.count, to: 1))
    }
  }

  @Test func `a live query of records runs again after a change`() async throws {
    let guests = scene.guests
    let counts = scene.school.store.live { _ in try guests.where("age > ?", 17).count() }
    var results = counts.makeAsyncIterator()
    #expect(try await results.next() == 2)
    #expect(try await guests.where("age = ?", 18).deleteAll() == 1)
    #expect(try await results.next() == 1)
  }

  @Test func `a table that can't be is an error when its query runs`() {
    let query = Table<Unkeyed>().in(scene.school.store).where("a = ?", 1).ordered(by: "a").limit(1)
    expectError(.badDeclaration) { _ = try query.fetchAll() }
    expectError(.badDeclaration) { _ = try query.updateAll(.set(\.a, to: 1)) }
    let reserved = Table<Guest>("nacre_guest").in(scene.school.store).all
    expectError(.badDeclaration) { _ = try reserved.count() }
  }

  @Test func `pages of a table and of any statement that gives its records have totals`() throws {
    let page = try scene.guests.where("age > ?", 3).ordered(by: "age")
      .page(2, size: 10, startingAt: 1)
    #expect(page.items.map(\.age) == Array(14..<20))
    #expect(page.totalItems == 16 && page.totalPages == 2 && !page.hasNext)
    let sql = """
      SELECT g."objectID", g.name, g.secret, s.number AS age FROM "Guest" g
      JOIN "Seat" s ON s.number = g.age WHERE g.age > ? ORDER BY s.number, s.hall
      """
    let joined = try scene.guests.page(1, size: 4, startingAt: 1, sql: sql, 1)
    #expect(joined.items.map(\.age) == [2, 2, 3, 3])
    #expect(joined.items.map(\.secret).last == "secret 3")
    #expect(joined.totalItems == 8 && joined.totalPages == 2)
    #expect(try scene.guests.page(1, size: 4, sql: sql, 1).items.map(\.age) == [4, 4, 5, 5])
    expectError(.badPage, entity: "Guest") {
      _ = try scene.guests.page(0, size: 4, startingAt: 1, sql: sql, 1)
    }
  }
}
