import NacreSQLite
import Testing

/// A connection is wary of its file and of misspelt SQL, whatever SQLite's own defaults are.
@Suite struct HardeningTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:", mode: .create)
    try connection.execute("CREATE TABLE t (a TEXT)")
  }

  @Test(arguments: [
    "SELECT \"misspelt\" FROM t", "SELECT a FROM t WHERE a = \"misspelt\"",
    "UPDATE t SET a = \"misspelt\"", "CREATE INDEX i ON t (\"misspelt\")",
    "CREATE TABLE u (a TEXT CHECK (a <> \"misspelt\"))",
  ])
  func `a name in double quotes is never a text`(_ sql: String) {
    #expect(throws: SQLiteError.self) { try connection.execute(sql) }
  }

  @Test func `no statement writes the schema table`() throws {
    try connection.execute("PRAGMA writable_schema = 1")
    #expect(throws: SQLiteError.self) {
      try connection.execute("UPDATE sqlite_schema SET sql = 'CREATE TABLE t (b)'")
    }
    try connection.execute("SELECT a FROM t")
  }
}
