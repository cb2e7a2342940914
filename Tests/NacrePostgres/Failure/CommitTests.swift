#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Commits whose answer is lost.
@Suite struct CommitTests {
  private let proxy: ServerProxy
  private let url: String

  init() throws {
    proxy = try ServerProxy()
    url = try TestPlace.newSchema()
    try Store.open(url).close()
    try TestServer.connect(to: url).execute("CREATE TABLE \"t\" (\"a\" bigint)")
  }

  private func connect(busyTimeout: Double = 60, connectTimeout: Double = 60) throws
    -> PostgresConnection
  {
    var settings = PostgresSettings()
    settings.busyTimeout = busyTimeout
    settings.connectTimeout = connectTimeout
    return try TestServer.connect(to: proxy.url(url), as: .writer, settings)
  }

  /// Returns the stored numbers, once no transaction writes any more.
  private func values() throws -> [Value] {
    let connection = try TestServer.connect(to: url)
    return try connection.transaction(.immediate) {
      try connection.values("SELECT \"a\" FROM \"t\" ORDER BY 1")
    }
  }

  private func write(_ number: Int64, on connection: PostgresConnection) throws {
    try connection.transaction(.immediate) {
      try connection.run("INSERT INTO \"t\" VALUES (?1)", [.integer(number)])
    }
  }

  @Test func `a loss behind a commit that was synced is no failure of it`() throws {
    defer { proxy.close() }
    let connection = try connect()
    proxy.meet(.cutBefore) { $0.texts.contains { $0.hasPrefix("RESET synchronous_commit") } }
    try connection.syncingCommits { try write(1, on: connection) }
    #expect(proxy.counts.cuts == 1)
    #expect(try values() == [.integer(1)])
    #expect(try connection.values("SHOW synchronous_commit") == [.text("on")])
    try write(2, on: connection)
    #expect(try values() == [.integer(1), .integer(2)])
  }

  /// Makes the commits of transactions that insert a number take as long as a statement takes.
  private func delayCommits(by statement: String) throws {
    try TestServer.connect(to: url).execute(
      """
      CREATE FUNCTION "delay"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN PERFORM \(statement); RETURN NULL; END $$; \
      CREATE CONSTRAINT TRIGGER "delay" AFTER INSERT ON "t" DEFERRABLE INITIALLY DEFERRED \
      FOR EACH ROW EXECUTE FUNCTION "delay"()
      """
    )
  }

  @Test func `what a commit writes for itself is not counted as the caller's`() throws {
    defer { proxy.close() }
    let connection = try connect()
    try connection.transaction(.immediate) {
      let insert: PostgresStatement = try connection.prepare("INSERT INTO \"t\" VALUES (1), (2)")
      try insert.send(.rows())
    }
    #expect((connection.changes, connection.totalChanges) == (2, 2))
  }

  @Test func `a look by which a store is opened stores nothing, so its lost commit is no doubt`()
    throws
  {
    defer { proxy.close() }
    for fate in [ServerProxy.Fate.cutBefore, .cutAfter] {
      proxy.meet(fate) { $0.completes("COMMIT") }
      let error = #expect(throws: NacreError.self) { try Store.open(proxy.url(url)) }
      #expect(error?.code == .connectionLost)
      #expect(proxy.counts.cuts == 1)
    }
    try Store.open(proxy.url(url)).close()
  }

  @Test func `after a transaction by hand whose connection was lost, single statements go on`()
    throws
  {
    defer { proxy.close() }
    let store = try Store.open(proxy.url(url))
    _ = try Wheel.all.in(store).count()
    try store.begin()
    proxy.meet(.cutBefore) { $0.direction == .toServer }
    // A single statement, which no savepoint is around.
    expectError(.connectionLost) { _ = try Wheel.all.in(store).count() }
    #expect(proxy.counts.cuts == 1)
    try store.rollback()
    try store.vacuum()
    try store.close()
  }

  // MARK: What another session finds

  @Test func `a commit whose answer is lost has succeeded if it is stored`() throws {
    defer { proxy.close() }
    let connection = try connect()
    for number in Int64(1)...3 {
      proxy.meet(.cutAfter) { $0.completes("COMMIT") }
      try write(number, on: connection)
      #expect(proxy.counts.cuts == 1)
      #expect(!connection.isInTransaction)
    }
    try write(4, on: connection)
    #expect(try values() == [1, 2, 3, 4].map { .integer($0) })
  }

  @Test func `a commit that did not arrive is a lost connection, and nothing is stored`() throws {
    defer { proxy.close() }
    let connection = try connect()
    for number in Int64(1)...3 {
      proxy.meet(.cutBefore) { $0.runs("COMMIT") }
      expect(.connectionLost) { try write(number, on: connection) }
      #expect(proxy.counts.cuts == 1)
    }
    try write(4, on: connection)
    #expect(try values() == [.integer(4)])
  }

  @Test func `a commit that still runs is waited for`() throws {
    defer { proxy.close() }
    try delayCommits(by: "pg_sleep(1)")
    // The lock is asked for again and again.
    let connection = try connect(busyTimeout: 0.1)
    proxy.meet(.cutAfter) { $0.completes("COMMIT") }
    try write(1, on: connection)
    #expect(proxy.counts.cuts == 1)
    #expect(try values() == [.integer(1)])
  }

  @Test func `a session that the server ends during the commit has stored nothing`() throws {
    defer { proxy.close() }
    try delayCommits(by: "pg_terminate_backend(pg_backend_pid()), pg_sleep(60)")
    let connection = try connect()
    expect(.connectionLost) { try write(1, on: connection) }
    #expect(try values() == [])
  }

