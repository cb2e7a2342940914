import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Updates, deletes and saves of many objects at once.
@Suite struct QueryWritingTests {
  let school: School

  init() throws { school = try School() }

  private var all: Query<Pupil> { Pupil.all.in(school.store) }

  private func pupils(_ condition: String) throws -> [Pupil] {
    try Pupil.where(condition).in(school.store).ordered(by: "age").fetchAll()
  }

  // MARK: - Updates

  @Test func `plain properties are updated by one statement`() throws {
    let query = Pupil.where("age IN (?) AND city <> ?", [1, 2, 3], "Jena").in(school.store)
    var count = 0
    let writes = try school.test.writes {
      count = try query.updateAll(
        .set(\.city, to: "Hof"),
        .set(\.joined, to: School.day(99)),
        .set(\.fee, to: 7)
      )
    }
    #expect(count == 2 && writes.count == 1)
    let changed = try pupils("city = 'Hof'")
    #expect(changed.map(\.age) == [1, 2])
    #expect(changed.allSatisfy { $0.joined == School.day(99) && $0.fee == 7 })
    #expect(changed.map(\.name) == ["p01", "p02"])
    #expect(try all.updateAll() == 0)
  }

  @Test func `numbers are added to what each object has`() throws {
    let query = Pupil.where("age < ?", 4).in(school.store)
    let changes = try query.updateAll(
      .increment(\.level, by: -2),
      .increment(\.score, by: 0.5),
      .increment(\.bonus, by: 10)
    )
    #expect(changes == 4)
    let changed = try pupils("age < 4")
    #expect(changed.map(\.level) == [-2, -1, 0, 1])
    #expect(changed.map(\.score) == [nil, 1, 1.5, 2])
    #expect(changed.map(\.bonus) == [10, 11, 12, nil])
  }

  @Test func `of two changes of one property the later counts, as if the other were not there`()
    throws
  {
    let query = Pupil.where("age = ?", 3).in(school.store)
    let count = try query.updateAll(
      .set(\.city, to: "Jena"),
      .set(\.secret, to: "former"),
      .increment(\.level, by: .max),
      .set(\.city, to: "Hof"),
      .set(\.bonus, to: 50),
      .set(\.level, to: 7),
      .increment(\.bonus, by: 10),
      .set(\.secret, to: "later")
    )
    #expect(count == 1)
    let pupil = try #require(try pupils("age = 3").first)
    #expect(pupil.city == "Hof" && pupil.level == 7 && pupil.secret == "later")
    // To what the row had, and not to what the other change would have set.
    #expect(pupil.bonus == nil)
    try Pupil.where("age = ?", 2).in(school.store).updateAll(
      .set(\.bonus, to: 50),
      .increment(\.bonus, by: 10)
    )
    #expect(try pupils("age = 2").first?.bonus == 12)
  }

  @Test func `a condition means the objects as they were before`() throws {
    let count = try Pupil.where("age = ?", 5).in(school.store).updateAll(
      .increment(\.age, by: 100),
      .set(\.secret, to: "after"),
      .set(\.pass, to: "found")
    )
    #expect(count == 1)
    let changed = try pupils("age = 105")
    #expect(changed.map(\.secret) == ["after"] && changed.map(\.pass) == ["found"])
  }

  @Test func `a sealed property is sealed for each object, bound to it, and indexed`() throws {
    var count = 0
    let writes = try school.test.writes {
      count = try all.updateAll(.set(\.secret, to: "same"), .set(\.pass, to: "same"))
    }
    #expect(count == 20 && writes.count == 20)
    let rows = try school.store.read { try $0.query("SELECT secret, pass FROM \"Pupil\"") }
    #expect(Set(rows.map { $0[0] }).count == 20 && Set(rows.map { $0[1] }).count == 20)
    #expect(try all.fetchAll().allSatisfy { $0.secret == "same" && $0.pass == "same" })
    let found = try school.store.read { _ in try Pupil.fetchAll(\.pass, equals: "same").count }
    #expect(found == 20)
    let former = try school.store.read { _ in try Pupil.fetchAll(\.pass, equals: "pass 2").count }
    #expect(former == 0)
    #expect(try all.limit(3).updateAll(.set(\.pass, to: nil)) == 3)
    let none = try school.store.read { _ in try Pupil.fetchAll(\.pass, equals: nil).count }
    #expect(none == 3)
  }

