import NacreEngine
import NacreSQLite
import Testing

@Suite struct PrepareTests {
  let database: TemporaryDatabase
  let connection: Connection

  init() throws {
    database = try TemporaryDatabase()
    connection = try database.open(statementCacheCapacity: 3)
    try connection.execute(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 2)"
    )
  }

  @Test func `an error of preparing has its code and the text`() throws {
    let error = #expect(throws: SQLiteError.self) { try connection.prepare("SELEKT 1") }
    #expect(error?.code == 1)
    #expect(error?.sql == "SELEKT 1")
  }

  @Test(arguments: ["", " ", ";", "-- nothing", "/* nothing */"])
  func `a text without a statement is refused`(_ sql: String) {
    let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
    #expect(error?.isMisuse == true)
  }

  @Test(arguments: [
    "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE t", "SELECT 1;; x", "SELECT 1; -- c\nSELECT 2",
    "SELECT 1; /* c */ /", "SELECT 1; - -", "SELECT 1; /**/SELECT 2",
  ])
  func `a second statement is refused`(_ sql: String) {
    let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
    #expect(error?.isMisuse == true)
  }

  @Test(arguments: [
    "SELECT 1;", "SELECT 1; \n\t", "SELECT 1; -- the end", "SELECT 1; /* ** / */ ;",
    "SELECT 1; /* open", "SELECT 1 -- the end", "SELECT 1; /*", "SELECT 1; --",
  ])
  func `blanks and comments after the statement are taken`(_ sql: String) throws {
    #expect(try connection.prepare(sql).step())
  }

  @Test func `a NUL in the text is refused`() {
    let sql = "SELECT 1\0; DROP TABLE t"
    let prepared = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
    #expect(prepared?.isMisuse == true)
    let executed = #expect(throws: SQLiteError.self) { try connection.execute(sql) }
    #expect(executed?.isMisuse == true)
  }

  @Test func `execute runs every statement up to the failing one`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute(
        "INSERT INTO t VALUES (2, 0); -- c\n INSERT INTO t VALUES (2, 0); DELETE FROM t"
      )
    }
    #expect(error?.isUniqueConstraint == true)
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
  }

  @Test func `a cached statement is the same object without its bindings`() throws {
    let first = try connection.cached("SELECT ?1")
    try first.bind(Int64(7), at: 1)
    #expect(try first.step())
    #expect(try !first.step())
    let second = try connection.cached("SELECT ?1")
    #expect(first === second)
    #expect(try second.step())
    #expect(second.storageClass(at: 0) == .null)
  }

  @Test func `a statement being stepped is not handed out twice`() throws {
    let first = try connection.cached("SELECT id FROM t")
    #expect(try first.step())
    let second = try connection.cached("SELECT id FROM t")
    #expect(first !== second)
    #expect(try second.step())
    #expect(first.int64(at: 0) == 1)
    first.reset()
    #expect(try connection.cached("SELECT id FROM t") === first)
  }

  @Test func `the least recently used statement leaves a full cache`() throws {
    let one = try connection.cached("SELECT 1")
    let two = try connection.cached("SELECT 2")
    let three = try connection.cached("SELECT 3")
    #expect(try connection.cached("SELECT 1") === one)
    _ = try connection.cached("SELECT 4")
    #expect(try connection.cached("SELECT 1") === one)
    #expect(try connection.cached("SELECT 3") === three)
    #expect(try connection.cached("SELECT 2") !== two)
    #expect(try two.step(), "an evicted statement works as long as it is held")
  }

  @Test func `a cleared cache prepares anew`() throws {
    let one = try connection.cached("SELECT 1")
    connection.clearCache()
    #expect(try connection.cached("SELECT 1") !== one)
  }

  @Test func `texts that are equal only canonically are different statements`() throws {
    let composed = try connection.cached("SELECT length('\u{e9}')")
    let decomposed = try connection.cached("SELECT length('e\u{301}')")
    #expect(composed !== decomposed)
    #expect(try composed.step())
    #expect(try decomposed.step())
    #expect(composed.int64(at: 0) == 1)
    #expect(decomposed.int64(at: 0) == 2)
  }

  @Test func `a cached statement follows the schema`() throws {
    let statement = try connection.cached("SELECT * FROM t")
    #expect(statement.columnCount == 2)
    try connection.execute("ALTER TABLE t ADD COLUMN w")
    #expect(try statement.step())
    #expect(statement.columnCount == 3)
  }

  @Test func `a closed connection and its statements answer with an error`() throws {
    let cached = try connection.cached("SELECT ?1")
    try connection.close()
    try connection.close()
    let stepped = #expect(throws: SQLiteError.self) { try cached.step() }
    #expect(stepped?.isMisuse == true)
    let bound = #expect(throws: SQLiteError.self) { try cached.bind(Int64(1), at: 1) }
    #expect(bound?.isMisuse == true)
    cached.clearBindings()
    cached.reset()
    #expect(cached.text(at: 0) == "")
    #expect(cached.columnName(at: 0) == "")
    #expect(cached.parameterName(at: 1) == nil)
    let prepared = #expect(throws: SQLiteError.self) { try connection.prepare("SELECT 1") }
    #expect(prepared?.isMisuse == true)
    #expect(connection.changes == 0)
  }

  @Test func `closing under a living statement is refused and harmless`() throws {
    let statement = try connection.prepare("SELECT 5")
    let error = #expect(throws: SQLiteError.self) { try connection.close() }
    #expect(error?.isBusy == true)
    #expect(try statement.step())
    #expect(statement.int64(at: 0) == 5)
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `a statement outlives its connection`() throws {
    var other: Connection? = try database.open()
    let statement = try #require(try other?.prepare("SELECT v FROM t"))
    try other?.begin(.immediate)
    other = nil
    #expect(try statement.step())
    #expect(statement.int64(at: 0) == 2)
    try connection.execute("INSERT INTO t VALUES (2, 0)")
  }

  @Test func `a cached pragma sets what it says, and is noted, each time that it runs`() throws {
    #expect(connection.settingsOfSQL == [])
    for milliseconds in [100, 200, 100] {
      try connection.cached("PRAGMA Busy_Timeout = \(milliseconds)").run()
      #expect(connection.settingsOfSQL == [.busyTimeout])
      #expect(try connection.pragma("busy_timeout") == "\(milliseconds)")
      connection.forgetSettingsOfSQL()
    }
    try connection.cached("PRAGMA busy_timeout").run()
    try connection.execute("PRAGMA cache_size = 100; SELECT 'PRAGMA synchronous = 1'")
    #expect(connection.settingsOfSQL == [])
  }
}
