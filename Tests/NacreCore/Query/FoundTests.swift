import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Objects that SQL of the caller's own finds, with extra columns.
@Suite struct FoundTests {
  private static let join = """
    SELECT p.*, t.name AS t_name, p.age * 2 AS twice FROM "Pupil" p
    LEFT JOIN "Tutor" t ON t."objectID" = p.tutor WHERE p.age >= ? ORDER BY p.age DESC
    """

  let school: School

  init() throws { school = try School() }

  private func find(
    _ sql: String,
    _ argument: (any QueryArgument)? = 16
  ) throws -> [Found<Pupil>] {
    try school.store.read { _ in try Pupil.find(sql: sql, argument) }
  }

  @Test func `extra columns are read by key beside the object`() throws {
    let found = try find(Self.join)
    #expect(found.map(\.age) == [19, 18, 17, 16])
    #expect(found.map { $0["t_name"] } == [.null, .null, "Bea", "Ada"])
    #expect(found[2]["twice"] == 34)
    #expect(found[2].extras.columns == ["t_name", "twice"])
    #expect(try found[2].extras.value("twice", as: Int.self) == 34)
    #expect(found[0]["nonesuch"] == nil)
  }

  @Test func `sealed properties are opened and objects are whole and stored`() throws {
    let found = try find(Self.join)
    #expect(found[0].secret == "secret 19" && found[1].pass == "pass 18")
    found[0].name = "changed"
    #expect(found[0].object.hasChanges)
    try school.store.save([found[0].object])
    #expect(try Pupil.where("name = ?", "changed").in(school.store).values(\.age) == [19])
  }

  @Test func `a statement that selects the objectID alone gives whole objects`() throws {
    let found = try find(
      "SELECT \"objectID\", count(*) OVER () AS n FROM \"Pupil\" WHERE age < ?",
      3
    )
    #expect(found.map(\.age).sorted() == [0, 1, 2])
    #expect(found.allSatisfy { $0["n"] == 3 && $0.secret.hasPrefix("secret") })
  }

  @Test func `the first of two columns of a name is the entity's`() throws {
    let sql =
      "SELECT p.*, t.* FROM \"Pupil\" p JOIN \"Tutor\" t ON t.\"objectID\" = p.tutor WHERE p.age = ?"
    let found = try find(sql, 3)
    #expect(found.map(\.name) == ["p03"])
    #expect(found[0]["name"] == "Bea")
    #expect(found[0].extras.columns == ["objectID", "name"])
  }

  @Test func `children and links come with the objects, each object once`() throws {
    let car = Car.create()
    car.wheels = [Wheel.create(), Wheel.create()]
    try school.store.save([car])
    let sql =
      "SELECT c.\"objectID\", w.position AS place FROM \"Car\" c JOIN \"Car_wheels\" w ON w.owner = c.\"objectID\""
    let found = try school.store.read { _ in try Car.find(sql: sql + " ORDER BY 2") }
    #expect(found.map { $0["place"] } == [0, 1])
    #expect(found[0].wheels.count == 2 && found[0].object === found[1].object)
    let pupils = try school.store.read { _ in
      try Pupil.find(
        sql: "SELECT \"objectID\" FROM \"Pupil\" WHERE age = :a",
        ["a": 1],
        with: \.tutor
      )
    }
    #expect(pupils.map { $0.tutor?.loaded?.name } == ["Bea"])
  }

  @Test func `a statement without objects finds nothing`() throws {
    #expect(try find(Self.join, 99).isEmpty)
  }

  @Test func `a statement that gives no objects is refused`() throws {
    let error = thrown(.noSuchColumn, entity: "Pupil") {
      _ = try find("SELECT name FROM \"Pupil\" WHERE age = ?")
    }
    #expect(error?.detail == "objectID")
    expectError(.valueMismatch, entity: "Pupil") { _ = try find("SELECT ? AS \"objectID\"") }
    expectError(.valueMismatch, entity: "Pupil") {
      _ = try find("SELECT NULL AS \"objectID\" WHERE ? = 16")
    }
    let stranger = school.tutors[0].objectID
    expectError(.notFound, entity: "Pupil", objectID: stranger) {
      // A server takes a parameter alone for a text.
      let parameter = TestPlace.isOnServer ? "CAST(? AS uuid)" : "?"
      _ = try find("SELECT \(parameter) AS \"objectID\"", stranger)
    }
    expectError(.badStatement) { _ = try find("SELECT \"objectID\" FROM \"Pupil\"") }
  }

  @Test func `a page of found objects knows how many rows the statement has`() throws {
    let page = try school.store.read { _ in
      try Pupil.page(1, size: 3, startingAt: 1, sql: Self.join, 16, with: \.tutor)
    }
    #expect(page.items.map(\.age) == [19, 18, 17])
    #expect(page.items.map { $0["t_name"] } == [.null, .null, "Bea"])
    #expect(page.items[0].secret == "secret 19" && page.items[2].tutor?.loaded?.name == "Bea")
    #expect(page.totalItems == 4 && page.totalPages == 2 && page.hasNext)
    expectError(.badPage, entity: "Pupil") {
      _ = try school.store.read { _ in try Pupil.page(0, size: 0, sql: Self.join, 16) }
    }
  }

  @Test func `the first object of a statement that joins has the other columns by key`() throws {
    let sql = """
      SELECT p.*, t.name t_name FROM "Pupil" p, "Tutor" t WHERE p.tutor = t."objectID"
      ORDER BY p.age LIMIT 1
      """
    let first = try #require(try school.store.read { _ in try Pupil.find(sql: sql).first })
    #expect(first.name == "p00" && first["t_name"] == "Ada")
    #expect(try first.extras.value("t_name", as: String.self) == "Ada")
    #expect(try first.object.value(forKey: "name") as? String == "p00")
  }
}