  @Test func `an update keeps to the order and the limit`() throws {
    let last = all.ordered(by: "age DESC").limit(2, offset: 1)
    #expect(try last.updateAll(.set(\.city, to: "Hof"), .set(\.secret, to: "x")) == 2)
    #expect(try pupils("city = 'Hof'").map(\.age) == [17, 18])
    #expect(try pupils("1").filter { $0.secret == "x" }.map(\.age) == [17, 18])
  }

  @Test func `a condition's numbered and named parameters keep their values`() throws {
    let numbered = Pupil.where("age = ?2 OR level = CAST(?2 AS integer) + ?1", 1, 7).in(
      school.store
    )
    #expect(try numbered.updateAll(.set(\.city, to: "A"), .increment(\.bonus, by: 1)) == 2)
    #expect(try pupils("city = 'A'").map(\.age) == [7, 8])
    let named = Pupil.where("age IN (:a) OR age = :b", ["a": [1, 2], "b": 4]).in(school.store)
    #expect(try named.updateAll(.set(\.city, to: "B")) == 3)
    #expect(try pupils("city = 'B'").map(\.age) == [1, 2, 4])
  }

  @Test func `a link is set to a stored object, or to none`() throws {
    let query = Pupil.where("age < 3").in(school.store)
    #expect(try query.updateAll(.set(\.tutor, to: Link(school.tutors[1]))) == 3)
    #expect(try pupils("age < 3").allSatisfy { $0.tutor?.objectID == school.tutors[1].objectID })
    #expect(try query.updateAll(.set(\.tutor, to: nil)) == 3)
    #expect(try pupils("tutor IS NULL").count == 5)
    expectError(.constraint) { _ = try query.updateAll(.set(\.tutor, to: Link(Tutor.create()))) }
    #expect(try pupils("tutor IS NULL").count == 5)
  }

  @Test func `a sum that the property can't hold is an error, and nothing is changed`() throws {
    #expect(try Pupil.where("age = 3").in(school.store).updateAll(.set(\.level, to: -7)) == 1)
    for change: Assignment<Pupil> in [
      .increment(\.level, by: 109), .increment(\.level, by: -122), .increment(\.age, by: .max),
    ] {
      let query = Pupil.where("age >= ?1 OR age = 3", 19).in(school.store)
      expectError(.overflow, entity: "Pupil") {
        _ = try query.updateAll(.set(\.city, to: "Hof"), .set(\.secret, to: "x"), change)
      }
      expectError(.overflow, entity: "Pupil") {
        _ = try query.ordered(by: "age").limit(2).updateAll(change)
      }
      #expect(try pupils("city = 'Hof'").isEmpty)
    }
    #expect(try pupils("1").allSatisfy { $0.secret != "x" })
    #expect(try all.updateAll(.increment(\.level, by: 108)) == 20)
    #expect(try pupils("level = 127").map(\.age) == [19])
  }

  @Test func `an update that fails half-way changes nothing`() throws {
    let other = Person.create()
    other.code = "a"
    let twin = Person.create()
    twin.code = "b"
    try school.store.save([other, twin])
    let query = Person.all.in(school.store)
    expectError(.constraint, entity: "Person", property: "code") {
      _ = try query.updateAll(.set(\.name, to: "x"), .set(\.code, to: "same"))
    }
    let codes: [String] = try query.values(\.code)
    #expect(codes.sorted() == ["a", "b"])
    #expect(try query.fetchAll().allSatisfy { $0.name == nil })
  }

  @Test func `children, parts and sums of sealed values can't be assigned`() {
    let cars = Car.all.in(school.store)
    expectError(.noSuchProperty, entity: "Car") { _ = try cars.updateAll(.set(\.spare, to: nil)) }
    expectError(.noSuchProperty, entity: "Car") { _ = try cars.updateAll(.set(\.wheels, to: [])) }
    expectError(.noSuchProperty, entity: "Pupil") {
      _ = try all.updateAll(.set(\.objectID, to: UUID()))
    }
    expectError(.sealedCondition, entity: "Person", property: "age") {
      _ = try Person.all.in(school.store).updateAll(.increment(\.age, by: 1))
    }
    expectError(.valueMismatch, entity: "Pupil", property: "score") {
      _ = try all.updateAll(.set(\.score, to: .nan))
    }
    expectError(.valueMismatch, entity: "Pupil", property: "score") {
      _ = try all.updateAll(.increment(\.score, by: .nan))
    }
  }

