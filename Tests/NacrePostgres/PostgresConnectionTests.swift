#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

@Suite struct PostgresConnectionTests {
  private func counted() throws -> PostgresConnection {
    let connection = try TestServer.connect()
    try connection.execute(
      "CREATE TABLE \"t\" (\"a\" bigint PRIMARY KEY, \"b\" text COLLATE \"C\")"
    )
    return connection
  }

  // MARK: Statements

  @Test func `a statement runs again with other values, and keeps those that are not bound anew`()
    throws
  {
    let connection = try counted()
    let insert: PostgresStatement = try connection.prepare("INSERT INTO \"t\" VALUES (:a, :b)")
    #expect(insert.parameterCount == 2)
    #expect(insert.parameterName(at: 2) == ":b")
    try insert.bind(text: "x", at: 2)
    for number in 1...3 as ClosedRange<Int64> {
      try insert.bind(number, at: 1)
      try insert.run()
    }
    #expect(
      try connection.values("SELECT \"b\" FROM \"t\"") == [.text("x"), .text("x"), .text("x")]
    )
    #expect(connection.totalChanges == 3)
  }

  @Test func `statements that the session was made to forget are prepared anew, and nothing fails`()
    throws
  {
    let connection = try TestServer.connect()
    let ask = { for number in 0..<40 { _ = try connection.values("SELECT \(number)::bigint") } }
    try ask()
    for words in ["DEALLOCATE ALL", "DISCARD ALL"] {
      try connection.execute(words)
      try ask()
      // The server is told of statements that nobody uses once there are many.
      connection.clearCache()
      try ask()
    }
  }

  @Test func `numbers of parameters may have gaps`() throws {
    let connection = try TestServer.connect()
    let values: [Value] = [.text("a"), .blob(Data([1])), .text("c"), .integer(4)]
    #expect(
      try connection.values("SELECT ?3::text || ?1::text || ?3::text", Array(values[..<3])) == [
        .text("cac")
      ]
    )
    #expect(try connection.values("SELECT ?4::bigint", values) == [.integer(4)])
  }

  @Test func `statements are stepped in turns`() throws {
    let connection = try TestServer.connect()
    let sql = "SELECT x FROM generate_series(1, 5) x ORDER BY x"
    let one: PostgresStatement = try connection.cached(sql)
    #expect(try one.step())
    let two: PostgresStatement = try connection.cached(sql)
    #expect(two !== one)
    var found: [Int64] = []
    repeat {
      #expect(try two.step())
      found += [one.int64(at: 0), two.int64(at: 0)]
    } while try one.step()
    #expect(found == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    #expect(try !two.step())
  }

  @Test func `a statement that is left half-way holds nothing up`() throws {
    let connection = try TestServer.connect()
    try connection.begin(.deferred)
    let long: PostgresStatement = try connection.prepare("SELECT generate_series(1, 200000)")
    #expect(try long.step())
    long.reset()
    #expect(!long.isBusy)
    #expect(try connection.values("SELECT 1") == [.integer(1)])
    #expect(try long.step())
    #expect(long.int64(at: 0) == 1)
    try connection.rollback()
    #expect(try connection.values("SELECT 2") == [.integer(2)])
  }

  @Test func `rows that wait for another statement take little more than their bytes`() throws {
    let connection = try TestServer.connect()
    let rows: PostgresStatement = try connection.prepare(
      "SELECT generate_series(1, 200000), NULL, 'x', ''"
    )
    let before = residentKilobytes()
    #expect(try rows.step())
    #expect(try connection.values("SELECT 1") == [.integer(1)])
    #expect(residentKilobytes() - before < 150_000)
    var sum = rows.int64(at: 0)
    while try rows.step() {
      sum += rows.int64(at: 0)
      #expect(
        rows.isNull(at: 1) && rows.string(at: 2) == "x" && rows.string(at: 3)?.isEmpty == true
      )
    }
    #expect(sum == 20_000_100_000)
  }

  @Test func `a rollback does not wait for the rest of a long statement`() throws {
    let connection = try TestServer.connect()
    try connection.begin(.deferred)
    let endless: PostgresStatement = try connection.prepare(
      "SELECT generate_series(1, 1000000000)"
    )
    #expect(try endless.step())
    endless.reset()
    let begun = ContinuousClock.now
    try connection.rollback()
    #expect(ContinuousClock.now - begun < .seconds(20))
    #expect(!connection.isInTransaction)
    #expect(try connection.values("SELECT 2") == [.integer(2)])
  }

  @Test func `the rows of a long statement are never in memory together`() throws {
    let connection = try TestServer.connect()
    let rows: PostgresStatement = try connection.prepare(
      "SELECT generate_series(1, 400000), repeat('x', 2000)"
    )
    #expect(try rows.step())
    let before = residentKilobytes()
    var sum: Int64 = 1
    while try rows.step() { sum += rows.int64(at: 0) }
    #expect(sum == 80_000_200_000)
    #expect(residentKilobytes() - before < 300_000)
  }

  private func residentKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.split(separator: " ", omittingEmptySubsequences: true)[1]) } ?? 0
  }

  @Test func `the cache has a bound, and the server forgets what it drops`() throws {
    let connection = try PostgresConnection(
      ServerAddress(url: TestPlace.newSchema()),
      cacheCapacity: 8
    )
    for number in 0..<200 {
      #expect(try connection.values("SELECT \(number)") == [.integer(Int64(number))])
    }
    #expect(connection.cachedCount == 8)
    guard
      case .integer(let count)? = try connection.values(
        "SELECT count(*) FROM pg_prepared_statements"
      ).first
    else { return #expect(Bool(false)) }
    #expect(count < 60)
  }

  @Test func `a kept statement is prepared anew after a change of its table`() throws {
    let url = try TestPlace.newSchema()
    let connection = try TestServer.connect(to: url)
    try connection.execute("CREATE TABLE \"t\" (\"a\" bigint); INSERT INTO \"t\" VALUES (1)")
    let sql = "SELECT * FROM \"t\""
    #expect(try connection.values(sql) == [.integer(1)])
    // By the connection itself, inside of a transaction, in which a failure could not be mended.
    try connection.begin(.deferred)
    try connection.execute("ALTER TABLE \"t\" ALTER \"a\" TYPE text")
    #expect(try connection.values(sql) == [.text("1")])
    try connection.rollback()
    #expect(try connection.values(sql) == [.integer(1)])
    // By another connection, outside of one.
    let other = try TestServer.connect(to: url)
    let before = try connection.layoutNumber()
    try other.execute("ALTER TABLE \"t\" ADD \"b\" text")
    let kept: PostgresStatement = try connection.cached(sql)
    #expect(try kept.step())
    #expect(kept.columnCount == 2)
    kept.reset()
    // By another connection, and noticed by the number.
    #expect(try connection.layoutNumber() != before)
    try other.execute("ALTER TABLE \"t\" DROP \"a\"")
    try connection.begin(.deferred)
    _ = try connection.layoutNumber()
    #expect(try connection.values(sql) == [.null])
    try connection.commit()
  }

  @Test func `a text of several statements runs them all`() throws {
    let connection = try counted()
    try connection.execute(
      "INSERT INTO \"t\" VALUES (1, ';'); INSERT INTO \"t\" VALUES (2, '-- x');"
    )
    #expect(
      try connection.values("SELECT \"b\" FROM \"t\" ORDER BY \"a\"") == [
        .text(";"), .text("-- x"),
      ]
    )
    expect(.constraint) {
      try connection.execute("INSERT INTO \"t\" VALUES (3); INSERT INTO \"t\" VALUES (3)")
    }
    #expect(try connection.values("SELECT count(*) FROM \"t\"") == [.integer(3)])
    expect(.badStatement) { try connection.execute("SELECT ?") }
  }

  @Test(arguments: ["COPY \"t\" FROM STDIN", "COPY \"t\" TO STDOUT"])
  func `a copy from or to the client is refused, and the connection can be used on`(sql: String)
    throws
  {
    let connection = try counted()
    expect(.badStatement) { try connection.execute(sql) }
    #expect(try connection.values("SELECT 1") == [.integer(1)])
  }

  @Test func `the settings on which the reading of SQL relies stay`() throws {
    let connection = try TestServer.connect()
    expect(.badStatement) { try connection.execute("SET standard_conforming_strings = off") }
    expect(.badStatement) { try connection.execute("SET client_encoding = 'LATIN1'") }
    #expect(try connection.values("SELECT '\\'") == [.text("\\")])
    #expect(try connection.values("SELECT 'ä'") == [.text("ä")])
  }

  @Test func `texts compare by their bytes where the column says so`() throws {
    let connection = try counted()
    for (number, text) in ["b", "B", "ä", "a", "Z"].enumerated() {
      try connection.run(
        "INSERT INTO \"t\" VALUES (?1, ?2)",
        [.integer(Int64(number)), .text(text)]
      )
    }
    let found = try connection.values("SELECT \"b\" FROM \"t\" ORDER BY \"b\"")
    #expect(found == ["B", "Z", "a", "b", "ä"].map { .text($0) })
    // The cluster's own order is another one, or the test would show nothing.
    let usual = try connection.values("SELECT \"b\" FROM \"t\" ORDER BY \"b\" COLLATE \"default\"")
    #expect(usual != found)
  }

  // MARK: Reports

  @Test func `a trace gets the text and the duration of each statement`() throws {
    let connection = try counted()
    var events: [TraceEvent] = []
    connection.setStatementTrace { event, expanded in
      events.append(event)
      #expect(expanded() == nil)
    }
    try connection.run("INSERT INTO \"t\" VALUES (?1, ?2)", [.integer(1), .text("hunter2")])
    connection.setStatementTrace(nil)
    #expect(events.count == 2)
    #expect(events.first == .statement(sql: "INSERT INTO \"t\" VALUES (?1, ?2)"))
    guard case .profile(_, let nanoseconds)? = events.last else { return #expect(Bool(false)) }
    #expect(nanoseconds > 0)
  }

  @Test func `a handler is asked about what a statement names, and refuses it`() throws {
    let connection = try counted()
    var found: [Access] = []
    connection.watchAccess {
      found.append($0)
      return $0 != .read(table: "t", column: "b")
    }
    #expect(try connection.values("SELECT count(\"a\") FROM \"t\"") == [.integer(0)])
    #expect(found == [.read(table: "t", column: ""), .read(table: "t", column: "a")])
    expect(.refusedAccess) { _ = try connection.values("SELECT 1 FROM \"t\" WHERE b = 'x'") }
    expect(.refusedAccess) { _ = try connection.values("SELECT t.* FROM \"t\"") }
    connection.watchAccess(nil)
    #expect(try connection.values("SELECT \"b\" FROM \"t\"") == [])
    connection.beginRecordingReads()
    _ = try connection.values("SELECT \"b\" FROM \"t\"")
    #expect(connection.endRecordingReads() == ["t"])
  }
}
#endif
