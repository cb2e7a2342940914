import NacreEngine
import NacreSQLite
import Testing

/// The table-valued function that makes rows of a list of identifiers.
@Suite struct IdentifierTableTests {
  private let connection: Connection
  private let one = "11111111111111111111111111111111"
  private let two = "22222222222222222222222222222222"

  init() throws {
    connection = try Connection(path: ":memory:", mode: .create)
    try connection.defineTables()
  }

  private func rows(_ argument: String) throws -> [String] {
    let statement = try connection.prepare(
      "SELECT n, hex(id) FROM \(EngineTableFunction.identifiers)(\(argument))"
    )
    var rows: [String] = []
    while try statement.step() { rows.append("\(statement.int64(at: 0)) \(statement.text(at: 1))") }
    return rows
  }

  @Test func `each identifier is a row with its number`() throws {
    #expect(try rows("x'\(one)\(two)\(one)'") == ["0 \(one)", "1 \(two)", "2 \(one)"])
  }

  @Test func `what is no whole identifier is no row`() throws {
    #expect(try rows("x'\(one)22'") == ["0 \(one)"])
    for argument in ["NULL", "x''", "x'11'", "''", "7", "7.5"] { #expect(try rows(argument) == []) }
    #expect(try rows("'abcdefghijklmnopq'").count == 1)
  }

  @Test func `one statement reads several lists`() throws {
    let name = EngineTableFunction.identifiers
    let statement = try connection.prepare(
      """
      SELECT count(*) FROM \(name)(?1) a, \(name)(?2) b, (SELECT 1 UNION ALL SELECT 2) \
      WHERE a.id = b.id
      """
    )
    try [UInt8](repeating: 17, count: 48).withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
    try [UInt8](repeating: 17, count: 32).withUnsafeBytes { try statement.bind(blob: $0, at: 2) }
    for _ in 0..<2 {
      #expect(try statement.step())
      #expect(statement.int64(at: 0) == 12)
      statement.reset()
    }
  }

  @Test(arguments: [
    "SELECT * FROM nacre_identifiers", "CREATE VIRTUAL TABLE t USING nacre_identifiers",
    "INSERT INTO nacre_identifiers (id) VALUES (x'')", "DELETE FROM nacre_identifiers",
  ])
  func `it is a function and no table`(_ sql: String) throws {
    #expect(throws: SQLiteError.self) { try connection.execute(sql) }
  }

  @Test func `views of the file can't use it`() throws {
    try connection.execute("CREATE VIEW v AS SELECT * FROM nacre_identifiers(x'\(one)')")
    #expect(throws: SQLiteError.self) { try connection.execute("SELECT * FROM v") }
  }
}