  @Test func `sealed values need the store's secret`() throws {
    let directory = try TemporaryDirectory()
    let test = try TestStore(in: directory)
    try test.store.save([Pupil.create()])
    try test.store.close()
    let locked = try TestStore(in: directory, isSealed: false).store
    expectError(.storeLocked, entity: "Pupil", property: "secret") {
      _ = try Pupil.all.in(locked).updateAll(.set(\.secret, to: Marker.text))
    }
    #expect(try Pupil.all.in(locked).updateAll(.set(\.city, to: "Hof")) == 1)
  }

  // MARK: - Deletes

  @Test func `deletes keep to the condition, the order and the limit`() throws {
    #expect(try all.ordered(by: "age DESC").limit(2).deleteAll() == 2)
    #expect(try Pupil.where("age IN (?)", [0, 1, 40]).in(school.store).deleteAll() == 2)
    #expect(try all.ordered(by: "age").values(\.age) == Array(2..<18))
  }

  @Test func `objects are deleted by their identifiers, and others passed over`() throws {
    let ids = school.pupils[3..<6].map(\.objectID)
    try school.store.write { (_) throws in
      #expect(try Pupil.deleteAll(ids: ids + [UUID(), ids[0]]) == 3)
      #expect(try Pupil.deleteAll(ids: ids) == 0)
      #expect(try Pupil.deleteAll(ids: []) == 0)
      #expect(try Pupil.count() == 17)
      #expect(try Pupil.deleteAll(ids: school.pupils.map(\.objectID)) == 17)
    }
  }

  @Test func `children go with what is deleted by a cascade`() throws {
    let cars = (0..<3).map { _ in Car.create() }
    for car in cars { car.wheels = [Wheel.create(), Wheel.create()] }
    try school.store.save(cars)
    try school.store.write { (_) throws in
      #expect(try Car.deleteAll(ids: [cars[0].objectID]) == 1)
      #expect(try Wheel.count() == 6)
      #expect(try Car.deleteAll(ids: [cars[1].objectID], cascade: true) == 1)
      #expect(try Wheel.count() == 4)
      #expect(try Car.all.deleteAll(cascade: true) == 1)
      #expect(try Wheel.count() == 2)
    }
  }

  // MARK: - Saves

  @Test func `any sequence is saved in one transaction`() throws {
    let sequence = (100..<3100).lazy.map { number in
      let pupil = Pupil.create()
      pupil.age = number
      return pupil
    }
    try school.store.save(sequence)
    #expect(try all.count() == 3020)
  }

  @Test func `a sequence of which one can't be saved leaves nothing`() throws {
    let people = ["a", "b", "a"].map { code in
      let person = Person.create()
      person.code = code
      return person
    }
    expectError(.constraint, entity: "Person", property: "code") {
      try school.store.save(people)
    }
    #expect(people.allSatisfy { !$0.isStored && $0.hasChanges })
    #expect(try Person.all.in(school.store).count() == 0)
    try school.store.save(people[..<2])
    #expect(people[0].isStored && people[1].isStored && !people[2].isStored)
  }

  @Test func `objects of another store are saved as new ones`() throws {
    let other = try TestStore()
    try other.store.save(school.pupils[18...])
    #expect(try Pupil.all.in(other.store).fetchAll().map(\.secret) == ["secret 18", "secret 19"])
    #expect(try all.count() == 20)
  }

  // MARK: Triggers

  /// In an open transaction, a statement that a trigger fails by RAISE(FAIL) keeps what it did.
  @Test func `an update or delete of many rows that a trigger fails changes nothing`() throws {
    let school = try School()
    try school.store.write { database in
      for (change, row) in [("UPDATE", "NEW"), ("DELETE", "OLD")] {
        try database.execute(
          TestPlace.sql(
            """
            CREATE TRIGGER no\(change) AFTER \(change) ON "Pupil" WHEN \(row)."age" % 100 = 7 \
            BEGIN SELECT RAISE(FAIL, 'no'); END
            """,
            onServer: """
              CREATE OR REPLACE FUNCTION "no"() RETURNS trigger LANGUAGE plpgsql AS \
              $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'check_violation'; END $$; \
              CREATE TRIGGER no\(change) AFTER \(change) ON "Pupil" FOR EACH ROW \
              WHEN (\(row)."age" % 100 = 7) EXECUTE FUNCTION "no"()
              """
          )
        )
      }
    }
    let all = Pupil.all.in(school.store)
    try school.store.write { _ in
      expectError(.constraint) { try all.updateAll(.increment(\.age, by: 100)) }
      expectError(.constraint) { try all.deleteAll() }
    }
    #expect(try all.count() == 20 && all.max(\.age) == 19)
  }
}
