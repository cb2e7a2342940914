#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A connection with three tables, and statements that write their rows.
struct BatchScene {
  let url: String
  let connection: PostgresConnection

  init() throws {
    url = try TestPlace.newSchema()
    connection = try TestServer.connect(to: url)
    try connection.execute(
      """
      CREATE TABLE "T" ("objectID" uuid PRIMARY KEY, "number" bigint UNIQUE, "flag" bool, "bytes" bytea, \
      "small" int2, "middle" int4, "text" text, "short" varchar, "single" float4, "double" float8, "json" json); \
      CREATE TABLE "P" ("objectID" uuid PRIMARY KEY); \
      CREATE TABLE "L" ("objectID" uuid PRIMARY KEY, \
      "p" uuid REFERENCES "P" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED)
      """
    )
  }

  let columns = [
    "number", "flag", "bytes", "small", "middle", "text", "short", "single", "double", "json",
  ]

  var insert: String {
    let names = (["objectID"] + columns).map { "\"\($0)\"" }.joined(separator: ", ")
    let marks = (0...columns.count).map { "?\($0 + 1)" }.joined(separator: ", ")
    return "INSERT INTO \"T\" (\(names)) VALUES (\(marks))"
  }

  var update: String {
    let sets = columns.enumerated().map { "\"\($1)\" = ?\($0 + 2)" }.joined(separator: ", ")
    return "UPDATE \"T\" SET \(sets) WHERE \"objectID\" = ?1"
  }

  static func id(_ number: Int) -> Value {
    .blob(Data(repeating: 0, count: 15) + [UInt8(truncatingIfNeeded: number)])
  }

  /// The values of a row: those that arrays could mistake, and NULL in a column that is another one in each row.
  func row(_ number: Int) -> [Value] {
    let texts = ["", "NULL", "{a,\"b\"}", "\\", "\"", "ä, 'x'", "\\N", "{}"]
    let blobs = [Data(), Data([0, 0x5C, 0x27, 0xFF]), Data("NULL".utf8), Data("\\x00".utf8)]
    let text = Value.text(texts[number % texts.count])
    var values: [Value] = [
      .integer(Int64(number)), .integer(Int64(number % 2)), .blob(blobs[number % blobs.count]),
      .integer(-1), .integer(Int64(Int32.min)), text, text, .real(0.5), .real(-.infinity),
      .text("{\"a\": null}"),
    ]
    if number % (columns.count + 1) > 0 { values[number % (columns.count + 1) - 1] = .null }
    return values
  }

  /// Sends a write whose end notes the number of rows, or its number if it has written none.
  func send(_ sql: String, _ values: [Value], _ write: PendingWrite) throws {
    let statement: PostgresStatement = try connection.cached(sql)
    for (index, value) in values.enumerated() {
      try statement.bind(value, at: Int32(index + 1))
    }
    try statement.send(write)
  }

  func send(_ sql: String, _ values: [Value]) throws { try send(sql, values, .rows()) }

  /// The error of a row that was not written.
  struct Failed: Error, Equatable { let number: Int }

  func one(_ number: Int) -> PendingWrite {
    .row(isNew: true) { _ in Failed(number: number) }
  }

  /// Returns the number of the row that an error blames.
  func blamed(_ body: () throws -> Void) -> Int? {
    let error = #expect(throws: (any Error).self, performing: body)
    return ((error as? PostgresError)?.origin as? Failed)?.number
  }

  func stored() throws -> [[Value]] {
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let statement: PostgresStatement = try connection.cached(
      "SELECT \(names) FROM \"T\" ORDER BY \"objectID\""
    )
    defer { statement.reset() }
    var rows: [[Value]] = []
    while try statement.step() {
      rows.append((0..<Int32(columns.count)).map { statement.value(at: $0) })
    }
    return rows
  }

  /// Runs statements twice, so that rows are gathered from then on, and nothing has to be prepared.
  func warmUp(_ statements: (sql: String, values: [Value])...) throws {
    struct Stop: Error {}
    for isLast in [false, true] {
      try? connection.transaction(.deferred) {
        for statement in statements { try send(statement.sql, statement.values) }
        guard isLast else { throw Stop() }
      }
    }
  }

  let insertNumber = "INSERT INTO \"T\" (\"objectID\", \"number\") VALUES (?1, ?2)"
  let updateNumber = "UPDATE \"T\" SET \"number\" = ?2 WHERE \"objectID\" = ?1"
}
#endif
