import Foundation
import NacreCore
import NacreOpen
import NacreRecords
import NacreUpkeep
import Testing
@testable import TestSupport

/// Rows of foreign files that become records.
@Suite struct RecordAdoptionTests {
  private let test: RecordScene

  init() throws { test = try RecordScene() }

  private func adopt(
    _ sql: String,
    _ table: AdoptedTable,
    misfits: MisfitTreatment = .refuse
  ) throws -> AdoptionReport {
    let foreign = try ForeignDatabase(sql)
    return try test.store.adopt(
      foreign.path,
      by: AdoptionMapping(tables: [table]),
      misfits: misfits
    )
  }

  @Test(
    .sqliteOnly(
      "on a server the keys that are generated do not go on after those of adopted records"
    )
  )
  func `records keep their keys, and the database goes on counting after them`() throws {
    try test.students.create()
    let report = try adopt(
      "CREATE TABLE s (n INTEGER PRIMARY KEY, t TEXT); INSERT INTO s VALUES (7, 'Ada'), (9, 'Bob');",
      AdoptedTable(
        "s",
        record: "student",
        properties: ["ID": "n", "name": "t", "age": .constant(5)]
      )
    )
    #expect(report.objects == ["Student": 2] && report.misfits == [])
    var next = Student("Cid")
    try test.students.insert(&next)
    let students = try test.students.all.ordered(by: "ID").fetchAll()
    #expect(students.map(\.id) == [7, 9, 10])
    #expect(students.map(\.name) == ["Ada", "Bob", "Cid"])
    #expect(students.map(\.age) == [5, 5, nil])
  }

  @Test func `sealed columns of records are sealed`() throws {
    try test.patients.create()
    let report = try adopt(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, ward TEXT, note TEXT, number TEXT, weight REAL);
      INSERT INTO p VALUES (3, 'A', 'MARKER note', 'MARKER-1', 70.5), (4, 'B', NULL, NULL, 60),
        (5, 'B', 'MARKER other', 'MARKER-1', 60), (6, 'B', NULL, NULL, NULL);
      """,
      AdoptedTable(
        "p",
        record: "Patient",
        properties: [
          "id": "id", "ward": "ward", "note": "note", "number": "number", "weight": "weight",
        ]
      ),
      misfits: .leaveOut
    )
    #expect(report.objects == ["Patient": 2])
    let found = report.misfits.map { "\($0.column ?? "-") \($0.reason) \($0.rows)" }
    #expect(found == ["number duplicateValue [5]", "weight missingValue [6]"])
    let patients = try test.patients.all.ordered(by: "id").fetchAll()
    #expect(patients.map(\.id) == [3, 4])
    #expect(patients.map(\.note) == ["MARKER note", nil])
    #expect(patients.map(\.weight) == [70.5, 60])
    #expect(try test.store.verify().isSound)
    let bytes = try test.scene.fileBytes().values.reduce(Data(), +)
    #expect(bytes.range(of: Data("MARKER".utf8)) == nil)
  }

  @Test(.sqliteOnly("one of its keys is NULL, for which a server generates none"))
  func `keys and unique columns of records are taken once`() throws {
    try test.students.create()
    try test.marks.create()
    let students = try adopt(
      """
      CREATE TABLE s (n INTEGER, t TEXT);
      INSERT INTO s VALUES (1, 'Ada'), (1, 'Bob'), (2, 'Ada'), (NULL, 'Cid'), (3, NULL);
      """,
      AdoptedTable("s", record: "Student", properties: ["ID": "n", "name": "t"]),
      misfits: .list
    )
    let found = students.misfits.map { "\($0.column ?? "-") \($0.reason) \($0.rows)" }
    #expect(
      found == ["n duplicateValue [2]", "t duplicateValue [3]", "t missingValue [5]"]
    )
    let marks = try adopt(
      "CREATE TABLE m (s, c, p); INSERT INTO m VALUES (1, 'x', 5), (2, 'x', 4), (1, 'x', 3);",
      AdoptedTable(
        "m",
        record: "Mark",
        properties: ["student": "s", "course": "c", "points": "p"]
      ),
      misfits: .list
    )
    #expect(marks.misfits.map(\.reason) == [.duplicateValue])
    #expect(marks.misfits.map(\.rows) == [[3]])
    #expect(try test.students.count() == 0 && test.marks.count() == 0)
  }

  @Test func `a constraint that only the database knows ends the adoption, and changes nothing`()
    throws
  {
    try test.store.write { try $0.execute("CREATE TABLE plain (a INTEGER CHECK (a < 5))") }
    let table = AdoptedTable("t", record: "plain", properties: ["a": "a"])
    let sql = "CREATE TABLE t (a); INSERT INTO t VALUES (1), (7);"
    do {
      _ = try adopt(sql, table)
      Issue.record("the constraint was ignored")
    } catch let error as NacreError {
      #expect(error.code == .constraint && error.entity == "plain")
    }
    #expect(try test.store.read { try $0.query("SELECT count(*) FROM plain") } == [[0]])
  }

  /// The application's own foreign keys are checked at each statement, unless they are deferred.
  @Test(
    .sqliteOnly(
      "a server checks the application's own foreign keys at once unless they are DEFERRABLE"
    )
  )
  func `a record may refer to one that comes later in the file, but not to none`() throws {
    let part = "CREATE TABLE part (id INTEGER PRIMARY KEY, whole INTEGER REFERENCES part (id))"
    try test.store.write { try $0.execute(part) }
    let table = AdoptedTable("p", record: "part", properties: ["id": "id", "whole": "whole"])
    func rows(_ values: String) -> String {
      "CREATE TABLE p (id INTEGER PRIMARY KEY, whole INTEGER); INSERT INTO p VALUES \(values);"
    }
    expectError(.constraint) { _ = try adopt(rows("(1, 2), (2, 9)"), table) }
    #expect(try test.store.read { try $0.query("SELECT count(*) FROM part") } == [[0]])
    #expect(try adopt(rows("(1, 2), (2, 3), (3, 1)"), table).objects == ["part": 3])
    let stored = try test.store.read { try $0.query("SELECT id, whole FROM part ORDER BY id") }
    #expect(stored == [[1, 2], [2, 3], [3, 1]])
  }

  @Test func `columns that a record does not have, or that need a value, are told`() throws {
    try test.students.create()
    for properties: [String: AdoptedValue] in [["name": "t", "nobody": "t"], [:]] {
      expectError(.badMapping, entity: "Student") {
        _ = try adopt(
          "CREATE TABLE s (t TEXT)",
          AdoptedTable("s", record: "Student", properties: properties)
        )
      }
    }
  }
}
