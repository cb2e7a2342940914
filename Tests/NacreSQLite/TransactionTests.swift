import NacreEngine
import NacreSQLite
import Testing

@Suite struct TransactionTests {
  private struct Refusal: Error, Equatable {
    let number: Int
  }

  let database: TemporaryDatabase
  let connection: Connection

  init() throws {
    database = try TemporaryDatabase()
    connection = try database.open(busyTimeoutMilliseconds: 100)
    try connection.execute(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (
        parent INTEGER NOT NULL REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE t (v)
      """
    )
  }

  private func insert(_ value: Int64) throws {
    let statement = try connection.cached("INSERT INTO t VALUES (?1)")
    try statement.bind(value, at: 1)
    try statement.run()
  }

  private func sum() throws -> Int64 { try connection.integer("SELECT total(v) FROM t") }

  @Test(arguments: [TransactionKind.deferred, .immediate, .exclusive])
  func `a transaction commits and gives the body's result`(_ kind: TransactionKind) throws {
    let result = try connection.transaction(kind) {
      #expect(connection.isInTransaction)
      try insert(1)
      return "done"
    }
    #expect(result == "done")
    #expect(!connection.isInTransaction)
    #expect(try sum() == 1)
  }

  @Test func `a throwing body undoes the transaction and its error comes out`() throws {
    #expect(throws: Refusal(number: 3)) {
      try connection.transaction(.immediate) {
        try insert(1)
        throw Refusal(number: 3)
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try sum() == 0)
  }

  @Test func `an inner rollback keeps what the outer transaction did`() throws {
    try connection.transaction(.immediate) {
      try insert(1)
      #expect(throws: Refusal(number: 1)) {
        try connection.transaction(.immediate) {
          try insert(10)
          throw Refusal(number: 1)
        }
      }
      try connection.transaction(.immediate) { try insert(100) }
      #expect(connection.isInTransaction)
    }
    #expect(try sum() == 101)
  }

  @Test func `transactions nest fifty deep and each level is undone alone`() throws {
    func nest(_ depth: Int) throws {
      try connection.transaction(.immediate) {
        try insert(1)
        if depth < 50 { try? nest(depth + 1) }
        // Every level from 26 on fails, so that only 1...25 stay.
        if depth > 25 { throw Refusal(number: depth) }
      }
    }
    for _ in 0..<2 { try nest(1) }
    #expect(try sum() == 50)
    #expect(!connection.isInTransaction)
  }

  @Test func `savepoints can be driven by hand beyond any kept depth`() throws {
    try connection.begin(.deferred)
    for depth in [0, 5, 1_000] {
      try insert(1)
      try connection.savepoint(depth)
      try insert(10)
      try connection.rollbackToSavepoint(depth)
      try connection.releaseSavepoint(depth)
    }
    try connection.commit()
    #expect(try sum() == 3)
  }

  @Test func `a commit that a deferred foreign key refuses is undone`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction(.immediate) {
        try insert(1)
        try connection.execute("INSERT INTO child VALUES (99)")
      }
    }
    #expect(error?.isForeignKey == true)
    #expect(!connection.isInTransaction)
    #expect(try sum() == 0)
    try connection.transaction(.immediate) {
      try connection.execute("INSERT INTO child VALUES (99); INSERT INTO parent VALUES (99)")
    }
    #expect(try connection.integer("SELECT count(*) FROM child") == 1)
  }

  @Test func `a full database undoes the transaction and stays usable`() throws {
    try insert(1)
    let pages = try connection.integer("PRAGMA page_count")
    _ = try connection.pragma("max_page_count = \(pages + 2)")
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction(.immediate) {
        for _ in 0..<100 { try connection.execute("INSERT INTO t VALUES (zeroblob(4000))") }
      }
    }
    #expect(error?.isFull == true)
    #expect(!connection.isInTransaction)
    #expect(try sum() == 1)
    _ = try connection.pragma("max_page_count = 100000")
    try insert(2)
    #expect(try sum() == 3)
  }

  private func rollsBackInside() -> SQLiteError? {
    #expect(throws: SQLiteError.self) {
      try connection.transaction(.immediate) {
        try insert(1)
        try connection.execute("ROLLBACK")
      }
    }
  }

  private func beginsAgain() -> SQLiteError? {
    #expect(throws: SQLiteError.self) {
      try connection.transaction(.immediate) { try insert(10) }
    }
  }

  @Test func `going on after SQLite rolled back is an error at every level`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction(.immediate) {
        #expect(rollsBackInside()?.isRolledBack == true)
        #expect(beginsAgain()?.isRolledBack == true)
      }
    }
    #expect(error?.isRolledBack == true)
    #expect(try sum() == 0)
    try connection.transaction(.immediate) { try insert(1) }
    #expect(try sum() == 1)
  }

  @Test func `a second writer is told busy after the timeout`() throws {
    let other = try database.open(busyTimeoutMilliseconds: 100)
    try other.begin(.immediate)
    let start = ContinuousClock.now
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction(.immediate) { Issue.record("the lock was had twice") }
    }
    #expect(error?.isBusy == true)
    #expect(ContinuousClock.now - start >= .milliseconds(90))
    #expect(!connection.isInTransaction)
    try other.rollback()
    try connection.transaction(.immediate) { try insert(1) }
    #expect(try sum() == 1)
  }

  @Test(arguments: [true, false])
  func `a transaction is undone though a cursor was interrupted in it`(_ writes: Bool) throws {
    try connection.execute("INSERT INTO parent VALUES (1), (2), (3)")
    let cursor = try connection.prepare("SELECT id FROM parent")
    // An interrupted write makes SQLite roll back; otherwise the interrupt, which holds as long
    // as the cursor does, hits the ROLLBACK itself.
    #expect(throws: (any Error).self) {
      try connection.transaction(.immediate) {
        try insert(1)
        #expect(try cursor.step())
        connection.interrupt()
        if writes { try insert(1) }
        throw Refusal(number: 1)
      }
    }
    #expect(!connection.isInTransaction)
    cursor.reset()
    #expect(try sum() == 0)
  }
}