  @Test func `what a look has found is found again if its own answer is lost`() throws {
    defer { proxy.close() }
    let connection = try connect()
    proxy.meet(.cutAfter, times: 3) { $0.completes("COMMIT") }
    try write(1, on: connection)
    #expect(proxy.counts.cuts == 3)
    #expect(try values() == [.integer(1)])
  }

  @Test func `a transaction that has written nothing leaves no token`() throws {
    defer { proxy.close() }
    let connection = try connect()
    try connection.transaction(.immediate) { _ = try connection.values("SELECT 1") }
    let count = "SELECT count(*) FROM \"nacre_commit\""
    #expect(try connection.values(count) == [.integer(0)])
    for number in Int64(1)...3 { try write(number, on: connection) }
    // A connection has one row.
    #expect(try connection.values(count) == [.integer(1)])
    try write(4, on: connect())
    #expect(try connection.values(count) == [.integer(2)])
  }

  @Test func `rows of connections long gone are deleted`() throws {
    defer { proxy.close() }
    try write(1, on: connect())
    let direct = try TestServer.connect(to: url)
    try direct.execute("UPDATE \"nacre_commit\" SET \"time\" = \"time\" - interval '31 days'")
    let former = try direct.values("SELECT \"connection\" FROM \"nacre_commit\"")
    try write(2, on: connect())
    let left = try direct.values("SELECT \"connection\" FROM \"nacre_commit\"")
    #expect(left.count == 1)
    #expect(left != former)
  }

  @Test func `a commit costs no round trip for its token`() throws {
    defer { proxy.close() }
    let connection = try connect()
    for number in Int64(1)...2 {
      try connection.begin(.immediate)
      try connection.run("INSERT INTO \"t\" VALUES (?1)", [.integer(number)])
      proxy.count()
      try connection.commit()
      #expect(proxy.counts.roundTrips == 1)
    }
  }

  /// What lets a session forget its statements, as the caller's own SQL and as nobody sees it.
  private static let forgetting = [
    "DEALLOCATE ALL", "DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$",
  ]

  @Test(arguments: forgetting)
  func `a session that has forgotten its statements prepares them again`(forget: String) throws {
    defer { proxy.close() }
    let connection = try connect()
    for number in Int64(1)...2 {
      try write(number, on: connection)
      try connection.execute(forget)
    }
    try write(3, on: connection)
    #expect(try values().count == 3)
  }

  @Test func `a session that forgets its statements unseen in a transaction stores nothing of it`()
    throws
  {
    defer { proxy.close() }
    let connection = try connect()
    try write(1, on: connection)
    let error = #expect(throws: PostgresError.self) {
      try connection.transaction(.immediate) {
        try connection.run("INSERT INTO \"t\" VALUES (?1)", [.integer(2)])
        try connection.execute(Self.forgetting[1])
      }
    }
    #expect(error?.sqlState == SQLState.unknownStatement, "\(String(describing: error))")
    #expect(!connection.isInTransaction)
    try write(3, on: connection)
    #expect(try values() == [.integer(1), .integer(3)])
  }

  @Test func `a commit that fails before its check gives no part of the transaction back`() throws {
    defer { proxy.close() }
    try TestServer.connect(to: url).execute(
      """
      CREATE TABLE "parent" ("a" bigint PRIMARY KEY); \
      CREATE TABLE "child" ("a" bigint REFERENCES "parent" DEFERRABLE INITIALLY DEFERRED)
      """
    )
    let connection = try connect()
    try connection.begin(.immediate)
    try connection.run("INSERT INTO \"child\" VALUES (?1)", [.integer(1)])
    expect(.constraint) { try connection.commit() }
    try connection.run("INSERT INTO \"parent\" VALUES (?1)", [.integer(1)])
    try connection.execute(Self.forgetting[1])
    let error = #expect(throws: PostgresError.self) { try connection.commit() }
    #expect(error?.sqlState == SQLState.unknownStatement, "\(String(describing: error))")
    // The savepoint of the first try would have undone the parent alone.
    expect(.rolledBack) { try connection.commit() }
    try connection.rollback()
    #expect(try connection.values("SELECT count(*) FROM \"child\"") == [.integer(0)])
  }

  // MARK: Where nobody can tell

  @Test func `where no server answers in time, nobody can tell`() throws {
    defer { proxy.close() }
    let connection = try connect(busyTimeout: 0.1, connectTimeout: 0.3)
    proxy.meet(.cutOff) { $0.completes("COMMIT") }
    expect(.commitUnknown) { try write(1, on: connection) }
    expect(.cannotOpen) { try write(2, on: connection) }
    proxy.refuses = false
    try write(3, on: connection)
    #expect(try values() == [.integer(1), .integer(3)])
  }

  @Test func `where a commit runs for longer than the limits, nobody can tell`() throws {
    defer { proxy.close() }
    try delayCommits(by: "pg_sleep(5)")
    let connection = try connect(busyTimeout: 0.1, connectTimeout: 0.3)
    proxy.meet(.cutAfter) { $0.completes("COMMIT") }
    expect(.commitUnknown) { try write(1, on: connection) }
    #expect(!connection.isInTransaction)
  }

  @Test func `where a store has no table of tokens, nobody can tell`() throws {
    defer { proxy.close() }
    try TestServer.connect(to: url).execute("DROP TABLE \"nacre_commit\"")
    let connection = try connect()
    proxy.meet(.cutAfter) { $0.completes("COMMIT") }
    expect(.commitUnknown) { try write(1, on: connection) }
    #expect(try values() == [.integer(1)])
  }
}
#endif
