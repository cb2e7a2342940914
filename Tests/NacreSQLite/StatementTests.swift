import Foundation
import NacreEngine
import NacreSQLite
import Testing

@Suite struct StatementTests {
  let database: TemporaryDatabase
  let connection: Connection

  init() throws {
    database = try TemporaryDatabase()
    connection = try database.open()
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
  }

  private func roundTrip<Value>(
    _ bind: (Statement) throws -> Void,
    _ read: (Statement) -> Value
  ) throws -> (value: Value, storage: StorageClass) {
    let insert = try connection.cached("INSERT INTO t (v) VALUES (?1)")
    try bind(insert)
    try insert.run()
    let select = try connection.cached("SELECT v FROM t ORDER BY id DESC LIMIT 1")
    #expect(try select.step())
    defer { select.reset() }
    let storage = select.storageClass(at: 0)
    return (read(select), storage)
  }

  @Test(arguments: [Int64.min, Int64.min + 1, -1, 0, 1, 127, 1 << 47, Int64.max])
  func `an integer comes back as it was bound`(_ value: Int64) throws {
    let result = try roundTrip({ try $0.bind(value, at: 1) }, { $0.int64(at: 0) })
    #expect(result.value == value)
    #expect(result.storage == .integer)
  }

  @Test(arguments: [
    0.0, -0.0, 0.1, 1.5e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
    -.infinity,
  ])
  func `a double comes back as it was bound`(_ value: Double) throws {
    let result = try roundTrip({ try $0.bind(value, at: 1) }, { $0.double(at: 0) })
    #expect(result.value == value)
    #expect(result.storage == .real)
  }

  @Test func `a NaN is stored as NULL`() throws {
    let result = try roundTrip({ try $0.bind(.nan, at: 1) }, { $0.double(at: 0) })
    #expect(result.storage == .null)
  }

  @Test(arguments: [
    "", "a", "fifteen bytes..", "sixteen bytes...", "\0", "before\0after", "é e\u{301} 漢字 🐚",
    String(repeating: "long ", count: 100_000),
  ])
  func `a text comes back as it was bound`(_ value: String) throws {
    let result = try roundTrip(
      { try $0.bind(text: value, at: 1) },
      { ($0.text(at: 0), $0.byteCount(at: 0)) }
    )
    #expect(Array(result.value.0.utf8) == Array(value.utf8))
    #expect(result.value.1 == value.utf8.count)
    #expect(result.storage == .text)
  }

  @Test(arguments: [1, 63, 64, 65, 200])
  func `a text and a blob stay bound until they are bound again`(_ count: Int) throws {
    try connection.execute("CREATE TABLE three (a, b, c)")
    let insert = try connection.cached("INSERT INTO three VALUES (?1, ?2, ?3)")
    func bind(_ letter: String, at index: Int32) throws {
      // The bytes of the caller are gone when the statement runs.
      try insert.bind(text: String(repeating: letter, count: count), at: index)
    }
    func bind(_ byte: UInt8, at index: Int32) throws {
      try Array(repeating: byte, count: count).withUnsafeBytes {
        try insert.bind(blob: $0, at: index)
      }
    }
    try bind("a", at: 1)
    try bind(7, at: 2)
    try bind("b", at: 3)
    try insert.run()
    // The first two keep their values; the third is now a shorter blob.
    try [UInt8](repeating: 9, count: 1).withUnsafeBytes { try insert.bind(blob: $0, at: 3) }
    try insert.run()
    let rows = try connection.text("SELECT group_concat(a || hex(b) || hex(c)) FROM three")
    let first = String(repeating: "a", count: count) + String(repeating: "07", count: count)
    #expect(rows == first + String(repeating: "62", count: count) + "," + first + "09")
  }

  @Test func `a text that is bound while its statement is stepped changes no bound value`() throws {
    try connection.execute("INSERT INTO t (v) VALUES ('x'), ('y'), ('x')")
    let select = try connection.cached("SELECT id FROM t WHERE v = ?1 ORDER BY id")
    try select.bind(text: "x", at: 1)
    #expect(try select.step())
    #expect(throws: SQLiteError.self) { try select.bind(text: "y", at: 1) }
    #expect(try select.step())
    #expect(select.int64(at: 0) == 3)
    select.reset()
  }

  @Test func `more parameters than are kept in place hold their texts, too`() throws {
    let places = (1...100).map { "?\($0)" }
    let select = try connection.cached("SELECT \(places.joined(separator: " || ','"  + " || "))")
    for index in 1...100 { try select.bind(text: "text \(index)", at: Int32(index)) }
    #expect(try select.step())
    #expect(select.text(at: 0) == (1...100).map { "text \($0)" }.joined(separator: ","))
    select.reset()
  }

  @Test func `a text bridged from Foundation comes back as it was bound`() throws {
    let value = NSString(string: "bridged 漢字") as String
    let result = try roundTrip({ try $0.bind(text: value, at: 1) }, { $0.text(at: 0) })
    #expect(result.value == value)
  }

  @Test func `text that is not UTF-8 is repaired and not refused`() throws {
    #expect(try connection.text("SELECT CAST(x'61ff62' AS TEXT)") == "a\u{fffd}b")
  }

