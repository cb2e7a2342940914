import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Queries of the older systems' users, by meaning: the test cases of AYRecord, SQPersist and CTPersistance.
@Suite struct OldCallsTests {
  let school: School

  init() throws { school = try School() }

  // MARK: - AYRecord

  /// AYDbModelTests testFind, testFindByCondition.
  @Test func `objects are found by a statement and by a condition`() throws {
    try school.store.read { (_) throws in
      let found = try Pupil.find(sql: "SELECT * FROM \"Pupil\" WHERE name LIKE ?", "p1%")
      #expect(found.count == 10)
      #expect(try Pupil.where("name LIKE ?", "p1%").fetchAll().count == 10)
      #expect(try Pupil.where("name = ?", "p07").fetchAll().map(\.age) == [7])
      let date = School.day(17)
      #expect(try Pupil.where("joined > ?", date).count() == 2)
    }
  }

  /// AYDbModelTests testFindFirst, testFindFirstByCondition; AYDbTests testFindFirst.
  @Test func `the first is found with a limit and without, and nil of none`() throws {
    try school.store.read { (_) throws in
      #expect(try Pupil.where("age > 3").ordered(by: "age").fetchOne()?.age == 4)
      #expect(try Pupil.where("age > 3").ordered(by: "age").limit(1).fetchOne()?.age == 4)
      #expect(try Pupil.where("1 = 0").fetchOne() == nil)
      #expect(try Pupil.find(sql: "SELECT * FROM \"Pupil\" WHERE 1 = 0").first == nil)
    }
  }

  /// AYDbModelTests testFindById.
  @Test func `an object is found by its identifier, as another instance of the same`() throws {
    let pupil = school.pupils[4]
    let found = try #require(
      try school.store.read { _ in try Pupil.fetch(id: pupil.objectID) }
    )
    #expect(found !== pupil)
    #expect(found.objectID == pupil.objectID && found.name == pupil.name)
    #expect(found.joined == pupil.joined && found.fee == pupil.fee)
  }

  /// AYDbModelTests testFindByIdLoadColumn.
  @Test func `some columns of an object are read alone`() throws {
    let row = try #require(
      try Pupil.where("objectID = ?", school.pupils[4].objectID).in(school.store)
        .values(\.name, \.age).first
    )
    #expect(row.0 == "p04" && row.1 == 4)
    let sql = "SELECT name, age FROM \"Pupil\" WHERE \"objectID\" = ?"
    let rows = try school.store.read { try $0.rows(sql, school.pupils[4].objectID) }
    #expect(rows.map { $0.dictionary } == [["name": "p04", "age": 4]])
  }

  /// AYDbTests testPage, AYDbModelTests testPage: size 10, index 1.
  @Test func `a page from 1 knows rows and pages`() throws {
    let page = try Pupil.where("age > ?", 3).in(school.store).ordered(by: "age DESC")
      .page(1, size: 10, startingAt: 1)
    #expect(page.items.count == 10 && page.index == 1 && page.size == 10)
    #expect(page.totalItems > page.size && page.totalPages > 1)
  }

  @Test func `an association is asked from both of its ends`() throws {
    try school.store.read { (_) throws in
      let pupil = try Pupil.where("age = 3").fetchOne()
      let tutor = try #require(try pupil?.tutor?.get())
      #expect(tutor.name == "Bea")
      #expect(try Pupil.where("tutor = ?", tutor.objectID).count() == 9)
    }
  }

  /// AYRecord's README: batchSqls with 3,000 inserts into the model's own table.
  @Test func `three thousand statements insert objects without naming an objectID`() throws {
    let store = school.store
    #expect(try store.read { _ in try Wheel.count() } == 0)
    let batch = (0..<3000).map { (number: Int) in
      SQLStatement("insert into \"Wheel\"(note, size) values(?, ?)", "w\(number)", number)
    }
    #expect(try store.write { try $0.execute(batch) } == 3000)
    let wheels = try store.read { _ in try Wheel.fetchAll(orderBy: "size") }
    #expect(wheels.map(\.size) == Array(0..<3000))
    #expect(Set(wheels.map(\.objectID)).count == 3000)
    wheels[7].note = "changed"
    try store.save([wheels[7]])
    #expect(try Wheel.where("note = ?", "changed").in(store).values(\.size) == [7])
  }

  // MARK: - SQPersist

  @Test func `SQPersist's fetches, counts and deletes have counterparts`() throws {
    try school.store.write { (_) throws in
      #expect(try Pupil.fetchOne() != nil)
      #expect(try Pupil.fetchOne(where: "city = ?", "Jena", orderBy: "age")?.age == 3)
      #expect(try Pupil.fetchOne(\.name, equals: "p05")?.age == 5)
      // A quote in a value was an injection there.
      #expect(try Pupil.fetchOne(\.name, equals: "p'05") == nil)
      #expect(try Pupil.fetchAll().count == 20)
      #expect(try Pupil.fetchAll(orderBy: "age DESC").first?.age == 19)
      #expect(try Pupil.fetchAll(where: "city = ?", "Bonn").count == 4)
      let page = try Pupil.fetchAll(where: "age > ?", 0, orderBy: "age DESC", page: 1, size: 5)
      #expect(page.map(\.age) == [14, 13, 12, 11, 10])
      #expect(try Pupil.count() == 20)
      #expect(try Pupil.count(where: "age < ?", 5) == 5)
      #expect(try Pupil.deleteAll(where: "age < ?", 5) == 5)
      #expect(try Pupil.truncate() == 15)
      #expect(try Pupil.count() == 0)
    }
  }

  // MARK: - CTPersistance

  /// Its Find tests: testFindKeyNameInValueList, distinct, first row, count with `is :nil`.
  @Test func `CTPersistance's finds have counterparts`() throws {
    try school.store.read { (database) throws in
      #expect(try Pupil.where("age % 5 IN (:ages)", ["ages": [1, 2]]).fetchAll().count == 8)
      #expect(try Pupil.where("age > :age", ["age": 4]).distinct().values(\.city).count == 5)
      #expect(try Pupil.where("age > :age", ["age": 4]).values(\.city).count == 15)
      #expect(try Pupil.where("age > :age", ["age": 4]).fetchOne() != nil)
      #expect(try Pupil.fetchAll(\.age, in: [7, 3, 99]).count == 2)
      #expect(try Pupil.where("bonus IS :nil", ["nil": nil]).count() == 17)
      let rows = try database.rows("SELECT name FROM \"Pupil\" WHERE age = :age", ["age": 3])
      #expect(rows.map { $0["name"] } == ["p03"])
    }
  }

  // MARK: - DBSQLite

  @Test func `results are arrays that are walked through`() throws {
    let sql = "SELECT age, bonus FROM \"Pupil\" WHERE age < ? ORDER BY age"
    var ages: [Int] = []
    for row in try school.store.read({ try $0.rows(sql, 3) }) { ages.append(try row.value("age")) }
    #expect(ages == [0, 1, 2])
    for pupil in try Pupil.where("age < 3").in(school.store).fetchAll() { #expect(pupil.age < 3) }
  }

  @Test func `a batch of thousands of objects is saved at once`() throws {
    try school.store.save((0..<10_000).lazy.map { _ in Wheel.create() })
    #expect(try Wheel.all.in(school.store).count() == 10_000)
  }
}
