import Foundation
import NacreCore
import NacreOpen
import NacreRecords
import Testing
@testable import TestSupport

/// Students as a later version of the application has them.
private struct LaterStudent: Record {
  var id: Int64?
  var name = ""
  var level = 3
  var city: String?

  init() {}

  static var tableName: String { "Student" }
  static let columns: [RecordColumn<LaterStudent>] = [
    .key(\.id, "ID"), .column(\.name, unique: true), .column(\.level),
    .column(\.city, default: "Paris", indexed: true),
  ]
}

private struct Keyless: Record {
  var a = 0
  init() {}
  static let columns: [RecordColumn<Keyless>] = [.column(\.a)]
}

private struct Nested: Record {
  struct Inner { var value = 0 }
  var id: Int64?
  var inner = Inner()
  init() {}
  static let columns: [RecordColumn<Nested>] = [.key(\.id), .column(\.inner.value)]
}

private struct NamedNested: Record {
  var id: Int64?
  var inner = Nested.Inner()
  init() {}
  static let columns: [RecordColumn<NamedNested>] = [.key(\.id), .column(\.inner.value, "inner")]
}

private struct Twice: Record {
  var id: Int64?
  var a = 0
  init() {}
  static let columns: [RecordColumn<Twice>] = [.key(\.id), .column(\.a), .column(\.a, "A")]
}

private struct Undecided: Record {
  var id: Int64?
  var other: Int64?
  init() {}
  static let columns: [RecordColumn<Undecided>] = [.key(\.id), .key(\.other)]
}

private struct Leaky: Record {
  var id: Int64?
  var isIll = false
  init() {}
  static let columns: [RecordColumn<Leaky>] = [
    .key(\.id), .column(\.isIll, sealed: SealedOptions(isSearchable: true)),
  ]
}

@Suite struct RecordTableTests {
  @Test(.sqliteOnly("it makes a file and its directories"))
  func `a table is made at its first use, in a file whose directories are made`() throws {
    let directory = try TemporaryDirectory()
    let store = try Store.open(directory.file("User/Shopping/list.sqlite"))
    #expect(FileManager.default.fileExists(atPath: directory.file("User/Shopping/list.sqlite")))
    let table = Table<Student>().in(store)
    #expect(try table.count() == 0)
    #expect(try table.columnNames() == ["ID", "name", "age", "score", "photo"])
    let sql = try store.read {
      try $0.query("SELECT sql FROM sqlite_schema WHERE name = 'Student'")
    }
    #expect("\(sql)".contains("\\\"ID\\\" INTEGER PRIMARY KEY AUTOINCREMENT"))
  }

  @Test func `a table is made at its first use`() throws {
    let scene = try RecordScene()
    #expect(try scene.store.objectNames(among: ["Student"]).isEmpty)
    #expect(try scene.students.count() == 0)
    #expect(try scene.store.objectNames(among: ["Student"]) == ["Student"])
    #expect(try scene.students.columnNames() == ["ID", "name", "age", "score", "photo"])
  }

  @Test func `columns bear the names of their properties where none is given`() throws {
    let scene = try RecordScene()
    #expect(try scene.courses.columnNames() == ["code", "full title", "seats"])
    #expect(try Table<NamedNested>().in(scene.store).columnNames() == ["id", "inner"])
    expectError(.badDeclaration, entity: "Nested") { try Table<Nested>().in(scene.store).create() }
  }

  @Test func `an impossible declaration is refused, and nothing is made`() throws {
    let scene = try RecordScene()
    expectError(.badDeclaration, entity: "Keyless") {
      try Table<Keyless>().in(scene.store).create()
    }
    expectError(.badDeclaration, entity: "Twice") { try Table<Twice>().in(scene.store).create() }
    expectError(.badDeclaration, entity: "Undecided") {
      try Table<Undecided>().in(scene.store).create()
    }
    expectError(.badDeclaration, entity: "Leaky", property: "isIll") {
      try Table<Leaky>().in(scene.store).create()
    }
    #expect(try scene.store.objectNames(among: ["Keyless", "Twice", "Leaky"]).isEmpty)
  }

  @Test func `a column that was added gets its default in older rows, and others are ignored`()
    throws
  {
    let scene = try RecordScene()
    try scene.fill(2)
    try scene.store.write { try $0.execute("ALTER TABLE \"Student\" ADD COLUMN subject TEXT") }
    let later = Table<LaterStudent>().in(scene.store)
    let stored = try later.fetchAll(orderBy: "ID")
    #expect(stored.map(\.level) == [3, 3])
    #expect(stored.map(\.city) == ["Paris", "Paris"])
    #expect(try later.columnNames().last == "city")
    #expect(try scene.students.fetchAll(orderBy: "ID").map(\.name) == ["S0", "S1"])
    try scene.store.write {
      try $0.execute("INSERT INTO \"Student\" (name, score) VALUES ('raw', 0)")
    }
    #expect(try later.latest()?.city == "Paris")
  }

  @Test
  func `a column that was added by hand is NULL in older rows and leaves the property as it is`()
    throws
  {
    let scene = try RecordScene()
    try scene.fill(1)
    try scene.store.write {
      try $0.execute("ALTER TABLE \"Student\" ADD COLUMN level INTEGER")
      try $0.execute("ALTER TABLE \"Student\" ADD COLUMN city TEXT")
    }
    #expect(try Table<LaterStudent>().in(scene.store).first()?.level == 3)
  }

