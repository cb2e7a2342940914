import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

/// Conditions on records with arguments by name.
@Suite struct RecordNamedTests {
  @Test func `records are found, counted, set and deleted by named arguments`() throws {
    let scene = try RecordScene()
    let table = scene.students
    try scene.fill()
    let found = table.where(
      "age >= :least AND name IN (:names)",
      ["least": 3, "names": ["S3", "S4", "S5", "S8"]]
    )
    let page = try found.ordered(by: "ID DESC").page(0, size: 2)
    #expect(page.items.map(\.name) == ["S8", "S4"])
    #expect(try table.where(":age = age", ["age": 2]).ordered(by: "ID").fetchOne()?.name == "S2")
    #expect(try table.where("age = :age OR score = :age", ["age": 0]).count() == 10)
    let read = try table.fetch(sql: "SELECT name FROM \"Student\" WHERE age = :age", ["age": 1])
    #expect(read.map(\.name) == ["S1", "S6"])
    #expect(try table.where("age < :age", ["age": 2]).updateAll(.set(\.score, to: 2)) == 4)
    #expect(try table.all.sum(\.score) == 8)
    #expect(try table.where("score = :score", ["score": 2]).deleteAll() == 4)
    #expect(try table.where("age IS :age", ["age": nil]).count() == 0)
    #expect(try table.count() == 6)
  }

  @Test func `a name that is missing, or one too many, is refused and changes nothing`() throws {
    let scene = try RecordScene()
    let table = scene.students
    try scene.fill()
    for arguments in [["other": 1], ["age": 1, "other": 1], [:]] as [NamedArguments] {
      let query = table.where("age = :age", arguments)
      expectError(.badStatement) { _ = try query.fetchAll() }
      expectError(.badStatement) { _ = try query.deleteAll() }
      expectError(.badStatement) { _ = try query.updateAll(.set(\.age, to: 9)) }
    }
    #expect(try table.where("age < :age", ["age": 5]).count() == 10)
    expectError(.sealedCondition) {
      _ = try scene.patients.where("note = :text", ["text": "a"]).count()
    }
  }

  @Test func `the calls with named arguments have async twins`() async throws {
    let scene = try RecordScene()
    let table = scene.students
    var list = (0..<4).map { (age: Int) in Student("S\(age)", age: age) }
    try await table.insert(contentsOf: &list)
    let found = try await table.where("age > :age", ["age": 1]).ordered(by: "ID").fetchAll()
    #expect(found.map(\.name) == ["S2", "S3"])
    #expect(try await table.where("age = :age", ["age": 2]).fetchOne()?.name == "S2")
    let read = try await table.fetch(sql: "SELECT name FROM \"Student\" WHERE age = :a", ["a": 1])
    #expect(read.map(\.name) == ["S1"])
    #expect(try await table.where("age < :age", ["age": 3]).count() == 3)
    #expect(try await table.where("age = :a", ["a": 0]).updateAll(.set(\.score, to: 1)) == 1)
    #expect(try await table.where("score = :score", ["score": 1]).deleteAll() == 1)
    #expect(try await table.count() == 3)
  }
}
