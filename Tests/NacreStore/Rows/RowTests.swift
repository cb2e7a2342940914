import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Rows of the caller's own SQL.
@Suite struct RowTests {
  let school: School

  init() throws { school = try School() }

  private func read<T>(_ body: (Database) throws -> T) throws -> T {
    try school.store.read { try body($0) }
  }

  @Test func `rows are values by the names of their columns`() throws {
    let sql = "SELECT name, age AS years, bonus, score FROM Pupil WHERE age IN (?) ORDER BY age"
    let rows = try read { try $0.rows(sql, [1, 4]) }
    #expect(rows.count == 2)
    #expect(rows[0].columns == ["name", "years", "bonus", "score"])
    #expect(rows[0]["name"] == "p01" && rows[0]["years"] == 1 && rows[1]["bonus"] == .null)
    #expect(rows[0]["age"] == nil && rows[0]["Name"] == nil)
    #expect(rows[0].values == ["p01", 1, 1, 0.5])
    #expect(rows[1].dictionary == ["name": "p04", "years": 4, "bonus": .null, "score": .null])
    let named = try read { try $0.rows("SELECT :a AS x, :b", ["a": "text", "b": nil]) }
    #expect(named[0]["x"] == "text" && named[0].values[1] == .null)
    #expect(try read { try $0.rows("SELECT 1 WHERE 0") }.isEmpty)
    // Fetched arrays can be changed.
    var others = rows
    others.removeFirst()
    #expect(others.count == 1 && rows.count == 2)
  }

  @Test func `the name of two columns means the first`() throws {
    let row = try read { try $0.rows("SELECT 1 AS a, 2 AS a, 3 AS b") }[0]
    #expect(row["a"] == 1 && row.dictionary == ["a": 1, "b": 3] && row.values == [1, 2, 3])
  }

  @Test func `a value is read as a type of Swift`() throws {
    let sql = "SELECT age, joined, objectID, fee, city, bonus FROM Pupil WHERE age = ?"
    let row = try read { try $0.rows(sql, 4) }[0]
    #expect(try row.value("age", as: Int.self) == 4)
    #expect(try row.value("age", as: Int8.self) == 4)
    #expect(try row.value("joined", as: Date.self) == School.day(4))
    #expect(try row.value("objectID", as: UUID.self) == school.pupils[4].objectID)
    #expect(try row.value("fee", as: Decimal.self) == Decimal(string: "4.1"))
    #expect(try row.value("bonus", as: Int?.self) == nil)
    let city: String = try row.value("city")
    #expect(city == "Gera")
    let wrong = thrown(.valueMismatch) { _ = try row.value("city", as: Int.self) }
    #expect(wrong?.detail?.contains("city") == true)
    expectError(.valueMismatch) { _ = try row.value("bonus", as: Int.self) }
    let missing = thrown(.noSuchColumn) { _ = try row.value("town", as: String.self) }
    #expect(missing?.detail == "town")
  }

  /// AYRecord's testQueryOne.
  @Test func `a statement gives one value, nil for no row and for NULL`() throws {
    try read { (database) throws in
      #expect(try database.value("SELECT count(*) FROM Pupil") == 20)
      #expect(try database.value("SELECT count(*) FROM Pupil WHERE age < ?", 3, as: Int.self) == 3)
      #expect(try database.value("SELECT max(joined) FROM Pupil", as: Date.self) == School.day(19))
      #expect(try database.value("SELECT name FROM Pupil WHERE age = :a", ["a": 2]) == "p02")
      #expect(try database.value("SELECT name FROM Pupil WHERE age = 99") == nil)
      #expect(try database.value("SELECT NULL") == nil)
      #expect(try database.value("SELECT 5", as: Int?.self) == 5)
    }
    expectError(.badStatement) { _ = try read { try $0.value("SELECT * FROM Pupil") } }
    expectError(.badStatement) { _ = try read { try $0.value("SELECT 1, 2 WHERE 0") } }
    expectError(.badStatement) { _ = try read { try $0.value("SELECT 1 WHERE ?") } }
    expectError(.valueMismatch) { _ = try read { try $0.value("SELECT 'a'", as: Int.self) } }
    // The statement can be asked again.
    #expect(try read { try $0.value("SELECT 1 WHERE 0", as: Int.self) } == nil)
  }

