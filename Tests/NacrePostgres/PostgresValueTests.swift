#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

@Suite struct PostgresValueTests {
  private static let columns = """
    "i" bigint, "r" double precision, "t" text COLLATE "C", "b" bytea, "u" uuid, "a" nacre_value, "f" boolean, \
    "s" smallint, "n" numeric
    """

  private func connection() throws -> PostgresConnection {
    let connection = try TestServer.connect()
    try connection.execute("\(WireType.createAny); CREATE TABLE \"v\" (\(Self.columns))")
    return connection
  }

  @Test(
    arguments: [
      ("i", .integer(0)), ("i", .integer(.min)), ("i", .integer(.max)), ("r", .real(0.1)),
      ("r", .real(-.infinity)),
      ("r", .real(.leastNonzeroMagnitude)), ("t", .text("")), ("t", .text("Grüße 🐚 '\\\"")),
      ("b", .blob(Data())),
      ("b", .blob(Data([0, 255, 39, 92]))), ("u", .blob(Data(repeating: 7, count: 16))),
      ("a", .integer(-5)),
      ("a", .real(1.5)), ("a", .text("x")), ("a", .text("")), ("a", .blob(Data([0, 1]))),
      ("a", .blob(Data())),
      ("f", .integer(1)), ("s", .integer(-32_768)), ("n", .integer(10_000_000_000_000_000)),
      ("n", .integer(.min)),
      ("n", .real(-12.0625)), ("n", .real(1e-9)), ("i", .null), ("a", .null), ("b", .null),
      ("t", .null),
    ] as [(String, Value)]
  )
  func `a value comes back as it was stored`(column: String, value: Value) throws {
    let connection = try connection()
    try connection.run("INSERT INTO \"v\" (\"\(column)\") VALUES (?1)", [value])
    #expect(connection.changes == 1)
    #expect(try connection.values("SELECT \"\(column)\" FROM \"v\"") == [value])
    // A column of a type that is read as text makes texts of all.
    let statement: PostgresStatement = try connection.prepare(
      "SELECT \"\(column)\", now() FROM \"v\""
    )
    #expect(try statement.step())
    if column != "a" { #expect(statement.value(at: 0) == value) }
    #expect(statement.storageClass(at: 1) == .text)
    #expect(!statement.isBinary)
  }

  @Test(
    arguments: [
      ("i", .real(1.6)), ("i", .text("one")), ("i", .blob(Data())), ("s", .integer(32_768)),
      ("f", .integer(2)),
      ("t", .text("a\u{0}b")), ("a", .text("\u{0}")), ("t", .blob(Data())), ("b", .text("x")),
      ("b", .integer(1)),
      ("u", .blob(Data(count: 15))), ("u", .text("x")), ("r", .text("1 2")), ("u", .integer(1)),
    ] as [(String, Value)]
  )
  func `a value that a column can't hold is refused before it is sent`(column: String, value: Value)
    throws
  {
    let connection = try connection()
    try connection.begin(.deferred)
    expect(value.holdsNUL ? .badValue : .badStatement) {
      try connection.run("INSERT INTO \"v\" (\"\(column)\") VALUES (?1)", [value])
    }
    // The server has seen nothing of it.
    #expect(try connection.values("SELECT count(*) FROM \"v\"") == [.integer(0)])
    try connection.rollback()
  }

  @Test
  func `an integer is a text for a column of texts, and a real without a fraction an integer`()
    throws
  {
    let connection = try connection()
    try connection.run(
      "INSERT INTO \"v\" (\"t\", \"i\", \"r\") VALUES (?1, ?2, ?3)",
      [.integer(12), .real(3), .integer(4)]
    )
    #expect(try connection.values("SELECT \"t\" FROM \"v\"") == [.text("12")])
    #expect(try connection.values("SELECT \"i\" FROM \"v\"") == [.integer(3)])
    #expect(try connection.values("SELECT \"r\" FROM \"v\"") == [.real(4)])
  }

  @Test(arguments: [0, 1, 3, 1000])
  func `a list of identifiers is one parameter`(count: Int) throws {
    let connection = try connection()
    let identifiers = (0..<count).map { number -> Data in
      let end: [UInt8] = [0, 0, UInt8(number / 250), 1]
      return Data(repeating: UInt8(number % 250), count: 12) + end
    }
    let found = try connection.values(
      "SELECT \"id\" FROM unnest(?1::uuid[]) WITH ORDINALITY AS u(\"id\", \"n\") ORDER BY \"n\"",
      [.blob(identifiers.reduce(Data(), +))]
    )
    #expect(found == identifiers.map { .blob($0) })
    expect(.badStatement) {
      _ = try connection.values("SELECT ?1::uuid[]", [.blob(Data(count: 17))])
    }
  }

  @Test func `numbers of any size are read to the nearest real`() throws {
    let connection = try connection()
    let texts = [
      "123456789012345678901234567890", "-0.1", "1e300", "0.00001", "99999999.99999999", "0",
    ]
    for text in texts {
      let value = try connection.values("SELECT '\(text)'::numeric").first
      #expect(value == (text == "0" ? .integer(0) : .real(try #require(Double(text)))))
    }
    #expect(try connection.values("SELECT sum(x) FROM generate_series(1, 4) x") == [.integer(10)])
  }

  @Test func `an error shows neither a value nor the server's detail`() throws {
    let connection = try connection()
    try connection.execute("CREATE UNIQUE INDEX \"v__t\" ON \"v\" (\"t\")")
    let insert = "INSERT INTO \"v\" (\"t\") VALUES (?1)"
    try connection.run(insert, [.text("hunter2")])
    let error = #expect(throws: PostgresError.self) {
      try connection.run(insert, [.text("hunter2")])
    }
    #expect(error?.violation == ConstraintViolation(kind: .unique, place: "v.t"))
    #expect(error.map { !"\($0)".contains("hunter2") } ?? false)
    let cast = #expect(throws: PostgresError.self) {
      _ = try connection.values("SELECT ?1::text::bigint", [.text("hunter2")])
    }
    #expect(cast.map { !"\($0)".contains("hunter2") } ?? false)
  }

  @Test func `a number whose digits are none is no value, and no trap`() {
    // One digit of 65,535 to the base 10,000, and a place behind the point.
    let bytes: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 1, 0xff, 0xff]
    bytes.withUnsafeBytes { bytes in
      guard case .null = Cell.binary(.numeric, bytes) else {
        Issue.record("it was read")
        return
      }
    }
  }

  @Test func `another session looks anew for the type of columns of any class`() throws {
    let url = try TestPlace.newSchema()
    let other = try TestServer.connect(to: url)
    let (create, drop) = (
      "CREATE TABLE \"v\" (\"a\" \(WireType.anyName))", "DROP TYPE \(WireType.anyName) CASCADE"
    )
    try other.execute("\(WireType.createAny); \(create)")
    let connection = try TestServer.connect(to: url)
    let select = "SELECT \"a\" FROM \"v\""
    #expect(try connection.values(select) == [])
    // The session is lost, and the database restored, in which the type has another number.
    connection.session.close()
    try other.execute("\(drop); DROP TABLE \"v\"; \(WireType.createAny); \(create)")
    try other.execute("INSERT INTO \"v\" VALUES (ROW(7, NULL, NULL, NULL))")
    #expect(try connection.values(select) == [.integer(7)])
  }
}

extension Value {
  /// Whether it is a text with a NUL, which the server holds in no column.
  fileprivate var holdsNUL: Bool {
    if case .text(let text) = self { text.utf8.contains(0) } else { false }
  }
}
#endif
