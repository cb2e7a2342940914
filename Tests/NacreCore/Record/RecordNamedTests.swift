import NacreCore
import Testing
@testable import TestSupport

/// Conditions on records with arguments by name.
@Suite struct RecordNamedTests {
  @Test func `records are found, counted, set and deleted by named arguments`() throws {
    let scene = try RecordScene()
    let table = scene.students
    try scene.fill()
    let found = try table.fetchAll(
      where: "age >= :least AND name IN (:names)",
      ["least": 3, "names": ["S3", "S4", "S5", "S8"]],
      orderBy: "ID DESC",
      page: 0,
      size: 2
    )
    #expect(found.map(\.name) == ["S8", "S4"])
    #expect(try table.fetchOne(where: ":age = age", ["age": 2], orderBy: "ID")?.name == "S2")
    #expect(try table.count(where: "age = :age OR score = :age", ["age": 0]) == 10)
    let read = try table.fetch(sql: "SELECT name FROM Student WHERE age = :age", ["age": 1])
    #expect(read.map(\.name) == ["S1", "S6"])
    #expect(try table.updateAll([.set(\.score, to: 2)], where: "age < :age", ["age": 2]) == 4)
    #expect(try table.sum(\.score) == 8)
    #expect(try table.deleteAll(where: "score = :score", ["score": 2]) == 4)
    #expect(try table.count(where: "age IS :age", ["age": nil]) == 0)
    #expect(try table.count() == 6)
  }

  @Test func `a name that is missing, or one too many, is refused and changes nothing`() throws {
    let scene = try RecordScene()
    let table = scene.students
    try scene.fill()
    for arguments in [["other": 1], ["age": 1, "other": 1], [:]] as [NamedArguments] {
      expectError(.badStatement) { _ = try table.fetchAll(where: "age = :age", arguments) }
      expectError(.badStatement) { try table.deleteAll(where: "age = :age", arguments) }
      expectError(.badStatement) {
        try table.updateAll([.set(\.age, to: 9)], where: "age = :age", arguments)
      }
    }
    #expect(try table.count(where: "age < :age", ["age": 5]) == 10)
    expectError(.sealedCondition) {
      _ = try scene.patients.count(where: "note = :text", ["text": "a"])
    }
  }

  @Test func `the calls with named arguments have async twins`() async throws {
    let scene = try RecordScene()
    let table = scene.students
    var list = (0..<4).map { (age: Int) in Student("S\(age)", age: age) }
    try await table.insert(contentsOf: &list)
    let found = try await table.fetchAll(where: "age > :age", ["age": 1], orderBy: "ID")
    #expect(found.map(\.name) == ["S2", "S3"])
    #expect(try await table.fetchOne(where: "age = :age", ["age": 2])?.name == "S2")
    let read = try await table.fetch(sql: "SELECT name FROM Student WHERE age = :a", ["a": 1])
    #expect(read.map(\.name) == ["S1"])
    #expect(try await table.count(where: "age < :age", ["age": 3]) == 3)
    #expect(try await table.updateAll([.set(\.score, to: 1)], where: "age = :a", ["a": 0]) == 1)
    #expect(try await table.deleteAll(where: "score = :score", ["score": 1]) == 1)
    #expect(try await table.count() == 3)
  }
}
