import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

@Suite struct RecordUpsertTests {
  private func stored() throws -> RecordScene {
    let scene = try RecordScene()
    var student = Student("Ada", age: 20)
    student.score = 1
    try scene.students.insert(&student)
    return scene
  }

  @Test func `an upsert into an empty table inserts, with or without a key`() throws {
    let scene = try RecordScene()
    var a = Student("A")
    try scene.students.upsert(&a)
    #expect(a.id == 1)
    var b = Student("B")
    b.id = 11
    try scene.students.upsert(&b)
    var c = Student("C")
    try scene.students.upsert(&c, by: \.name)
    #expect(try scene.students.fetchAll(orderBy: "ID") == [a, b, c])
    #expect(c.id == 12)
  }

  @Test func `an upsert by a unique column writes over the row that has its value`() throws {
    let scene = try stored()
    var student = Student("Ada", age: 21)
    try scene.students.upsert(&student, by: \.name)
    #expect(student.id == 1)
    #expect(try scene.students.fetchAll() == [student])
  }

  @Test func `nil is kept or cleared as asked`() throws {
    let scene = try stored()
    var student = Student("Ada")
    try scene.students.upsert(&student, by: \.name, keepsNil: true)
    #expect(try scene.students.first()?.age == 20)
    try scene.students.upsert(&student, by: \.name)
    #expect(try scene.students.first()?.age == nil)
  }

  @Test func `an upsert matches by the key where the unique value has changed`() throws {
    let scene = try stored()
    var student = Student("Grace", age: 22)
    student.id = 1
    try scene.students.upsert(&student, by: \.name)
    #expect(try scene.students.fetchAll() == [student])
  }

  @Test func `an upsert by the key inserts where no row has it`() throws {
    let scene = try stored()
    var student = Student("B")
    student.id = 11
    try scene.students.upsert(&student, by: \.id)
    #expect(try scene.students.fetchAll(orderBy: "ID").map(\.id) == [1, 11])
    var third = Student("C")
    try scene.students.upsert(&third, by: \.id)
    #expect(third.id == 12)
  }

  @Test func `an upsert joins the caller's transaction`() throws {
    let scene = try stored()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try scene.store.write { (_) throws in
        var (a, b) = (Student("Ada", age: 30), Student("New"))
        try scene.students.upsert(&a, by: \.name)
        try scene.students.upsert(&b, by: \.name)
        #expect(try scene.students.count() == 2)
        throw Stop()
      }
    }
    #expect(try scene.students.fetchAll().map(\.age) == [20])
    try scene.store.write { _ in
      var a = Student("Ada", age: 30)
      try scene.students.upsert(&a, by: \.name)
    }
    #expect(try scene.students.fetchAll().map(\.age) == [30])
  }

  @Test func `an upsert by what is not unique, or by nil, is refused`() throws {
    let scene = try stored()
    var student = Student("Ada", age: 20)
    expectError(.badStatement, entity: "Student", property: "age") {
      try scene.students.upsert(&student, by: \.age)
    }
    var patient = Patient("A")
    expectError(.noKey, entity: "Patient", property: "number") {
      try scene.patients.upsert(&patient, by: \.number)
    }
  }

  @Test func `an upsert finds a row by a sealed unique column`() throws {
    let scene = try RecordScene()
    var first = Patient("A", note: "n", number: "17")
    try scene.patients.insert(&first)
    var second = Patient("B", number: "17", weight: 70)
    try scene.patients.upsert(&second, by: \.number, keepsNil: true)
    #expect(second.id == first.id)
    let stored = try scene.patients.fetchAll()
    #expect(stored.map(\.ward) == ["B"])
    #expect(stored.map(\.note) == ["n"])
    #expect(stored.map(\.weight) == [70])
  }

  @Test func `an upsert that breaks a constraint changes nothing`() throws {
    let scene = try stored()
    var other = Student("B")
    try scene.students.insert(&other)
    other.name = "Ada"
    other.age = 99
    expectError(.constraint, entity: "Student", property: "name") {
      try scene.students.upsert(&other)
    }
    #expect(try scene.students.fetchAll(orderBy: "ID").map(\.name) == ["Ada", "B"])
  }
}