  /// AYRecord's testUpdate, testFindRecords.
  @Test func `statements change rows by place and by name`() throws {
    try school.store.write { (database) throws in
      #expect(try database.execute("UPDATE Pupil SET city = ? WHERE age < ?", "Hof", 3) == 3)
      let sql = "UPDATE Pupil SET city = :city WHERE age IN (:ages)"
      #expect(try database.execute(sql, ["city": "Rom", "ages": [1, 2, 3]]) == 3)
      #expect(database.changedRowCount == 3)
      let cities = try database.rows("SELECT city FROM Pupil WHERE age < 4 ORDER BY age")
      #expect(cities.map { $0["city"] } == ["Hof", "Rom", "Rom", "Rom"])
    }
    expectError(.badStatement) {
      try school.store.write { _ = try $0.execute("DELETE FROM Pupil WHERE age = :a", [:]) }
    }
    #expect(try Pupil.all.in(school.store).count() == 20)
  }

  // MARK: - Cursors

  @Test func `rows are read one after another`() throws {
    try read { (database) throws in
      let cursor = try database.cursor("SELECT age FROM Pupil WHERE age > ? ORDER BY age", 16)
      var ages: [Value?] = []
      while let row = try cursor.next() { ages.append(row["age"]) }
      #expect(ages == [17, 18, 19])
      #expect(try cursor.next() == nil)
      let named = try database.cursor("SELECT :a AS a UNION ALL SELECT :b", ["a": 1, "b": 2])
      #expect(try named.next()?.columns == ["a"])
      named.close()
      #expect(try named.next() == nil)
    }
    expectError(.badStatement) { _ = try read { try $0.cursor("SELECT ?") } }
    expectError(.badStatement) { _ = try read { try $0.cursor("SELECT nonesuch") } }
  }

  // In a process of its own: other tests, which run beside this one, take memory, too.
  @Test func `a million rows are read in constant memory`() async {
    await #expect(processExitsWith: .success) {
      let sql = """
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
        SELECT i, printf('%0200d', i) AS text FROM n
        """
      let test = try TestStore()
      let before = try residentKilobytes()
      let sum = try test.store.read { database in
        let cursor = try database.cursor(sql)
        var sum = 0
        while let row = try cursor.next() { sum += try row.value("i", as: Int.self) }
        return sum
      }
      #expect(sum == 500_000_500_000)
      // All of it would be 200 MB.
      #expect(try residentKilobytes() - before < 20_000)
    }
  }

  @Test func `a cursor ends with its read, and keeps no old state`() throws {
    let test = try TestStore {
      ($0.readerLimit, $0.maximumReaderCount, $0.busyTimeout) = (1, 1, 0.5)
    }
    try test.store.save((0..<600).map { _ in Wheel.create() })
    var rows: RowCursor?
    var wheels: EntityCursor<Wheel>?
    try test.store.read { (database) throws in
      let cursor = try database.cursor("SELECT * FROM Wheel")
      #expect(try cursor.next() != nil)
      rows = cursor
      wheels = try Wheel.cursor()
      #expect(try wheels?.next() != nil)
    }
    try test.store.save([Wheel.create()])
    #expect(try Wheel.all.in(test.store).count() == 601)
    expectError(.transactionState) { _ = try rows?.next() }
    expectError(.transactionState) { while try wheels?.next() != nil {} }
    try test.store.close()
  }

  @Test func `a cursor that outlived its read is refused in a later one on the same connection`()
    throws
  {
    let test = try TestStore {
      ($0.readerLimit, $0.maximumReaderCount, $0.busyTimeout) = (1, 1, 0.5)
    }
    try test.store.save((0..<600).map { _ in Wheel.create() })
    let wheels = try test.store.read { _ in
      let cursor = try Wheel.cursor()
      #expect(try cursor.next() != nil)
      return cursor
    }
    try test.store.read { (_) throws in
      expectError(.transactionState) { while try wheels.next() != nil {} }
      let closed = try Wheel.cursor()
      closed.close()
      #expect(try closed.next() == nil)
    }
  }
}

private func residentKilobytes() throws -> Int {
  #if os(Linux)
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  #else
  return 0
  #endif
}
