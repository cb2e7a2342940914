import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

/// Records one after another.
///
/// There is one reader: a cursor that does not give it back fails a test.
@Suite(.timeLimit(.minutes(10))) struct RecordCursorTests {
  private let scene: Scene
  private let store: Store
  private let students: Table<Student>

  init() throws {
    scene = try Scene()
    store = try scene.open { ($0.readerLimit, $0.maximumReaderCount, $0.busyTimeout) = (1, 1, 0.5) }
    students = Table<Student>().in(store)
    try students.insert(contentsOf: (0..<1000).map { (age: Int) in Student("S\(age)", age: age) })
  }

  private func ages(_ cursor: RecordCursor<Student>, limit: Int = .max) throws -> [Int?] {
    var ages: [Int?] = []
    while ages.count < limit, let student = try cursor.next() { ages.append(student.age) }
    return ages
  }

  @Test func `a cursor brings what fetchAll brings`() throws {
    #expect(try ages(students.cursor(orderBy: "ID DESC")) == (0..<1000).reversed())
    let few = students.where("age < ?", 256).ordered(by: "ID")
    #expect(try ages(few.cursor()) == Array(0..<256))
    let some = students.where("age IN (:ages)", ["ages": [3, 700]])
    let named = try some.ordered(by: "ID").cursor()
    #expect(try ages(named) == [3, 700])
    #expect(try named.next() == nil)
    let sealed = Table<Patient>().in(store)
    try sealed.insert(contentsOf: [Patient("a", note: "one"), Patient("b", note: "two")])
    let patients = try sealed.cursor(orderBy: "ward")
    #expect(try patients.next()?.note == "one")
    #expect(try patients.next()?.note == "two")
    #expect(try patients.next() == nil)
    expectError(.sealedCondition) { _ = try sealed.where("note = 'one'").cursor() }
    expectError(.badStatement) { _ = try students.where("nothing = 1").cursor() }
    #expect(try students.count() == 1000)
  }

  @Test(arguments: [0, 1, 255, 256, 257, 512, 513])
  func `a cursor ends after the last record and stays at its end`(count: Int) throws {
    let cursor = try students.where("age < ?", count).ordered(by: "ID").cursor()
    #expect(try ages(cursor) == Array(0..<count))
    #expect(try cursor.next() == nil)
    #expect(try students.count() == 1000)
  }

  @Test(.sqliteOnly("a column of a server holds values of its own type alone"))
  func `an error in the middle closes the cursor and gives its reader back`() throws {
    try store.write { try $0.execute("UPDATE \"Student\" SET age = 'none' WHERE age = 300") }
    let cursor = try students.cursor(orderBy: "ID")
    var count = 0
    expectError(.valueMismatch, entity: "Student", property: "age") {
      while try cursor.next() != nil { count += 1 }
    }
    #expect(count == 256)
    #expect(try cursor.next() == nil)
    #expect(try students.count() == 1000)
  }

  @Test func `a cursor sees one state, and gives its reader back when it is closed`() throws {
    let cursor = try students.cursor(orderBy: "ID")
    #expect(try ages(cursor, limit: 300).count == 300)
    try students.where("age >= ?", 300).deleteAll()
    #expect(try ages(cursor).count == 700)
    let second = try students.cursor()
    #expect(try second.next() != nil)
    second.close()
    #expect(try second.next() == nil)
    #expect(try students.count() == 300)
  }

  @Test func `a cursor in a transaction sees what that has done, and ends with it`() throws {
    let cursor = try store.write { (_) throws in
      try students.where("age > ?", 1).deleteAll()
      let cursor = try students.cursor(orderBy: "ID")
      #expect(try ages(cursor) == [0, 1])
      return try students.cursor()
    }
    expectError(.transactionState) { _ = try cursor.next() }
  }

  @Test func `a cursor ends when its store is closed`() throws {
    let cursor = try students.cursor()
    #expect(try cursor.next() != nil)
    try store.close()
    expectError(.storeClosed) { _ = try ages(cursor) }
  }

  @Test func `a cursor is made asynchronously`() async throws {
    let all = try await students.cursor(orderBy: "ID")
    #expect(try all.next()?.age == 0)
    all.close()
    let some = try await students.where("age = ?", 7).cursor()
    #expect(try some.next()?.age == 7)
    some.close()
    let named = try await students.where("age = :age", ["age": 8]).cursor()
    #expect(try named.next()?.age == 8)
    named.close()
  }
}
