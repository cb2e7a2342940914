import Foundation
import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

@Suite struct RecordAsyncTests {
  @Test func `every call has an async twin`() async throws {
    let scene = try RecordScene()
    let table = scene.students
    try await table.create()
    var student = Student("A", age: 1)
    try await table.insert(&student)
    #expect(student.id == 1)
    var list = [Student("B", age: 2), Student("C", age: 3)]
    try await table.insert(contentsOf: &list)
    #expect(list.map(\.id) == [2, 3])
    #expect(try await table.insert(contentsOf: [Student("D")]) == 1)
    student.age = 10
    try await table.upsert(&student, by: \.name)
    try await table.upsert(&student, keepsNil: true)
    try await table.update(student, only: \.age)
    #expect(try await !table.update(student, since: student))
    #expect(try await table.update(contentsOf: list) == 2)
    #expect(try await table.update([.set(\.score, to: 2)], key: 1) == 1)
    #expect(try await table.update([.set(\.score, to: 2)], keys: [1, 2] as [Int64]) == 2)
    #expect(try await table.where("ID < ?", 3).updateAll(.set(\.score, to: 3)) == 2)
    student.score = 3
    #expect(try await table.fetch(key: 1) == student)
    #expect(try await table.fetch(keys: [3, 1] as [Int64]).map(\.name) == ["C", "A"])
    #expect(try await table.first()?.id == 1)
    #expect(try await table.latest()?.name == "D")
    #expect(try await table.where("age = ?", 2).fetchOne()?.name == "B")
    #expect(try await table.fetchOne(\.name, equals: "C")?.id == 3)
    #expect(try await table.fetchAll(\.age, equals: nil).map(\.name) == ["D"])
    #expect(try await table.fetchAll(\.age, in: [2, 3]).count == 2)
    #expect(try await table.fetchAll(orderBy: "ID DESC", page: 0, size: 1).map(\.name) == ["D"])
    #expect(try await table.fetchAll(where: "age > ?", 2, orderBy: "ID").map(\.name) == ["A", "C"])
    #expect(
      try await table.fetch(sql: "SELECT * FROM \"Student\" WHERE \"ID\" = ?", 2).map(\.name) == [
        "B"
      ]
    )
    #expect(try await table.count() == 4)
    #expect(try await table.columnNames().count == 5)
    #expect(try await table.all.sum(\.age) == 15)
    #expect(try await table.all.sum(\.score) == 6)
    #expect(try await table.all.min(\.age) == 2)
    #expect(try await table.all.max(\.name) == "D")
    #expect(try await table.all.average(\.age) == 5)
    #expect(try await table.delete(student))
    #expect(try await table.delete(key: 2))
    #expect(try await table.delete(keys: [2, 3] as [Int64]) == 1)
    #expect(try await table.delete(contentsOf: list) == 0)
    #expect(try await table.where("name = ?", "D").deleteAll() == 1)
    #expect(try await table.truncate() == 0)
    try await scene.courses.insert(Course("A"))
    #expect(try await scene.courses.count() == 1)
  }

  @Test func `two tasks insert 500 records each at the same time`() async throws {
    let scene = try RecordScene()
    let store = scene.store
    try await withThrowingTaskGroup { group in
      for task in 0..<2 {
        group.addTask {
          for index in 0..<500 {
            var student = Student("\(task) \(index)")
            // A table of its own for each, as the threads of old had to have.
            try await Table<Student>().in(store).insert(&student)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await scene.students.count() == 1000)
    #expect(try await scene.students.latest()?.id == 1000)
  }

  @Test func `1,000 readers read 30,000 rows while a writer writes`() async throws {
    let scene = try RecordScene()
    let table = scene.students
    try await table.insert(contentsOf: (0..<30_000).lazy.map { Student("S\($0)", age: 1) })
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        for _ in 0..<20 {
          try await table.where("ID <= ?", 100).updateAll(.set(\.score, to: 1))
        }
        return 0
      }
      for reader in 0..<1000 {
        group.addTask {
          let some = table.where("ID > ? AND ID <= ?", reader * 30, (reader + 1) * 30)
          let rows = try await some.fetchAll()
          return rows.reduce(0) { $0 + ($1.age ?? 0) }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 30_000)
  }

  @Test func `threads share one table`() throws {
    let scene = try RecordScene()
    let table = scene.students
    try scene.fill(100)
    DispatchQueue.concurrentPerform(iterations: 200) { index in
      #expect(throws: Never.self) {
        #expect(try table.fetch(key: index % 100 + 1)?.name == "S\(index % 100)")
        try table.update([.set(\.score, to: Double(index))], key: index % 100 + 1)
        #expect(try table.where("age = ?", index % 5).count() == 20)
      }
    }
  }
}
