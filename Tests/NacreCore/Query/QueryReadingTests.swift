import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Queries as values, and what they are asked for.
@Suite struct QueryReadingTests {
  let school: School

  init() throws { school = try School() }

  private var all: Query<Pupil> { Pupil.all.in(school.store) }

  @Test func `modifiers return copies`() throws {
    let some = Pupil.where("age > ?", 4).in(school.store)
    let ordered = some.ordered(by: "age DESC")
    let page = ordered.limit(3, offset: 1)
    #expect(try page.fetchAll().map(\.age) == [18, 17, 16])
    #expect(try ordered.fetchAll().map(\.age) == Array((5..<20).reversed()))
    #expect(try some.count() == 15)
    #expect(try all.count() == 20)
    #expect(try page.fetchOne()?.age == 18)
    #expect(try some.limit(0).fetchAll().isEmpty)
    #expect(try some.limit(0).fetchOne() == nil)
  }

  @Test func `a query asks the current store, or the one that it names`() throws {
    let other = try School()
    try other.store.write { _ in _ = try Pupil.deleteAll(where: "age > 4") }
    let query = Pupil.where("age > ?", 2)
    try other.store.read { (_) throws in
      #expect(try query.count() == 2)
      #expect(try query.in(school.store).count() == 17)
      #expect(try query.in(school.store).fetchAll().count == 17)
    }

  }

  @Test func `count, exists and aggregates keep to the limit`() throws {
    let some = all.ordered(by: "age DESC").limit(3)
    #expect(try some.count() == 3)
    #expect(try some.sum(\.age) == 19 + 18 + 17)
    #expect(try some.min(\.age) == 17)
    #expect(try all.limit(5, offset: 18).count() == 2)
    #expect(try all.exists())
    #expect(try Pupil.where("age = ?", 19).in(school.store).exists())
    #expect(try !Pupil.where("age = ?", 20).in(school.store).exists())
    #expect(try !all.limit(0).exists())
    #expect(try !all.limit(5, offset: 20).exists())
  }

  @Test func `a limit or offset below 0 is an error`() {
    expectError(.badPage, entity: "Pupil") { _ = try all.limit(-1).fetchAll() }
    expectError(.badPage, entity: "Pupil") { _ = try all.limit(1, offset: -1).count() }
  }

  @Test func `links are loaded with a query's objects`() throws {
    let plain = try all.ordered(by: "age").fetchAll()
    #expect(plain.allSatisfy { $0.tutor?.loaded == nil })
    let loaded = try all.with(\.tutor).ordered(by: "age").fetchAll()
    #expect(loaded[0].tutor?.loaded?.name == "Ada")
    #expect(loaded[1].tutor?.loaded?.name == "Bea")
    expectError(.noSuchProperty) { _ = try all.with(\.age).fetchAll() }
  }

  @Test func `values are read without objects, and once where they are distinct`() throws {
    let rows = try all.ordered(by: "age").limit(2).values(\.name, \.age, \.secret, \.objectID)
    #expect(rows.map(\.0) == ["p00", "p01"] && rows.map(\.1) == [0, 1])
    #expect(rows.map(\.2) == ["secret 0", "secret 1"])
    #expect(rows.map(\.3) == school.pupils.prefix(2).map(\.objectID))
    let cities = try all.distinct().ordered(by: "city").values(\.city)
    #expect(cities == ["Bonn", "Gera", "Jena", "Köln", "Ulm"])
    let pairs = try Pupil.where("age < 10").in(school.store).distinct().values(\.city, \.bonus)
    #expect(pairs.count == 8)
    let identifiers = try all.distinct().ordered(by: "age").values(\.objectID)
    #expect(identifiers == school.pupils.map(\.objectID))
    #expect(try all.distinct().fetchAll().count == 20)
  }

  @Test func `sealed values are not compared for being distinct`() {
    expectError(.sealedCondition, entity: "Pupil", property: "secret") {
      _ = try all.distinct().values(\.city, \.secret)
    }
  }

  @Test func `whether there is an object is asked without sorting`() throws {
    let query = all.ordered(by: "city")
    var found: [Bool] = []
    let statements = try school.test.statements {
      found.append(try query.exists())
      found.append(try query.limit(1, offset: 19).exists())
      found.append(try query.limit(1, offset: 20).exists())
      found.append(try query.limit(0).exists())
    }
    #expect(found == [true, true, false, false])
    #expect(statements.allSatisfy { !$0.contains("ORDER BY") })
  }

  @Test func `a query is read by cursor`() throws {
    let cursor = try all.ordered(by: "age DESC").limit(3).cursor()
    var ages: [Int] = []
    while let pupil = try cursor.next() { ages.append(pupil.age) }
    #expect(ages == [19, 18, 17])
  }