  @Test func `a blob of no bytes is not NULL`() throws {
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    let copied = try roundTrip({ try $0.bind(blob: empty, at: 1) }, { $0.byteCount(at: 0) })
    #expect(copied.storage == .blob)
    #expect(copied.value == 0)
    let unowned = try roundTrip(
      { try $0.bind(unownedBlob: empty, at: 1) },
      { $0.blob(at: 0).count }
    )
    #expect(unowned.storage == .blob)
    let null = try roundTrip({ try $0.bindNull(at: 1) }, { $0.blob(at: 0).count })
    #expect(null.storage == .null)
    #expect(null.value == 0)
  }

  @Test func `a blob is copied when it is bound`() throws {
    let result = try roundTrip(
      { statement in
        var bytes: [UInt8] = [0, 1, 254, 255]
        try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
        bytes.withUnsafeMutableBytes { $0.copyBytes(from: [9, 9, 9, 9]) }
      },
      { Array($0.blob(at: 0)) }
    )
    #expect(result.value == [0, 1, 254, 255])
  }

  @Test func `an unowned blob is read when the statement runs`() throws {
    var bytes: [UInt8] = [1, 2, 3]
    try bytes.withUnsafeMutableBytes { buffer in
      let insert = try connection.prepare("INSERT INTO t (v) VALUES (?1)")
      try insert.bind(unownedBlob: UnsafeRawBufferPointer(buffer), at: 1)
      buffer[0] = 7
      try insert.run()
    }
    #expect(try connection.text("SELECT hex(v) FROM t") == "070203")
  }

  @Test func `a blob of 100 MB comes back as it was bound`() throws {
    var bytes = [UInt8](repeating: 0xab, count: 100_000_000)
    bytes[0] = 1
    bytes[99_999_999] = 2
    let result = try roundTrip(
      { statement in try bytes.withUnsafeBytes { try statement.bind(unownedBlob: $0, at: 1) } },
      { statement in bytes.withUnsafeBytes { $0.elementsEqual(statement.blob(at: 0)) } }
    )
    #expect(result.value)
  }

  @Test func `a blob longer than 2 GiB is refused without being read`() throws {
    let count = Int(Int32.max) + 2
    let pages = try #require(
      mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    )
    defer { munmap(pages, count) }
    let insert = try connection.prepare("INSERT INTO t (v) VALUES (?1)")
    let bytes = UnsafeRawBufferPointer(start: pages, count: count)
    let copied = #expect(throws: SQLiteError.self) { try insert.bind(blob: bytes, at: 1) }
    #expect(copied?.isTooBig == true)
    let unowned = #expect(throws: SQLiteError.self) { try insert.bind(unownedBlob: bytes, at: 1) }
    #expect(unowned?.isTooBig == true)
    try insert.bind(Int64(1), at: 1)
    try insert.run()
    #expect(connection.changes == 1)
  }

  @Test func `parameters are named and counted`() throws {
    let statement = try connection.prepare("SELECT :a, @b, ?7, :a")
    #expect(statement.parameterCount == 7)
    let names = (1...7).map { statement.parameterName(at: $0) }
    #expect(names == [":a", "@b", nil, nil, nil, nil, "?7"])
    #expect(statement.columnCount == 4)
    #expect(statement.isReadOnly)
    #expect(try !connection.prepare("DELETE FROM t").isReadOnly)
  }

  @Test func `columns are named`() throws {
    let statement = try connection.prepare("SELECT id, v AS \"vé\" FROM t")
    #expect(statement.columnName(at: 0) == "id")
    #expect(statement.columnName(at: 1) == "vé")
    #expect(statement.columnName(at: 2) == "")
  }

  @Test func `binding beyond the parameters is an error`() throws {
    let statement = try connection.prepare("SELECT ?1")
    for index: Int32 in [0, 2, -1] {
      let error = #expect(throws: SQLiteError.self) { try statement.bind(Int64(1), at: index) }
      #expect(error?.isRange == true)
    }
  }

  @Test func `binding to a statement that is being stepped is an error`() throws {
    let statement = try connection.prepare("SELECT 1 WHERE ?1 IS NULL")
    #expect(try statement.step())
    #expect(statement.isBusy)
    let error = #expect(throws: SQLiteError.self) { try statement.bind(Int64(1), at: 1) }
    #expect(error?.isMisuse == true)
    statement.reset()
    #expect(!statement.isBusy)
    try statement.bind(Int64(1), at: 1)
    #expect(try !statement.step())
  }

  @Test func `bindings stay over a reset until they are cleared`() throws {
    let statement = try connection.prepare("SELECT ?1")
    try statement.bind(Int64(5), at: 1)
    _ = try statement.step()
    statement.reset()
    _ = try statement.step()
    #expect(statement.int64(at: 0) == 5)
    statement.reset()
    statement.clearBindings()
    _ = try statement.step()
    #expect(statement.storageClass(at: 0) == .null)
  }

  @Test func `a failed step leaves the statement ready for the next`() throws {
    try connection.execute("CREATE UNIQUE INDEX u ON t (v)")
    let insert = try connection.prepare("INSERT INTO t (v) VALUES (?1)")
    try insert.bind(Int64(1), at: 1)
    try insert.run()
    let error = #expect(throws: SQLiteError.self) { try insert.run() }
    #expect(error?.isUniqueConstraint == true)
    try insert.bind(Int64(2), at: 1)
    try insert.run()
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    #expect(connection.lastInsertRowID == 2)
    #expect(connection.totalChanges == 2)
  }

  @Test func `running a statement with rows goes through all of them`() throws {
    let insert = try connection.prepare(
      "INSERT INTO t (v) VALUES (1), (2), (3) RETURNING id"
    )
    try insert.run()
    #expect(try connection.integer("SELECT count(*) FROM t") == 3)
  }
}
