#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

@Suite struct PostgresTransactionTests {
  private func url() throws -> String {
    let url = try TestPlace.newSchema()
    let connection = try TestServer.connect(to: url)
    try connection.execute(
      """
      CREATE TABLE "t" ("a" bigint PRIMARY KEY); CREATE TABLE "nacre_slot" ("id" bigint); \
      CREATE TABLE "c" ("t" bigint REFERENCES "t" DEFERRABLE INITIALLY DEFERRED)
      """
    )
    return url
  }

  private let count = "SELECT count(*) FROM \"t\""
  private let insert = "INSERT INTO \"t\" VALUES (?1)"

  @Test func `a transaction is kept or undone as a whole`() throws {
    let url = try url()
    let connection = try TestServer.connect(to: url)
    try connection.transaction(.immediate) { try connection.run(insert, [.integer(1)]) }
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try connection.transaction(.immediate) {
        try connection.run(insert, [.integer(2)])
        throw Stop()
      }
    }
    #expect(try TestServer.connect(to: url).values(count) == [.integer(1)])
    #expect(connection.transactionNumber == 2)
  }

  @Test func `a savepoint undoes a failed statement, and the transaction goes on`() throws {
    let connection = try TestServer.connect(to: url())
    try connection.transaction(.immediate) {
      try connection.run(insert, [.integer(1)])
      expect(.constraint) {
        try connection.transaction(.immediate) { try connection.run(insert, [.integer(1)]) }
      }
      try connection.transaction(.immediate) { try connection.run(insert, [.integer(2)]) }
    }
    #expect(try connection.values(count) == [.integer(2)])
  }

  @Test func `a transaction of which a statement has failed is not committed`() throws {
    let connection = try TestServer.connect(to: url())
    expect(.rolledBack) {
      try connection.transaction(.immediate) {
        try connection.run(insert, [.integer(1)])
        try? connection.execute("SELECT 1/0")
        expect(.rolledBack) { _ = try connection.values(count) }
        #expect(connection.isInTransaction)
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try connection.values(count) == [.integer(0)])
  }

  @Test func `a text that is wrong leaves the transaction as it was`() throws {
    let connection = try TestServer.connect(to: url())
    try connection.transaction(.immediate) {
      try connection.run(insert, [.integer(1)])
      for sql in [
        "SELECT nothing FROM \"t\"", "SELEC 1", "SELECT 1 FROM \"none\"", "SELECT ?1 + ?2",
      ] {
        expect(.badStatement) { _ = try connection.values(sql) }
      }
      try connection.run(insert, [.integer(2)])
    }
    #expect(try connection.values(count) == [.integer(2)])
  }

  @Test func `after a failed commit the reason can be looked for`() throws {
    let connection = try TestServer.connect(to: url())
    var isAsked = false
    expect(.constraint) {
      try connection.transaction(
        .immediate,
        explaining: { error in
          #expect((error as? any EngineError)?.violation?.kind == .foreignKey)
          #expect((try? connection.values("SELECT \"t\" FROM \"c\"")) == [.integer(7)])
          isAsked = true
          return error
        }
      ) { try connection.execute("INSERT INTO \"c\" VALUES (7)") }
    }
    #expect(isAsked)
    #expect(!connection.isInTransaction)
    #expect(try connection.values("SELECT * FROM \"c\"") == [])
    // A reference may come before its target.
    try connection.transaction(.immediate) {
      try connection.execute("INSERT INTO \"c\" VALUES (7); INSERT INTO \"t\" VALUES (7)")
    }
  }

  @Test func `all statements of a read see one state`() throws {
    let url = try url()
    let (reader, writer) = (
      try TestServer.connect(to: url, as: .reader), try TestServer.connect(to: url)
    )
    try reader.transaction(.deferred) {
      #expect(try reader.values(count) == [.integer(0)])
      try writer.transaction(.immediate) { try writer.run(insert, [.integer(1)]) }
      #expect(try reader.values(count) == [.integer(0)])
    }
    #expect(try reader.values(count) == [.integer(1)])
  }

  @Test func `a reader can't write`() throws {
    let reader = try TestServer.connect(to: url(), as: .reader)
    expect(.writeOnReader) {
      try reader.transaction(.deferred) { try reader.run(insert, [.integer(1)]) }
    }
    expect(.writeOnReader) { try reader.run(insert, [.integer(1)]) }
  }

  @Test func `one connection writes at a time, and sees what the one before has committed`() throws
  {
    let url = try url()
    var settings = PostgresSettings()
    settings.busyTimeout = 0.1
    let (one, two) = (
      try TestServer.connect(to: url), try TestServer.connect(to: url, as: .writer, settings)
    )
    try one.begin(.immediate)
    try one.run(insert, [.integer(1)])
    expect(.busy) { try two.begin(.immediate) }
    #expect(!two.isInTransaction)
    try one.commit()
    #expect(try two.transaction(.immediate) { try two.values(count) } == [.integer(1)])
  }

  @Test func `a writer that waited sees what was committed meanwhile`() throws {
    let url = try url()
    let one = try TestServer.connect(to: url)
    try one.begin(.immediate)
    try one.run(insert, [.integer(1)])
    let waiting = OwnThread {
      let two = try TestServer.connect(to: url)
      return try two.transaction(.immediate) { try two.values("SELECT count(*) FROM \"t\"") }
    }
    // Until the other one waits for the lock.
    let watch = try TestServer.connect(to: url)
    while try watch.values(
      "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'nacre_slot'::regclass"
    ).isEmpty {
      usleep(500)
    }
    try one.commit()
    #expect(try waiting.value() == [.integer(1)])
  }

  @Test func `a change of what somebody else has changed since is a conflict`() throws {
    let url = try url()
    let (one, two) = (try TestServer.connect(to: url), try TestServer.connect(to: url))
    try one.run(insert, [.integer(1)])
    try one.begin(.deferred)
    #expect(try one.values(count) == [.integer(1)])
    try two.execute("UPDATE \"t\" SET \"a\" = 2")
    expect(.conflict) { try one.execute("UPDATE \"t\" SET \"a\" = 3") }
    try one.rollback()
  }

  @Test(arguments: ["COMMIT", "BEGIN", "ROLLBACK; SELECT 1", "SAVEPOINT a", "/**/ End"])
  func `SQL that begins or ends a transaction is refused where it must not`(sql: String) throws {
    let connection = try TestServer.connect(to: url())
    connection.refusesTransactionSQL = true
    try connection.transaction(.immediate) {
      expect(.refusedTransaction) { try connection.execute(sql) }
      #expect(connection.isInTransaction)
    }
  }

  // MARK: Timeouts and interrupts

  @Test func `a statement that takes too long ends`() throws {
    var settings = PostgresSettings()
    settings.statementTimeout = 0.05
    let connection = try TestServer.connect(settings)
    expect(.timedOut) { try connection.execute("SELECT pg_sleep(60)") }
    #expect(try connection.values("SELECT 1") == [.integer(1)])
  }

  @Test func `another thread interrupts a statement`() throws {
    let url = try url()
    let connection = try TestServer.connect(to: url)
    let process = try connection.processNumber
    let stopper = try #require(connection.stopper)
    let watch = OwnThread {
      let other = try TestServer.connect(to: url)
      let isSleeping =
        "SELECT 1 FROM pg_stat_activity WHERE pid = \(process) AND wait_event = 'PgSleep'"
      while try other.values(isSleeping).isEmpty { usleep(500) }
      stopper.stop()
    }
    expect(.interrupted) { try connection.execute("SELECT pg_sleep(60)") }
    try watch.value()
    // Until it is released, no statement begins.
    expect(.interrupted) { _ = try connection.values("SELECT 1") }
    expect(.interrupted) { try connection.begin(.immediate) }
    stopper.release()
    #expect(try connection.values("SELECT 1") == [.integer(1)])
  }

  // MARK: Lost connections

  @Test func `a connection that is lost between two transactions is opened anew`() throws {
    let url = try url()
    let connection = try TestServer.connect(to: url)
    #expect(try connection.values(count) == [.integer(0)])
    try TestServer.connect(to: url).execute(
      "SELECT pg_terminate_backend(\(connection.processNumber))"
    )
    #expect(try connection.values(count) == [.integer(0)])
    try TestServer.connect(to: url).execute(
      "SELECT pg_terminate_backend(\(connection.processNumber))"
    )
    try connection.transaction(.immediate) { try connection.run(insert, [.integer(1)]) }
    #expect(try connection.values(count) == [.integer(1)])
    try TestServer.connect(to: url).execute(
      "SELECT pg_terminate_backend(\(connection.processNumber))"
    )
    // Nobody can tell whether a write was done.
    expect(.connectionLost) { try connection.run(insert, [.integer(2)]) }
    #expect(try connection.values(count) == [.integer(1)])
  }

  @Test func `no two sessions give a statement the same name`() throws {
    let url = try url()
    let sessions = try (0..<2).map { _ in try TestServer.connect(to: url).session }
    var names = Set(sessions.map { $0.makeName() })
    try sessions[0].open()
    names.insert(sessions[0].makeName())
    #expect(names.count == 3)
  }

  @Test func `statements fit again in the transaction after somebody has changed the tables`()
    throws
  {
    let url = try url()
    let other = try TestServer.connect(to: url)
    let connection = try TestServer.connect(to: url)
    let all = "SELECT * FROM \"t\""
    func rows() throws -> Int {
      try connection.transaction(.deferred) { try connection.values(all).count }
    }
    _ = try rows()
    try other.execute("ALTER TABLE \"t\" ADD \"b\" bigint")
    expect(.badStatement) { _ = try rows() }
    #expect(try rows() == 0)
    try connection.execute("DEALLOCATE ALL")
    #expect(try rows() == 0)
    try connection.execute("DISCARD PLANS; DEALLOCATE ALL")
    try connection.transaction(.immediate) { try connection.run(insert, [.integer(1)]) }
    #expect(try rows() == 1)
  }

  @Test func `rows that were still to come are not taken for none when the connection is lost`()
    throws
  {
    let url = try url()
    let connection = try TestServer.connect(to: url)
    let process = try connection.processNumber
    let long: PostgresStatement = try connection.prepare("SELECT generate_series(1, 5000000)")
    #expect(try long.step())
    try TestServer.connect(to: url).execute("SELECT pg_terminate_backend(\(process))")
    expect(.connectionLost) { _ = try connection.values(count) }
    expect(.connectionLost) { while try long.step() {} }
    #expect(try connection.values(count) == [.integer(0)])
  }

  @Test func `no statement runs on after its transaction was lost`() throws {
    let url = try url()
    let connection = try TestServer.connect(to: url)
    expect(.connectionLost) {
      try connection.transaction(.immediate) {
        try connection.run(insert, [.integer(1)])
        try TestServer.connect(to: url).execute(
          "SELECT pg_terminate_backend(\(connection.processNumber))"
        )
        expect(.connectionLost) { try connection.run(insert, [.integer(2)]) }
        expect(.connectionLost) { try connection.run(insert, [.integer(3)]) }
        try connection.run(insert, [.integer(4)])
      }
    }
    #expect(try connection.values(count) == [.integer(0)])
  }

  @Test func `a commit without an answer is neither kept nor undone for sure`() throws {
    let connection = try TestServer.connect(to: url())
    try connection.execute(
      """
      CREATE FUNCTION pg_temp.stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
      PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END $$; \
      CREATE CONSTRAINT TRIGGER "stop" AFTER INSERT ON "t" DEFERRABLE INITIALLY DEFERRED \
      FOR EACH ROW EXECUTE FUNCTION pg_temp.stop()
      """
    )
    expect(.commitUnknown) {
      try connection.transaction(.immediate) { try connection.run(insert, [.integer(1)]) }
    }
    #expect(!connection.isInTransaction)
    #expect(try connection.values(count) == [.integer(0)])
  }

  @Test func `a connection that was closed stays closed`() throws {
    let connection = try TestServer.connect()
    try connection.close()
    expect(.other) { _ = try connection.values("SELECT 1") }
  }
}
#endif
