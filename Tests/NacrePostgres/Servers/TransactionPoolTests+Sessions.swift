#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Sessions of the server that a pool lends to one client after another.
extension TransactionPoolTests {
  @Test func `a transaction in another session than was said is refused`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 2)
    try open(pooler.url).close()
    var settings = PostgresSettings()
    settings.poolMode = .session
    let other = try TestServer.connect(to: pooler.url, as: .reader)
    let one = try TestServer.connect(to: pooler.url, as: .writer, settings)
    // This gets the session that was used last, so the next one gets another.
    try other.begin(.deferred)
    expect(.cannotOpen) { try one.begin(.immediate) }
    #expect(!one.isInTransaction)
    try other.commit()
    try one.begin(.immediate)
    try one.commit()
  }

  @Test func `what would stay in a session for the next client is refused`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    let store = try open(pooler.url)
    let statements = [
      "SET lock_timeout = 1", "RESET ALL", "LISTEN cars",
      "PREPARE p AS SELECT 1", "DEALLOCATE ALL",
    ]
    for sql in statements {
      let error = #expect(throws: NacreError.self) { try store.write { try $0.execute(sql) } }
      #expect(String(describing: error).contains("another client"), "\(sql)")
    }
    try store.write { database in
      try database.execute("SET LOCAL work_mem = '1MB'; SET CONSTRAINTS ALL DEFERRED")
      #expect(try database.first("SHOW work_mem") == .text("1MB"))
    }
    #expect(try pooler.leftovers() == "0")
  }

  @Test func `another client's search path is not taken for the store's`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    let store = try open(pooler.url)
    try store.save([Car.graph("first")])
    #expect(try Self.names(store) == ["first"])
    // These stay, whatever the pool does.
    _ = try pooler.execute(
      """
      CREATE SCHEMA other; SET search_path = other; SET lock_timeout = 1; \
      SET statement_timeout = 599999; \
      SET bytea_output = 'escape'; SET default_transaction_isolation = 'serializable'
      """
    )
    try store.write { database in
      try Car.graph("second").save()
      #expect(try database.first("SHOW statement_timeout") != .text("599999ms"))
    }
    #expect(try Self.names(store) == ["first", "second"])
    let error = #expect(throws: NacreError.self) { try open(pooler.url) }
    #expect(error?.code == .cannotOpen)
    #expect(String(describing: error).contains("search_path"))
    #expect(
      try server.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'other'") == "0\n"
    )
  }

  @Test func `tables are written anew in the store's schema, whatever another client has set`()
    throws
  {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    let store = try open(pooler.url)
    try store.save([Car.graph("first")])
    let file = "SELECT pg_relation_filenode('public.\"Car\"')"
    let before = try server.execute(file)
    _ = try pooler.execute("CREATE SCHEMA other; SET search_path = other")
    try store.vacuum()
    #expect(try server.execute(file) != before)
  }

  @Test func `another client's durability and access are not the store's`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    let store = try open(pooler.url)
    try store.save([Car.graph("first")])
    let connection = try TestServer.connect(to: pooler.url)
    _ = try pooler.execute("SET synchronous_commit = off; SET default_transaction_read_only = on")
    try store.write { database in
      #expect(try database.first("SHOW synchronous_commit") == .text("on"))
      try Car.graph("second").save()
    }
    #expect(try Self.names(store) == ["first", "second"])
    let outside = try connection.values("SELECT current_setting('synchronous_commit')")
    #expect(outside == [.text("on")])
  }

  @Test func `a reader can't write, in a transaction or outside of one`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    try open(pooler.url).close()
    let reader = try TestServer.connect(to: pooler.url, as: .reader)
    expect(.writeOnReader) { try reader.execute("CREATE TABLE \"t\" (\"a\" bigint)") }
    expect(.writeOnReader) {
      try reader.transaction(.deferred) { try reader.execute("CREATE TABLE \"t\" (\"a\" bigint)") }
    }
    #expect(try pooler.leftovers() == "0")
  }

  @Test func `statements outside of transactions have the settings, and give the session back`()
    throws
  {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    let one = try TestServer.connect(to: pooler.url)
    let two = try TestServer.connect(to: pooler.url)
    try one.execute("CREATE TABLE \"t\" (\"a\" bigint)")
    let lock = try one.values("SELECT current_setting('lock_timeout')")
    #expect(lock == [.text("5s")])
    let rows: PostgresStatement = try one.prepare("SELECT generate_series(1, 100000)")
    #expect(try rows.step())
    rows.reset()
    try two.run("INSERT INTO \"t\" VALUES (?1)", [.integer(1)])
    expect(.badStatement) { _ = try one.values("SELECT 1 / 0") }
    expect(.badStatement) { try one.execute("nonsense") }
    expect(.badStatement) { try one.execute("COPY \"t\" TO STDOUT") }
    #expect(!one.isInTransaction)
    try one.execute("BEGIN")
    try one.run("INSERT INTO \"t\" VALUES (?1)", [.integer(2)])
    #expect(one.isInTransaction)
    try one.execute("ROLLBACK")
    #expect(try two.values("SELECT \"a\" FROM \"t\"") == [.integer(1)])
    #expect(try one.values("SELECT current_setting('lock_timeout')") == lock)
    #expect(try pooler.leftovers() == "0")
  }

  @Test func `rows of a table that somebody has changed are not taken for others`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    let connection = try TestServer.connect(to: pooler.url)
    try connection.execute("CREATE TABLE \"t\" (\"a\" bigint); INSERT INTO \"t\" VALUES (1)")
    let sql = "SELECT \"a\" FROM \"t\""
    #expect(try connection.values(sql) == [.integer(1)])
    try server.execute("ALTER TABLE \"t\" ALTER \"a\" TYPE double precision")
    #expect(try connection.values(sql) == [.real(1)])
    try server.execute("ALTER TABLE \"t\" ALTER \"a\" TYPE bigint")
    // What a transaction has read before can't be read once more without the caller.
    expect(.badStatement) {
      try connection.transaction(.deferred) { _ = try connection.values(sql) }
    }
    let values = try connection.transaction(.deferred) { try connection.values(sql) }
    #expect(values == [.integer(1)])
  }

  @Test func `the server has nothing to forget of statements that the cache drops`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    let connection = try PostgresConnection(ServerAddress(url: pooler.url), cacheCapacity: 4)
    for number in 0..<100 {
      #expect(try connection.values("SELECT \(number)") == [.integer(Int64(number))])
    }
    #expect(connection.cachedCount == 4)
    #expect(try pooler.leftovers() == "0")
  }

  @Test func `a store waits for the server as often as without a pool`() throws {
    let pooler = try Pooler(of: server, mode: "transaction", size: 1)
    #expect(try trips(to: pooler.url) == trips(to: server.url))
  }

  /// Returns how often a store waits for the server in a save, an update and a read that it has done before.
  private func trips(to url: String) throws -> [Int] {
    let proxy = try ServerProxy(to: url)
    defer { proxy.close() }
    let store = try open(proxy.url(url))
    defer { try? store.close() }
    let name = UUID().uuidString
    var counts: [Int] = []
    for round in 1...4 {
      let car = Car.graph("\(name) \(round)")
      counts = []
      func count(_ body: () throws -> Void) rethrows {
        proxy.count()
        try body()
        counts.append(proxy.counts.roundTrips)
      }
      try count { try store.save([car]) }
      car.name += " changed"
      try count { try store.save([car]) }
      try count { _ = try store.read { (_) throws in try Car.count() } }
    }
    return counts
  }
}
#endif