  @Test func `indexes are made, unique ones hold, and a declared one is made later, too`() throws {
    let scene = try RecordScene()
    try scene.marks.insert(contentsOf: [Mark(1, "A", 5), Mark(2, "A", 6)])
    func indexes() throws -> Int {
      try scene.store.objectNames(among: ["byCourse", "byPoints"]).count
    }
    #expect(try indexes() == 2)
    let all = try scene.store.read { try $0.connection.schema.indexes(of: "Mark") }
    #expect(all.filter(\.isUnique).map(\.name) == ["byPoints"])
    expectError(.constraint, entity: "Mark") {
      try scene.marks.insert(contentsOf: [Mark(3, "A", 6)])
    }
    try scene.store.write { try $0.execute("DROP INDEX \"byCourse\"") }
    #expect(try indexes() == 1)
    #expect(try scene.marks.count() == 2)
    #expect(try indexes() == 2)
  }

  @Test func `one record type may be kept in several tables`() throws {
    let scene = try RecordScene()
    let (old, new) = (Table<Student>("old").in(scene.store), Table<Student>("new").in(scene.store))
    var student = Student("A")
    try old.insert(&student)
    #expect(try new.count() == 0)
    try new.insert(&student)
    try old.delete(student)
    #expect(try new.fetchAll() == [student])
    #expect(try old.count() == 0)
  }

  @Test func `a table of something else is refused`() throws {
    let scene = try RecordScene()
    try scene.store.write {
      try $0.execute(
        "CREATE TABLE \"Student\" (a TEXT PRIMARY KEY); CREATE TABLE \"Patient\" (id INTEGER PRIMARY KEY)"
      )
    }
    expectError(.schemaMismatch, entity: "Student") { _ = try scene.students.count() }
    expectError(.schemaMismatch, entity: "Patient") { _ = try scene.patients.count() }
    try scene.scene.save(Person.create(), in: scene.store)
    for name in ["Person", "PERSON"] {
      expectError(.schemaMismatch) { _ = try Table<Student>(name).in(scene.store).count() }
    }
  }

  @Test func `a table that a rolled back transaction has made is made again`() throws {
    struct Stop: Error {}
    let scene = try RecordScene()
    for _ in 0..<2 {
      #expect(throws: Stop.self) {
        try scene.store.write { (_) throws in
          try scene.fill(2)
          var patient = Patient("A", note: "n")
          try scene.patients.insert(&patient)
          throw Stop()
        }
      }
    }
    #expect(try scene.store.objectNames(among: ["Student"]).isEmpty)
    #expect(try scene.fill(2).map(\.id) == [1, 2])
    #expect(try scene.patients.count() == 0)
  }

  @Test func `a read that began before the table was made sees what was stored since`() throws {
    let scene = try RecordScene()
    try scene.store.read { (database) throws in
      #expect(try database.query("SELECT 1").count == 1)
      #expect(try scene.students.count() == 0)
    }
    try scene.fill(2)
    #expect(try scene.store.read { _ in try scene.students.count() } == 2)
  }

  @Test func `a table that another system has made is used as it is`() throws {
    let scene = try RecordScene()
    try scene.store.write {
      try $0.execute(
        TestPlace.sql(
          """
          CREATE TABLE "Student" ("ID" INTEGER PRIMARY KEY, name TEXT, age INTEGER, score REAL, photo BLOB, more TEXT)
          """,
          onServer: """
            CREATE TABLE "Student" ("ID" bigserial PRIMARY KEY, name varchar(80), age int, score double precision, \
            photo bytea, more text)
            """
        ) + "; INSERT INTO \"Student\" (name, more) VALUES ('A', 'x')"
      )
    }
    let first = try #require(try scene.students.first())
    #expect((first.id, first.name, first.age, first.score) == (1, "A", nil, 0))
    var second = Student("B")
    try scene.students.insert(&second)
    #expect(second.id == 2)
    #expect(try scene.students.truncate() == 2)
  }

  /// Kept for good, as a data access object of old.
  private static let students = Table<Student>()

  @Test func `a table can be kept for good, or made for each use`() throws {
    let scene = try RecordScene()
    try scene.store.write { _ in
      var student = Student("A")
      try RecordTableTests.students.insert(&student)
      #expect(try Table<Student>().fetch(key: 1) == student)
    }
  }

  @Test func `the current store is used where none was chosen`() throws {
    let scene = try RecordScene()
    let other = try RecordScene()
    try scene.store.write { _ in
      var student = Student("A")
      try Table<Student>().insert(&student)
      try Table<Student>().in(other.store).insert(contentsOf: [Student("B"), Student("C")])
    }
    #expect(try scene.students.count() == 1)
    #expect(try other.students.count() == 2)
  }

  @Test(arguments: ["", "nacre_new", "Nacre_x", "sqlite_new"])
  func `a table with a name of the store's own, or none, is refused`(name: String) throws {
    let test = try TestStore()
    let table = Table<Student>(name).in(test.store)
    expectError(.badDeclaration) { try table.create() }
    var student = Student("Ada")
    expectError(.badDeclaration) { try table.insert(&student) }
  }
}
