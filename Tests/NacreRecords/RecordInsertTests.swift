import Foundation
import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

@Suite struct RecordInsertTests {
  @Test func `an inserted record gets its key, and keys are never given twice`() throws {
    let scene = try RecordScene()
    var (a, b, c) = (Student("A"), Student("B"), Student("C"))
    try scene.students.insert(&a)
    try scene.students.insert(&b)
    #expect((a.id, b.id) == (1, 2))
    try scene.students.delete(b)
    try scene.students.insert(&c)
    #expect(c.id == 3)
    #expect(try scene.students.fetch(key: 1) == a)
  }

  @Test func `a key that the application has set is kept`() throws {
    let scene = try RecordScene()
    var record = Student("A")
    record.id = 77
    try scene.students.insert(&record)
    #expect(try scene.students.fetch(key: 77)?.name == "A")
    var next = Student("B")
    try scene.students.insert(&next)
    #expect(next.id == 78)
  }

  @Test(arguments: [
    "c'asa", "NULL", "", "a\(TestPlace.nul)b", "; DROP TABLE Student", "名前", "\"q\"",
  ])
  func `texts are stored as they are`(_ text: String) throws {
    let scene = try RecordScene()
    var record = Student(text)
    try scene.students.insert(&record)
    #expect(try scene.students.first() == record)
    #expect(try scene.students.fetchOne(\.name, equals: text) == record)
  }

  @Test func `every kind of property comes back, and nil gets the column's default`() throws {
    let scene = try RecordScene()
    let table = Table<Sampler>("samples").in(scene.store)
    var blank = Sampler()
    try table.insert(&blank)
    #expect(blank.level == nil)
    let stored = try #require(try table.fetch(key: 1))
    #expect((stored.level, stored.ratio, stored.other) == (1, 1, .green))
    #expect((stored.bigger, stored.tags, stored.when) == (nil, nil, nil))
    #expect(stored.text == "none")

    var full = Sampler()
    full.colour = .green
    full.other = .red
    full.size = .large
    full.bigger = .large
    full.point = .init(x: 3, y: -4)
    full.tags = ["a", "b"]
    full.level = 0
    full.ratio = 3.1415926
    full.text = ""
    full.when = Date(timeIntervalSince1970: 1_700_000_000.25)
    full.link = URL(string: "https://example.com/a?b=c")
    full.isOn = true
    full.big = 1_732_233_600_123
    full.anything = .blob(Data([1, 2]))
    try table.insert(&full)
    #expect(try table.fetch(key: 2) == full)
  }

  @Test func `a list is stored with its keys, or not at all, and the error names the record`()
    throws
  {
    let scene = try RecordScene()
    var list = (0..<10).map { Student("S\($0)") }
    try scene.students.insert(contentsOf: &list)
    #expect(list.map(\.id) == (1...10).map { Int64($0) })

    var second = (0..<5).map { Student("T\($0)") }
    second[3].name = "S4"
    let error = thrown(.constraint, entity: "Student", property: "name") {
      try scene.students.insert(contentsOf: &second)
    }
    #expect(error?.index == 3)
    #expect(second.allSatisfy { $0.id == nil })
    #expect(try scene.students.count() == 10)
  }

  @Test func `any sequence of records is inserted, and an empty one inserts none`() throws {
    let scene = try RecordScene()
    let count = try scene.students.insert(contentsOf: (0..<3000).lazy.map { Student("S\($0)") })
    #expect(count == 3000)
    #expect(try scene.students.count() == 3000)
    #expect(try scene.students.insert(contentsOf: []) == 0)
    let error = thrown(.constraint) {
      try scene.students.insert(contentsOf: ["X", "Y", "X"].map { Student($0) })
    }
    #expect(error?.index == 2)
    #expect(try scene.students.count() == 3000)
  }

  @Test func `a sequence may use the table while it goes on`() throws {
    let scene = try RecordScene()
    try scene.store.write { _ in
      try scene.students.insert(
        contentsOf: (0..<3).lazy.map { index in
          var extra = Student("extra \(index)")
          try? scene.students.insert(&extra)
          return Student("S\(index)", age: extra.id.map { Int($0) })
        }
      )
    }
    #expect(try scene.students.count() == 6)
    #expect(try scene.students.fetchOne(\.name, equals: "S2")?.age == 5)
  }

  @Test func `a record's own validation refuses it before it is stored`() throws {
    let scene = try RecordScene()
    let good = Course("A")
    try scene.courses.insert(good)
    let error = thrown(.invalidRecord, entity: "courses") {
      try scene.courses.insert(contentsOf: [Course("B"), Course("C", seats: -1)])
    }
    #expect(error?.index == 1)
    #expect(error?.cause as? Course.Refusal == .init(change: .insert))
    #expect(try scene.courses.count() == 1)
    good.seats = -1
    let other = thrown(.invalidRecord) { try scene.courses.update(good) }
    #expect(other?.cause as? Course.Refusal == .init(change: .update))
    #expect(other?.index == nil)
    #expect(try scene.courses.first()?.seats == 10)
  }

  @Test func `a constraint names the table and the column, and no value`() throws {
    let scene = try RecordScene()
    try scene.students.insert(contentsOf: [Student(Marker.text)])
    var twin = Student(Marker.text)
    let error = thrown(.constraint, entity: "Student", property: "name") {
      try scene.students.insert(&twin)
    }
    #expect(error?.description.contains("Student.name") == true)
    #expect(twin.id == nil)
    var same = Student("B")
    same.id = 1
    expectError(.constraint, entity: "Student", property: "ID") {
      try scene.students.insert(&same)
    }
  }

  @Test func `100,000 structs are stored in one transaction`() throws {
    let scene = try RecordScene()
    let list = (0..<100_000).map { index in
      var student = Student("S\(index)", age: index % 90)
      student.score = Double(index)
      return student
    }
    try scene.students.insert(contentsOf: list)
    let all = try scene.students.fetchAll()
    #expect(all.count == 100_000)
    #expect(try scene.students.all.sum(\.age) == (0..<100_000).reduce(0) { $0 + $1 % 90 })
  }
}
