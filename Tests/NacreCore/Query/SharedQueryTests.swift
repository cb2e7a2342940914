import Foundation
import NacreCore
import NacreRecords
@testable import TestSupport
import Testing

/// The key paths of properties that objects and records have alike.
private struct Paths<Row>: Sendable {
  let name: any KeyPath<Row, String> & Sendable
  let age: any KeyPath<Row, Int> & Sendable
  let score: any KeyPath<Row, Double?> & Sendable
  let city: any KeyPath<Row, String?> & Sendable
  let bonus: any KeyPath<Row, Int?> & Sendable
  let secret: any KeyPath<Row, String> & Sendable
  let pass: any KeyPath<Row, String?> & Sendable
}

/// Everything that a query can, of objects and of records.
///
/// The functions are generic over the rows without any requirement, so that a call that only
/// queries for objects had would not compile.
@Suite struct SharedQueryTests {
  private let scene: Guests

  init() throws { scene = try Guests() }

  private var pupils: Query<Pupil> { Pupil.all.in(scene.school.store) }

  private let ofPupils = Paths(
    name: \Pupil.name,
    age: \Pupil.age,
    score: \Pupil.score,
    city: \Pupil.city,
    bonus: \Pupil.bonus,
    secret: \Pupil.secret,
    pass: \Pupil.pass
  )

  private let ofGuests = Paths(
    name: \Guest.name,
    age: \Guest.age,
    score: \Guest.score,
    city: \Guest.city,
    bonus: \Guest.bonus,
    secret: \Guest.secret,
    pass: \Guest.pass
  )

  @Test func `objects and records are read by the same calls`() throws {
    let other = try School()
    try read(pupils, ofPupils, elsewhere: other.store)
    try read(scene.guests.all, ofGuests, elsewhere: other.store)
  }

