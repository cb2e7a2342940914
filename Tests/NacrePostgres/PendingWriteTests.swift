#if PostgreSQL
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Writes of a connection that are sent ahead, and that write no row without an error of the server.
@Suite struct PendingWriteTests {
  /// The error that a write that has written nothing stands for.
  private struct Missing: Error, Equatable { let number: Int64 }

  /// The error of a failure that the server had to be asked about.
  private struct Answer: Error, Equatable { let values: [Value] }

  private let connection: PostgresConnection

  init() throws {
    connection = try TestServer.connect()
    try connection.execute(
      """
      CREATE TABLE "nacre_slot" ("id" bigint); CREATE TABLE "t" ("a" bigint); \
      CREATE TABLE "u" ("a" bigint); INSERT INTO "u" VALUES (0)
      """
    )
  }

  private func send(_ sql: String, _ number: Int64, isNew: Bool) throws {
    let statement: PostgresStatement = try connection.cached(sql)
    try statement.bind(number, at: 1)
    try statement.send(
      .row(isNew: isNew) { error in
        if let error { return error }
        return Missing(number: number)
      }
    )
  }

  private func insert(_ number: Int64) throws {
    try send("INSERT INTO \"t\" VALUES (?1)", number, isNew: true)
  }

  /// Changes a row of the table with one row.
  private func update(_ number: Int64) throws {
    try send("UPDATE \"u\" SET \"a\" = \"a\" WHERE \"a\" = ?1", number, isNew: false)
  }

  private func values() throws -> [Value] {
    try connection.values("SELECT \"a\" FROM \"t\" ORDER BY 1")
  }

  /// Expects the error of a write.
  private func expectMissing(
    _ number: Int64,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(
      throws: PostgresError.self,
      sourceLocation: sourceLocation,
      performing: body
    )
    #expect(error?.origin as? Missing == Missing(number: number), sourceLocation: sourceLocation)
  }

  // MARK: Errors that the caller drops

  @Test func `a write that finds no row is not forgotten with the error of the next call`() throws {
    expectMissing(5) {
      try connection.transaction(.immediate) {
        try insert(1)
        try update(5)
        expectMissing(5) { _ = try values() }
        try insert(2)
      }
    }
    #expect(try values() == [])
    try connection.transaction(.immediate) { try insert(3) }
    #expect(try values() == [.integer(3)])
  }

  @Test func `it is forgotten with the savepoint that is undone`() throws {
    try connection.transaction(.immediate) {
      try insert(1)
      expectMissing(5) {
        try connection.transaction(.immediate) {
          try insert(2)
          try update(5)
          expectMissing(5) { _ = try values() }
        }
      }
      try insert(3)
    }
    #expect(try values() == [.integer(1), .integer(3)])
  }

  @Test func `a savepoint behind it takes nothing back`() throws {
    expectMissing(5) {
      try connection.transaction(.immediate) {
        try update(5)
        #expect(throws: Missing.self) {
          try connection.transaction(.immediate) { throw Missing(number: 1) }
        }
        try insert(2)
      }
    }
    #expect(try values() == [])
  }

  @Test func `a savepoint behind it takes nothing back with the error of another write`() throws {
    func insertInverse(of number: Int64) throws {
      try send("INSERT INTO \"t\" VALUES (1 / ?1)", number, isNew: true)
    }
    // Later no statement has to be prepared, which would take the answers.
    try connection.transaction(.immediate) {
      try update(0)
      try insertInverse(of: 1)
      try insert(2)
    }
    for isAsked in [false, true] {
      expectMissing(5) {
        try connection.transaction(.immediate) {
          try update(5)
          #expect(throws: (any Error).self) {
            try connection.transaction(.immediate) {
              try insertInverse(of: 0)
              if isAsked { _ = try values() }
              throw Missing(number: 1)
            }
          }
          try insert(3)
        }
      }
      #expect(try values() == [.integer(1), .integer(2)])
    }
  }

  // MARK: Errors that take a query

  /// Changes rows of the table with one row, and asks the server about those that are not there.
  private func updateAndAsk(_ numbers: [Int64]) throws {
    let statement: PostgresStatement = try connection.cached(
      "UPDATE \"u\" SET \"a\" = 0 WHERE \"a\" = ?1"
    )
    for number in numbers {
      try statement.bind(number, at: 1)
      try statement.send(
        .row(isNew: false) { [connection] error in
          if let error { return error }
          do { return Answer(values: try connection.values("SELECT \"a\" FROM \"u\"")) } catch {
            return error
          }
        }
      )
    }
  }

  @Test(arguments: [1, 2, 3])
  func `the server can be asked why a row was not written`(rowCount: Int) throws {
    let error = #expect(throws: PostgresError.self) {
      try connection.transaction(.immediate) {
        try updateAndAsk((0..<Int64(rowCount)).reversed())
        try update(5)
        try insert(1)
      }
    }
    if rowCount == 1 {
      #expect(error?.origin as? Missing == Missing(number: 5))
    } else {
      #expect(error?.origin as? Answer == Answer(values: [.integer(0)]))
    }
    #expect(!connection.isInTransaction)
    #expect(try values() == [])
  }

  @Test func `it is asked before a commit, also behind later writes`() throws {
    // Later no statement has to be prepared, which would take the answers.
    try connection.transaction(.immediate) {
      try updateAndAsk([0])
      try insert(1)
    }
    _ = try connection.values("SELECT \"a\" FROM \"u\"")
    let error = #expect(throws: PostgresError.self) {
      try connection.transaction(.immediate) {
        try updateAndAsk([5])
        // The caller drops the error of the next call.
        _ = try? values()
        try insert(2)
      }
    }
    #expect(error?.origin as? Answer == Answer(values: [.integer(0)]))
    #expect(!connection.isInTransaction)
    #expect(try values() == [.integer(1)])
  }

  // MARK: Triggers

  @Test func `an insert that a trigger of the same transaction swallows is no success`() throws {
    // The connection has asked by now whether there are triggers.
    try connection.transaction(.immediate) { try insert(1) }
    for _ in 0..<2 {
      expectMissing(2) {
        try connection.transaction(.immediate) {
          try connection.execute("UPDATE \"u\" SET \"a\" = 1")
          try connection.execute(
            """
            CREATE FUNCTION "none"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; \
            CREATE TRIGGER "none" BEFORE INSERT ON "t" FOR EACH ROW EXECUTE FUNCTION "none"()
            """
          )
          try insert(2)
        }
      }
      #expect(try connection.values("SELECT \"a\" FROM \"u\"") == [.integer(0)])
      // Another change of tables, which is rolled back as well.
      #expect(throws: Missing.self) {
        try connection.transaction(.immediate) {
          try connection.execute("CREATE TABLE \"v\" (\"a\" bigint)")
          try insert(3)
          #expect(try !connection.session.canSwallowInserts())
          throw Missing(number: 3)
        }
      }
    }
    try connection.transaction(.immediate) { try insert(4) }
    #expect(try values() == [.integer(1), .integer(4)])
  }
}
#endif