  @Test func `a condition and an order that read a sealed property are refused`() throws {
    for query in [
      Pupil.where("secret = ?", "x"), Pupil.all.ordered(by: "secret"),
      Pupil.where("age IN (SELECT age FROM Pupil WHERE pass = :p)", ["p": 1]),
    ] {
      let query = query.in(school.store)
      for call in [
        { _ = try query.fetchAll() }, { _ = try query.fetchOne() }, { _ = try query.count() },
        { _ = try query.exists() }, { _ = try query.page(0, size: 3) }, { _ = try query.cursor() },
        { _ = try query.values(\.age) }, { _ = try query.sum(\.age) },
        { _ = try query.groupCounts(by: \.age) }, { _ = try query.deleteAll() },
        { _ = try query.updateAll(.set(\.age, to: 1)) },
      ] {
        expectError(.sealedCondition, entity: "Pupil") { try call() }
      }
    }
    #expect(try all.count() == 20)
  }

  @Test func `async twins answer alike`() async throws {
    let query = Pupil.where("age < ?", 4).in(school.store).ordered(by: "age DESC")
    #expect(try await query.fetchAll().map(\.age) == [3, 2, 1, 0])
    #expect(try await query.fetchOne()?.age == 3)
    #expect(try await query.count() == 4)
    #expect(try await query.exists())
    let page = try await query.page(1, size: 3)
    #expect(page.items.map(\.age) == [0] && page.totalPages == 2)
    #expect(try await query.cursor().next()?.age == 3)
    #expect(try await query.values(\.age) == [3, 2, 1, 0])
    #expect(try await query.sum(\.age) == 6)
    #expect(try await query.average(\.age) == 1.5)
    #expect(try await query.min(\.age) == 0)
    #expect(try await query.max(\.bonus) == 2)
    #expect(try await query.count(distinct: \.city) == 4)
    #expect(try await query.groupCounts(by: \.bonus).count == 4)
    #expect(try await query.updateAll(.set(\.city, to: "Hof"), .set(\.secret, to: "new")) == 4)
    #expect(try await query.fetchAll().allSatisfy { $0.city == "Hof" && $0.secret == "new" })
    #expect(try await query.deleteAll() == 4)
    try await school.store.save(school.pupils[4...5])
  }

  @Test func `an entity's queries take names and lists`() throws {
    let ids = school.pupils.map(\.objectID)
    try school.store.write { (_) throws in
      let listed = Pupil.where("age IN (:a)", ["a": [1, 2]]).ordered(by: "age")
      #expect(try listed.fetchAll().map(\.age) == [1, 2])
      let page = try Pupil.where("age > :a", ["a": 1]).ordered(by: "age").page(1, size: 2)
      #expect(page.items.map(\.age) == [4, 5])
      #expect(try Pupil.where("age > :a", ["a": 3]).ordered(by: "age").fetchOne()?.age == 4)
      #expect(try Pupil.where("age > :a", ["a": 3]).count() == 16)
      #expect(try Pupil.where("age < :a", ["a": 1]).values(\.age) == [0])
      #expect(try Pupil.where("age = :a", ["a": 3]).cursor().next()?.age == 3)
      #expect(try Pupil.where("age = :a", ["a": 2]).deleteAll() == 1)
      #expect(try Pupil.deleteAll(ids: ids[..<4]) == 3)
    }
  }

  @Test func `children stay unless a deletion by condition is told to cascade`() throws {
    try school.store.write { (_) throws in
      for name in ["kept", "gone"] {
        let car = Car.create()
        car.name = name
        car.wheels = [Wheel.create(), Wheel.create()]
        try car.save()
      }
      #expect(try Car.where("name = :n", ["n": "kept"]).deleteAll() == 1)
      #expect(try Wheel.count() == 4)
      #expect(try Car.where("name = :n", ["n": "gone"]).deleteAll(cascade: true) == 1)
      #expect(try Wheel.count() == 2)
    }
  }

  @Test func `links are asked with names and lists`() async throws {
    let car = Car.create()
    let people = ["a", "b", "c"].map { code in
      let person = Person.create()
      person.code = code
      car.drivers.add(person)
      return person
    }
    try await school.store.save([car])
    let named = try car.drivers.fetchAllSync("code IN (:codes)", ["codes": ["a", "c"]])
    #expect(named.map(\.objectID) == [people[0].objectID, people[2].objectID])
    let other = try await car.drivers.fetchAll(where: "code > :code", ["code": "b"])
    #expect(other.map(\.code) == ["c"])
    let listed = try await car.drivers.fetchAll(
      where: "code IN (?)",
      ["b", "c"],
      orderBy: "code DESC"
    )
    #expect(listed.map(\.code) == ["c", "b"])
  }
}

extension Links {
  /// The sync call, which an async function would not choose.
  fileprivate func fetchAllSync(
    _ condition: String,
    _ arguments: NamedArguments
  ) throws -> [Target] {
    try fetchAll(where: condition, arguments)
  }
}
