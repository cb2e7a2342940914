import Foundation
import NacreEngine
import NacreSQLite
import Synchronization
import Testing

@Suite struct BackupTests {
  let database: TemporaryDatabase
  let source: Connection

  init() throws {
    database = try TemporaryDatabase()
    source = try database.open()
    try source.execute(
      """
      CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER, filling);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO account SELECT i, 10, zeroblob(400) FROM n
      """
    )
  }

  private func destination() throws -> Connection {
    try Connection(path: database.directory + "/copy.db", mode: .create)
  }

  @Test func `a backup reports its progress and copies everything`() throws {
    let copy = try destination()
    var reports: [(Int, Int)] = []
    try source.backup(to: copy, pagesPerStep: 50) { reports.append(($0, $1)) }
    #expect(reports.count > 3)
    #expect(reports.last?.0 == 0)
    #expect(try copy.integer("SELECT sum(balance) FROM account") == 20_000)
    #expect(try copy.pragma("integrity_check") == "ok")
    #expect(!source.isInTransaction)
  }

  @Test func `a backup is of one moment while another connection writes`() throws {
    let copy = try destination()
    let other = try database.open()
    var steps = 0
    try source.backup(to: copy, pagesPerStep: 5) { _, _ in
      steps += 1
      // Each write keeps the sum; a copy that mixed two moments would not.
      try? other.transaction(.immediate) {
        try other.execute("UPDATE account SET balance = balance + 1 WHERE id <= 1000")
        try other.execute("UPDATE account SET balance = balance - 1 WHERE id > 1000")
      }
    }
    #expect(steps > 20)
    #expect(try other.integer("SELECT balance FROM account WHERE id = 1") == 10 + Int64(steps))
    #expect(try copy.integer("SELECT sum(balance) FROM account") == 20_000)
    #expect(try copy.integer("SELECT count(DISTINCT balance) FROM account") == 1)
    #expect(try copy.pragma("integrity_check") == "ok")
  }

  @Test func `a backup within a write transaction is refused at once`() throws {
    let copy = try destination()
    let error = #expect(throws: SQLiteError.self) {
      try source.transaction(.immediate) {
        try source.backup(to: copy)
      }
    }
    #expect(error?.isLocked == true)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a backup over a database that is being written is busy`() throws {
    var configuration = ConnectionConfiguration()
    configuration.pragmas.busyTimeout = 0.02
    let path = database.directory + "/copy.db"
    let copy = try Connection(path: path, mode: .create, configuration: configuration)
    try copy.execute("CREATE TABLE mine (v)")
    let holder = try Connection(path: path, mode: .readWrite)
    try holder.begin(.immediate)
    var short = ConnectionConfiguration()
    short.pragmas.busyTimeout = 600
    let reader = try Connection(path: database.path, mode: .readOnly, configuration: short)
    // The wait that counts is the one in force now.
    reader.waitForLocks(milliseconds: 20)
    let error = #expect(throws: SQLiteError.self) { try reader.backup(to: copy) }
    #expect(error?.isBusy == true || error?.isLocked == true)
    #expect(!reader.isInTransaction)
    try holder.rollback()
    #expect(try copy.integer("SELECT count(*) FROM mine") == 0)
    try reader.backup(to: copy)
    #expect(try copy.integer("SELECT count(*) FROM account") == 2_000)
  }
}
