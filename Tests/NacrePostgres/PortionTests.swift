#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Rows that a session asks for some at a time.
@Suite struct PortionTests {
  private let directory: TemporaryDirectory
  private let url: String

  init() throws {
    directory = try TemporaryDirectory()
    url = try TestPlace.newSchema()
  }

  private func numbers(_ count: Int, on connection: PostgresConnection) throws -> PostgresStatement
  {
    try connection.prepare("SELECT i::bigint FROM generate_series(1, \(count)) i ORDER BY i")
  }

  // MARK: Stores

  private func storeOfCars(_ count: Int, behind proxy: ServerProxy) throws -> Store {
    let store = try Store.open(
      proxy.url(url),
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
      options: .patient
    )
    try store.save(Car.numbered(count))
    return store
  }

  @Test func `a cursor over objects with children takes no rows that are far ahead`() throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let store = try storeOfCars(4_000, behind: proxy)
    let cursor = try Car.in(store).ordered(by: "name").cursor()
    proxy.count()
    for _ in 0..<300 {
      let car = try #require(try cursor.next())
      #expect(car.wheels.count == 3)
    }
    // Of 16,000 rows: two batches of 256 cars with their wheels, and at most two portions of cars ahead.
    #expect(proxy.counts.toClient < 2 * 256 * 4 + 2 * 512 + 100)
    var rest = 0
    while let car = try cursor.next() { rest += car.wheels.count }
    #expect(rest == 3_700 * 3)
  }

  @Test func `a page of a statement takes no rows behind it`() throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let store = try storeOfCars(2_000, behind: proxy)
    proxy.count()
    let page = try store.read { database in
      try database.page(
        2,
        size: 20,
        sql:
          "SELECT \"name\" FROM \"Car\", generate_series(1, 5) i WHERE i <> 0 ORDER BY \"name\", i"
      )
    }
    #expect(page.totalItems == 10_000)
    let sorted = (0..<2_000).map(String.init).sorted().flatMap { Array(repeating: $0, count: 5) }
    #expect(page.items.map { $0["name"] } == sorted[40..<60].map { .text($0) })
    #expect(proxy.counts.toClient < 1_300)
  }

  @Test func `a query that had many rows takes them in portions the next time`() throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let store = try storeOfCars(1_500, behind: proxy)
    var trips: [Int] = []
    for _ in 0..<3 {
      proxy.count()
      let wheels = try store.read { _ in try Wheel.in(store).fetchAll() }
      #expect(Set(wheels.map(\.objectID)).count == 4_500)
      trips.append(proxy.counts.roundTrips)
    }
    // BEGIN, 256 rows, nine portions of 512, COMMIT; the first time BEGIN, all rows, COMMIT and the preparations.
    #expect(trips[0] < 12)
    #expect(trips[1...] == [12, 12])
  }

  @Test func `a rotation of large values asks for no more rows than it has room for`() throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let store = try storeOfCars(0, behind: proxy)
    let large = String(repeating: "x", count: 1 << 19)
    for number in 0..<80 {
      let car = Car.create()
      (car.name, car.vin) = ("\(number)", large)
      try store.save([car])
    }
    // Counts the messages with a large value.
    proxy.meet(.changed { Array($0.bytes) }, times: .max) {
      $0.direction == .toClient && $0.bytes.count > 1 << 19
    }
    let report = try store.rotate(.patient)
    #expect(report.outcome == .finished)
    #expect(report.resealed == 80)
    // The first batch has all of them, and room for eight; then each value is read, read back and looked at once.
    #expect(proxy.counts.changed.count <= 4 * 80)
  }

  // MARK: Connections

  @Test func `other statements run between the rows, and take nothing from them`() throws {
    let connection = try TestServer.connect()
    try connection.begin(.deferred)
    let (one, two) = try (numbers(5_000, on: connection), numbers(3_000, on: connection))
    one.readInPortions()
    two.readInPortions()
    for number in 1...5_000 as ClosedRange<Int64> {
      try #require(try one.step())
      #expect(one.int64(at: 0) == number)
      if number <= 3_000 {
        try #require(try two.step())
        #expect(two.int64(at: 0) == number)
      }
      if number % 100 == 0 { #expect(try connection.values("SELECT 7") == [.integer(7)]) }
    }
    #expect(try !one.step())
    #expect(try !two.step())
    try connection.commit()
    // The hint was for one run, and there is no transaction.
    #expect(try one.step())
    #expect(one.int64(at: 0) == 1)
  }

  @Test func `rows of any size and form come whole`() throws {
    let connection = try TestServer.connect()
    try connection.begin(.deferred)
    // A numeric has no form that is read as bytes, so these rows come as text.
    for type in ["text", "numeric"] {
      let statement: PostgresStatement = try connection.prepare(
        """
        SELECT nullif(i, 40)::\(type), repeat('x', i * 1000)::text FROM generate_series(1, 300) i \
        WHERE i <> ?1::bigint ORDER BY i
        """
      )
      try statement.bind(Int64(7), at: 1)
      statement.readInPortions()
      for number in 1...300 where number != 7 {
        try #require(try statement.step())
        #expect(statement.isNull(at: 0) == (number == 40))
        if number != 40 { #expect(statement.text(at: 0) == "\(number)") }
        #expect(statement.string(at: 1)?.utf8.count == number * 1000)
      }
      #expect(try !statement.step())
      statement.reset()
    }
    try connection.rollback()
  }

  @Test func `an error among the rows is thrown after those before it`() throws {
    let connection = try TestServer.connect()
    try connection.begin(.deferred)
    let statement: PostgresStatement = try connection.prepare(
      "SELECT 1000 / (2000 - i)::bigint FROM generate_series(1, 3000) i"
    )
    statement.readInPortions()
    for _ in 0..<32 { #expect(try statement.step()) }
    let error = #expect(throws: PostgresError.self) { while try statement.step() {} }
    #expect(error?.sqlState == "22012")
    #expect(!statement.isBusy)
    try connection.rollback()
    #expect(try connection.values("SELECT 1") == [.integer(1)])
  }

  @Test func `rows of work that was undone end with an error`() throws {
    let connection = try TestServer.connect()
    try connection.begin(.deferred)
    let (outer, inner) = try (numbers(2_000, on: connection), numbers(2_000, on: connection))
    outer.readInPortions()
    #expect(try outer.step())
    try connection.savepoint(0)
    inner.readInPortions()
    #expect(try inner.step())
    try connection.rollbackToSavepoint(0)
    let error = #expect(throws: PostgresError.self) { while try inner.step() {} }
    #expect(error?.kind == .rolledBack)
    try connection.releaseSavepoint(0)
    var count = 1
    while try outer.step() { count += 1 }
    #expect(count == 2_000)
    #expect(try outer.step())
    try connection.rollback()
    let late = #expect(throws: PostgresError.self) { while try outer.step() {} }
    #expect(late?.kind == .rolledBack)
  }

  @Test func `rows of a connection that is lost end with its loss`() throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let connection = try TestServer.connect(to: proxy.url(url))
    try connection.begin(.deferred)
    let statement = try numbers(5_000, on: connection)
    statement.readInPortions()
    for _ in 0..<40 { #expect(try statement.step()) }
    proxy.meet(.cutBefore) { $0.direction == .toServer }
    let error = #expect(throws: PostgresError.self) {
      while try statement.step() {}
    }
    #expect(error?.kind == .connectionLost)
    #expect(throws: (any Error).self) { try connection.values("SELECT 1") }
    try connection.rollback()
    #expect(try connection.values("SELECT 1") == [.integer(1)])
  }

  @Test func `a cursor that is left is closed before the next one`() throws {
    let connection = try TestServer.connect()
    try connection.begin(.deferred)
    for _ in 0..<5 {
      let statement = try numbers(2_000, on: connection)
      statement.readInPortions()
      for _ in 0..<600 { #expect(try statement.step()) }
      statement.reset()
    }
    let open = try connection.values("SELECT count(*) FROM pg_cursors WHERE name LIKE 'nacre%'")
    #expect(open == [.integer(1)])
    try connection.commit()
  }

  @Test(arguments: [
    ("WITH a AS (SELECT 1) SELECT * FROM a", true), ("VALUES (1)", true), ("TABLE a", true),
    ("WITH a AS (DELETE FROM b RETURNING 1) SELECT * FROM a", false), ("SELECT 1 INTO a", false),
    ("INSERT INTO a VALUES (1) RETURNING 1", false), ("SHOW ALL", false),
  ])
  func `the server takes a query for a cursor`(sql: String, takes: Bool) throws {
    #expect(try StatementText(sql).canBeCursor == takes)
  }
}
#endif
