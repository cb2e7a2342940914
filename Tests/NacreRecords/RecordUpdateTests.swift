import Foundation
import NacreCore
import NacreRecords
import NacreSQLite
import Synchronization
import Testing
@testable import TestSupport

@Suite struct RecordUpdateTests {
  @Test func `an update writes all columns, and nil with them`() throws {
    let scene = try RecordScene()
    var list = try scene.fill(2)
    list[0].name = "Ada"
    list[0].age = nil
    list[0].photo = Data([0, 255])
    try scene.students.update(list[0])
    #expect(try scene.students.fetchAll(orderBy: "ID") == list)
  }

  @Test func `an update can be of some columns alone`() throws {
    let scene = try RecordScene()
    var student = try scene.fill(1)[0]
    student.name = "Ada"
    student.age = 50
    student.score = 4
    try scene.students.update(student, only: \.age, \.score)
    let stored = try #require(try scene.students.first())
    #expect((stored.name, stored.age, stored.score) == ("S0", 50, 4))
  }

  @Test func `an update since a former copy writes what differs, and nothing where nothing does`()
    throws
  {
    let test = try TestStore()
    let students = Table<Student>().in(test.store)
    var student = Student("A", age: 1)
    try students.insert(&student)
    let former = student
    #expect(try test.writes { _ = try students.update(student, since: former) } == [])
    student.age = nil
    let writes = try test.writes { _ = try students.update(student, since: former) }
    #expect(writes.count == 1)
    #expect(writes.first?.contains("\"age\" = ") == true)
    #expect(writes.first?.contains("name") == false)
    #expect(try students.first() == student)
  }

  @Test func `a key is changed by an update since the former copy`() throws {
    let scene = try RecordScene()
    var student = try scene.fill(1)[0]
    let former = student
    student.id = 40
    try scene.students.update(student, since: former)
    #expect(try scene.students.fetchAll() == [student])
  }

  @Test func `an update of no row is an error, and of a record without a key, too`() throws {
    let scene = try RecordScene()
    let student = try scene.fill(1)[0]
    try scene.students.delete(student)
    expectError(.objectDeleted, entity: "Student") { try scene.students.update(student) }
    expectError(.noKey, entity: "Student", property: "ID") {
      try scene.students.update(Student("A"))
    }
  }

  @Test func `a list is written over its rows, or not at all`() throws {
    let scene = try RecordScene()
    var list = try scene.fill(4)
    for index in list.indices { list[index].age = 99 }
    #expect(try scene.students.update(contentsOf: list) == 4)
    #expect(try scene.students.fetchAll(\.age, equals: 99).count == 4)
    for index in list.indices { list[index].age = 1 }
    list[2].name = "S0"
    let error = thrown(.constraint, entity: "Student", property: "name") {
      try scene.students.update(contentsOf: list)
    }
    #expect(error?.index == 2)
    #expect(try scene.students.fetchAll(\.age, equals: 99).count == 4)
  }