  private func read<Row>(_ all: Query<Row>, _ paths: Paths<Row>, elsewhere: Store) throws {
    let byAge = all.ordered(by: "age DESC")
    #expect(try all.fetchAll().count == 20)
    #expect(try byAge.fetchOne()?[keyPath: paths.age] == 19)
    #expect(
      try byAge.limit(3, offset: 1).fetchAll().map { $0[keyPath: paths.age] } == [18, 17, 16]
    )
    let sorted = all.ordered(by: SortDescriptor(paths.city), SortDescriptor(paths.age))
    #expect(try sorted.fetchAll().prefix(2).map { $0[keyPath: paths.age] } == [1, 6])
    #expect(try all.count() == 20)
    #expect(try byAge.limit(3).count() == 3)
    #expect(try all.exists())
    #expect(try !all.limit(0).exists())
    #expect(try all.in(elsewhere).count() >= 0)
    let page = try byAge.page(2, size: 6, startingAt: 1)
    #expect(page.items.map { $0[keyPath: paths.age] } == Array((8...13).reversed()))
    #expect(page.totalItems == 20 && page.totalPages == 4 && page.hasNext && page.hasPrevious)
    let unordered = try (0..<4).flatMap { try all.page($0, size: 6).items }
    #expect(unordered.map { $0[keyPath: paths.age] }.sorted() == Array(0..<20))
    let cursor = try byAge.cursor()
    #expect(try cursor.next()?[keyPath: paths.age] == 19)
    cursor.close()
    let rows = try byAge.limit(2).values(paths.name, paths.secret, paths.pass)
    #expect(rows.map(\.0) == ["p19", "p18"] && rows.map(\.1) == ["secret 19", "secret 18"])
    #expect(rows.map(\.2) == [nil, "pass 18"])
    #expect(try all.distinct().ordered(by: "city").values(paths.city).count == 5)
    expectError(.sealedCondition) { _ = try all.distinct().values(paths.secret) }
    expectError(.sealedCondition) { _ = try all.ordered(by: "secret").fetchAll() }
    expectError(.sealedCondition) { _ = try all.ordered(by: SortDescriptor(paths.secret)).count() }
    expectError(.badPage) { _ = try all.limit(-1).fetchAll() }
    expectError(.badPage) { _ = try all.page(0, size: 0) }
  }

  @Test func `values of objects and records are added up and counted by the same calls`() throws {
    try sum(pupils, ofPupils)
    try sum(scene.guests.all, ofGuests)
  }

  private func sum<Row>(_ all: Query<Row>, _ paths: Paths<Row>) throws {
    #expect(try all.sum(paths.age) == 190)
    #expect(try all.sum(paths.bonus) == 3)
    #expect(try all.average(paths.bonus) == 1)
    #expect(try all.min(paths.name) == "p00" && all.max(paths.score) == 9.5)
    #expect(try all.min(paths.score) == 0.5 && all.max(paths.age) == 19)
    #expect(try all.ordered(by: "age DESC").limit(2).sum(paths.age) == 37)
    #expect(try all.count(distinct: paths.city) == 5)
    #expect(try all.limit(6).ordered(by: "age").groupCounts(by: paths.city).first?.value == "Ulm")
    expectError(.sealedCondition) { _ = try all.max(paths.pass) }
    expectError(.sealedCondition) { _ = try all.count(distinct: paths.secret) }
  }

  @Test func `objects and records are changed and deleted by the same calls`() throws {
    try change(pupils, ofPupils, pupils.ordered(by: "age"))
    try change(scene.guests.all, ofGuests, scene.guests.all.ordered(by: "age"))
  }

  private func change<Row>(_ all: Query<Row>, _ paths: Paths<Row>, _ byAge: Query<Row>) throws {
    #expect(
      try byAge.limit(3).updateAll(.set(paths.city, to: "Hof"), .increment(paths.bonus, by: 5)) == 3
    )
    #expect(try byAge.limit(4).values(paths.bonus) == [5, 6, 7, nil])
    #expect(try all.updateAll([.increment(paths.score, by: 0.5), .set(paths.city, to: nil)]) == 20)
    #expect(try all.count(distinct: paths.city) == 0)
    #expect(
      try byAge.limit(2).updateAll(.set(paths.secret, to: "new"), .set(paths.pass, to: "new")) == 2
    )
    #expect(try byAge.limit(3).values(paths.secret) == ["new", "new", "secret 2"])
    expectError(.overflow) { _ = try all.updateAll(.increment(paths.age, by: .max)) }
    expectError(.sealedCondition) { _ = try all.distinct().values(paths.pass) }
    #expect(try all.updateAll() == 0)
    #expect(try all.ordered(by: "age DESC").limit(5).deleteAll() == 5)
    #expect(try all.max(paths.age) == 14)
    #expect(try all.deleteAll() == 15)
  }

  @Test func `the async twins are the same, too`() async throws {
    try await twins(pupils, ofPupils)
    try await twins(scene.guests.all, ofGuests)
  }

  private func twins<Row>(_ all: Query<Row>, _ paths: Paths<Row>) async throws {
    let byAge = all.ordered(by: "age DESC")
    let fetched = try await all.fetchAll()
    #expect(fetched.count == 20)
    let first = try await byAge.fetchOne()
    #expect(first?[keyPath: paths.age] == 19)
    #expect(try await all.count() == 20)
    #expect(try await all.exists())
    let page = try await byAge.page(0, size: 3)
    #expect(page.items.count == 3)
    let cursor = try await byAge.cursor()
    #expect(try cursor.next()?[keyPath: paths.age] == 19)
    cursor.close()
    #expect(try await byAge.limit(1).values(paths.secret) == ["secret 19"])
    #expect(try await all.sum(paths.age) == 190)
    #expect(try await all.average(paths.bonus) == 1)
    #expect(try await all.min(paths.name) == "p00")
    #expect(try await all.max(paths.score) == 9.5)
    #expect(try await all.min(paths.bonus) == 0)
    #expect(try await all.max(paths.age) == 19)
    #expect(try await all.count(distinct: paths.city) == 5)
    #expect(try await all.groupCounts(by: paths.city).map(\.count) == [4, 4, 4, 4, 4])
    #expect(try await all.updateAll(.increment(paths.age, by: 1)) == 20)
    #expect(try await all.updateAll([.set(paths.secret, to: "s")]) == 20)
    #expect(try await byAge.limit(4).deleteAll() == 4)
    #expect(try await all.deleteAll() == 16)
  }
}