  @Test func `values are set by key without loading`() throws {
    let scene = try RecordScene()
    try scene.fill(4)
    #expect(
      try scene.students.update([.set(\.name, to: "c'asa"), .set(\.age, to: nil)], key: 2) == 1
    )
    #expect(
      try scene.students.update([.set(\.score, to: 0.1), .set(\.photo, to: Data([1]))], key: 2) == 1
    )
    let stored = try #require(try scene.students.fetch(key: 2))
    #expect((stored.name, stored.age, stored.score) == ("c'asa", nil, 0.1))
    #expect(stored.photo == Data([1]))
    #expect(try scene.students.update([.set(\.age, to: 5)], key: 99) == 0)
    #expect(try scene.students.update([.set(\.age, to: 7)], keys: [1, 4, 99] as [Int64]) == 2)
    #expect(try scene.students.fetchAll(\.age, equals: 7).count == 2)
  }

  @Test func `values are set by condition, and the column's default stands for nil`() throws {
    let scene = try RecordScene()
    try scene.fill()
    let students = scene.students
    #expect(try students.where("age IN (?, ?)", 1, 2).updateAll(.set(\.age, to: 100)) == 4)
    #expect(try students.where("age = 100").count() == 4)
    #expect(try students.where("ID > ?", 8 as Int64).updateAll(.set(\.age, to: nil)) == 2)
    #expect(try students.all.updateAll(.set(\.score, to: 3)) == 10)
    #expect(try students.all.updateAll([]) == 0)
    expectError(.constraint, entity: "Student", property: "name") {
      try students.all.updateAll(.set(\.name, to: "same"))
    }
    let samples = Table<Sampler>().in(scene.store)
    var sample = Sampler()
    sample.level = 8
    try samples.insert(&sample)
    try samples.all.updateAll([
      .set(\.level, to: nil), .set(\.colour, to: .green), .set(\.tags, to: ["x"]),
    ])
    let stored = try #require(try samples.first())
    #expect((stored.level, stored.colour, stored.tags) == (1, .green, ["x"]))
    sample.level = nil
    sample.ratio = nil
    try samples.update(sample)
    #expect(try samples.first()?.level == 1)
    #expect(try samples.first()?.ratio == 1)
  }

  @Test func `a condition's numbered parameters keep their values`() throws {
    let scene = try RecordScene()
    try scene.fill()
    let numbered = try scene.students.where("age = ?1", 2).updateAll(.set(\.score, to: 7))
    #expect(numbered == 2)
    #expect(try scene.students.fetchAll(\.score, equals: 7).map(\.age) == [2, 2])
    let twice = scene.students.where("age = ? OR ID = ?1", 4)
    #expect(try twice.updateAll(.set(\.age, to: 20), .set(\.score, to: 8)) == 3)
    #expect(try scene.students.fetchAll(\.score, equals: 8).map(\.id) == [4, 5, 10])
    expectError(.badStatement) {
      try scene.students.where("age = ?2", 5).updateAll(.set(\.age, to: 1))
    }
  }

  @Test func `values are set by many keys, plain and sealed, by one statement each`() throws {
    let test = try TestStore()
    let patients = Table<Patient>().in(test.store)
    try patients.insert(contentsOf: (0..<4).map { Patient("W", number: "N\($0)") })
    let keys = [2, 99, 4, 2] as [Int64]
    var count = 0
    let plain = try test.writes {
      count = try patients.update([.set(\.ward, to: "X"), .set(\.ward, to: "Z")], keys: keys)
    }
    #expect(count == 3 && plain.count == 4 && Set(plain).count == 1)
    let sealed = try test.writes {
      count = try patients.update([.set(\.note, to: "x"), .set(\.weight, to: 3)], keys: keys)
    }
    #expect(count == 3 && sealed.count == 3)
    let changed = try patients.fetchAll(\.ward, equals: "Z")
    #expect(Set(changed.map(\.id)) == [2, 4])
    #expect(changed.allSatisfy { $0.note == "x" && $0.weight == 3 })
    expectError(.constraint, entity: "Patient", property: "number") {
      try patients.update([.set(\.number, to: "same")], keys: keys)
    }
    #expect(try patients.fetchAll(\.number, equals: "same").isEmpty)
    #expect(try patients.update([], keys: keys) == 0)
    expectError(.badStatement, entity: "Patient") {
      try patients.update([.set(\.ward, to: "")], key: 1, 2)
    }
  }

  @Test func `a change of one record takes no savepoint of its own`() throws {
    let savepoints = Mutex(0)
    let test = try TestStore {
      $0.trace = { event in
        guard case .statement(let sql) = event, sql.hasPrefix("SAVEPOINT") else { return }
        savepoints.withLock { $0 += 1 }
      }
    }
    let patients = Table<Patient>().in(test.store)
    try patients.insert(contentsOf: (0..<4).map { Patient("W", number: "N\($0)") })
    let patient = try #require(try patients.first())
    savepoints.withLock { $0 = 0 }
    try patients.all.updateAll(.set(\.note, to: "x"))
    try patients.update([.set(\.note, to: "y")], keys: [1, 2] as [Int64])
    try patients.delete(patient)
    try patients.delete(key: 2)
    #expect(savepoints.withLock { $0 } == 0)
    #expect(try patients.count() == 2)
  }

  @Test func `a list of changes that fails inside a transaction leaves the rest of it`() throws {
    let scene = try RecordScene()
    try scene.patients.insert(contentsOf: (0..<4).map { Patient("W", number: "N\($0)") })
    try scene.store.write { (_) throws in
      try scene.patients.update([.set(\.ward, to: "Z")], key: 1)
      expectError(.constraint) {
        try scene.patients.all.updateAll(.set(\.ward, to: "A"), .set(\.number, to: "same"))
      }
      expectError(.constraint) {
        try scene.patients.update([.set(\.number, to: "same")], keys: [1, 2] as [Int64])
      }
    }
    #expect(try scene.patients.fetchAll(orderBy: "id").map(\.ward) == ["Z", "W", "W", "W"])
    #expect(try scene.patients.fetchAll(\.number, equals: "same").isEmpty)
  }

  // MARK: Deleting

  @Test func `records are deleted one by one, by key, in lists and by condition`() throws {
    let scene = try RecordScene()
    let list = try scene.fill()
    #expect(try scene.students.delete(list[0]))
    #expect(try !scene.students.delete(list[0]))
    #expect(try scene.students.delete(key: 2))
    #expect(try !scene.students.delete(key: 2))
    #expect(try scene.students.delete(keys: [2, 3, 4, 400] as [Int64]) == 2)
    #expect(try scene.students.delete(contentsOf: list[4...5]) == 2)
    #expect(try scene.students.where("name = ?", "S9").deleteAll() == 1)
    #expect(try scene.students.where("age IS ?", nil).deleteAll() == 0)
    #expect(try scene.students.fetchAll(orderBy: "ID").map(\.name) == ["S6", "S7", "S8"])
    expectError(.noKey) { try scene.students.delete(Student("A")) }
    let error = thrown(.noKey) {
      try scene.students.delete(contentsOf: [list[6], Student("A")])
    }
    #expect(error?.index == 1)
    #expect(try scene.students.count() == 3)
  }

  @Test func `truncate deletes all rows, and keys begin again`() throws {
    let scene = try RecordScene()
    try scene.fill(500)
    #expect(try scene.students.truncate(shrinksFile: true) == 500)
    #expect(try scene.students.count() == 0)
    var student = Student("A")
    try scene.students.insert(&student)
    #expect(student.id == 1)
    expectError(.transactionState) {
      try scene.store.write { _ in _ = try scene.students.truncate(shrinksFile: true) }
    }
    #expect(try scene.students.count() == 1)
    try scene.courses.insert(Course("A"))
    #expect(try scene.courses.truncate() == 1)
  }

  @Test(.sqliteOnly("a server tells names apart by the case of their letters"))
  func `keys of a table whose name has another case begin again, too`() throws {
    let scene = try RecordScene()
    try scene.fill(5)
    let students = Table<Student>("STUDENT").in(scene.store)
    #expect(try students.truncate() == 5)
    var student = Student("A")
    try students.insert(&student)
    #expect(student.id == 1)
  }

  @Test(.sqliteOnly("it makes VACUUM fail by a collation that one connection of SQLite has"))
  func `truncate says that the rows are deleted if the file can't be shrunk`() throws {
    let scene = try RecordScene()
    try scene.fill(500)
    // VACUUM makes every index anew, and nobody has defined this collation.
    let connection = try Connection(path: scene.scene.path, mode: .readWrite)
    try connection.define(Collation("elsewhere") { _, _ in 0 })
    try connection.execute("CREATE TABLE other (a); CREATE INDEX i ON other (a COLLATE elsewhere)")
    try connection.close()
    let error = thrown(.badStatement, entity: "Student") {
      try scene.students.truncate(shrinksFile: true)
    }
    #expect(error?.detail?.contains("the rows are deleted") == true)
    #expect(try scene.students.count() == 0)
  }

  // MARK: Transactions

  enum Change: CaseIterable {
    case insert, update, delete
  }

  @Test(arguments: Change.allCases)
  func `a change is stored by a commit and undone by a rollback`(_ change: Change) throws {
    struct Stop: Error {}
    let scene = try RecordScene()
    var student = try scene.fill(1)[0]
    func run() throws {
      switch change {
      case .insert:
        var other = Student("B")
        try scene.students.insert(&other)
        #expect(try scene.students.count() == 2)
      case .update:
        student.age = 50
        try scene.students.update(student)
        #expect(try scene.students.fetchAll(\.age, equals: 50).count == 1)
      case .delete:
        try scene.students.delete(student)
        #expect(try scene.students.count() == 0)
      }
    }
    let before = try scene.students.fetchAll()
    #expect(throws: Stop.self) {
      try scene.store.write { (_) throws in
        try run()
        throw Stop()
      }
    }
    #expect(try scene.students.fetchAll() == before)
    try scene.store.write { _ in try run() }
    #expect(try scene.students.fetchAll() != before)
  }

  @Test func `10,000 single inserts are one transaction`() throws {
    let scene = try RecordScene()
    try scene.store.write { _ in
      for index in 0..<10_000 {
        var student = Student("S\(index)")
        try scene.students.insert(&student)
      }
    }
    #expect(try scene.students.latest()?.id == 10_000)
  }

  @Test func `a failed list inside a transaction leaves the rest of it`() throws {
    let scene = try RecordScene()
    try scene.store.write { _ in
      try scene.fill(2)
      expectError(.constraint) {
        try scene.students.insert(contentsOf: [Student("X"), Student("S0")])
      }
    }
    #expect(try scene.students.count() == 2)
  }

  @Test func `a key stays set after a rollback, and is not given to the row again by itself`()
    throws
  {
    struct Stop: Error {}
    let scene = try RecordScene()
    var student = Student("A")
    try scene.students.create()
    #expect(throws: Stop.self) {
      try scene.store.write { (_) throws in
        try scene.students.insert(&student)
        throw Stop()
      }
    }
    #expect(student.id == 1)
    #expect(try scene.students.count() == 0)
    student.id = nil
    try scene.students.insert(&student)
    #expect(try scene.students.fetchAll() == [student])
  }
}
