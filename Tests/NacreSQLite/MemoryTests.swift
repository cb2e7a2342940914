import Foundation
import NacreEngine
import NacreSQLite
import Testing

/// A database in memory, which its connections share as they share a file.
@Suite(.timeLimit(.minutes(10))) struct MemoryTests {
  private let home = SQLiteHome(in: MemoryDatabase())

  init() throws {
    let founder = try home.connect(.founder(creates: true))
    try founder.execute("CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER, filling)")
    try founder.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO account SELECT i, 10, zeroblob(400) FROM n
      """
    )
    try founder.close()
  }

  private func integer(_ sql: String, _ connection: any EngineConnection) throws -> Int64 {
    let statement = try connection.prepare(sql, persistent: false)
    _ = try statement.step()
    return statement.int64(at: 0)
  }

  @Test func `the database outlives its connections, and no file bears its path`() throws {
    let reader = try home.connect(.reader)
    #expect(try integer("SELECT sum(balance) FROM account", reader) == 5000)
    #expect(home.exists && home.file == nil)
    #expect(home.path.hasPrefix(MemoryDatabase.pathPrefix))
    #expect(!home.capabilities.contains(.sharedFile) && home.capabilities.contains(.rawFile))
    for suffix in ["", "-wal", "-shm", "-journal"] {
      #expect(!FileManager.default.fileExists(atPath: home.path + suffix))
    }
  }

  @Test func `two databases are apart`() throws {
    let other = SQLiteHome(in: MemoryDatabase())
    #expect(other.path != home.path)
    let founder = try other.connect(.founder(creates: true))
    #expect(try founder.schema.objectNames() == [])
  }

  @Test func `a reader stays in its state while another connection commits`() throws {
    let (writer, reader) = (try home.connect(.writer), try home.connect(.reader))
    let rows = try reader.prepare("SELECT balance FROM account", persistent: false)
    #expect(try rows.step())
    try writer.execute("UPDATE account SET balance = 11")
    #expect(try integer("SELECT sum(balance) FROM account", reader) == 5000)
    var (count, sum) = (1, rows.int64(at: 0))
    while try rows.step() { (count, sum) = (count + 1, sum + rows.int64(at: 0)) }
    #expect(count == 500 && sum == 5000)
    rows.reset()
    #expect(try integer("SELECT sum(balance) FROM account", reader) == 5500)
  }

  @Test func `a second writer is busy until the first one is done`() throws {
    var pragmas = Pragmas()
    pragmas.busyTimeout = 0.05
    let home = SQLiteHome(in: MemoryDatabase(), pragmas: pragmas)
    try home.connect(.founder(creates: true)).close()
    let (first, second) = (try home.connect(.writer), try home.connect(.writer))
    try first.begin(.immediate)
    let error = #expect(throws: SQLiteError.self) { try second.begin(.immediate) }
    #expect(error?.kind == .busy)
    try first.rollback()
    try second.begin(.immediate)
    try second.rollback()
  }

  @Test func `a reader can't write`() throws {
    let reader = try home.connect(.reader)
    let error = #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM account") }
    #expect(error?.kind == .writeOnReader)
  }

  @Test func `threads that write and read at once see whole transactions`() throws {
    let home = home
    let group = DispatchGroup()
    for thread in 0..<5 {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        do {
          let connection = try home.connect(thread < 2 ? .writer : .reader)
          for _ in 0..<100 {
            if thread < 2 {
              try connection.transaction(.immediate) {
                try connection.execute("UPDATE account SET balance = balance - 1 WHERE id <= 250")
                try connection.execute("UPDATE account SET balance = balance + 1 WHERE id > 250")
              }
            } else {
              #expect(try integer("SELECT sum(balance) FROM account", connection) == 5000)
            }
          }
          try connection.close()
        } catch {
          Issue.record(error)
        }
      }
    }
    group.wait()
    let reader = try home.connect(.reader)
    #expect(try integer("SELECT balance FROM account WHERE id = 500", reader) == 210)
    #expect(try reader.schema.damage() == [])
  }

  @Test func `the log is emptied, and a reader keeps it from that`() throws {
    let (writer, reader) = (try home.connect(.writer), try home.connect(.reader))
    try reader.begin(.deferred)
    #expect(try integer("SELECT count(*) FROM account", reader) == 500)
    try writer.execute("UPDATE account SET balance = 12")
    #expect(try !writer.tryToEmptyLog())
    try reader.rollback()
    #expect(try writer.tryToEmptyLog())
    var count = 0
    try home.readRaw(.log, under: writer) { count += $0.count }
    #expect(count == 0)
    try home.readRaw(.database, under: writer) { count += $0.count }
    #expect(count > 500 * 400)
  }

  @Test(arguments: ["delete", "truncate", "persist", "memory", "wal"])
  func `every journal undoes a transaction`(mode: String) throws {
    let writer = try home.connect(.writer)
    try writer.execute("PRAGMA journal_mode = \(mode)")
    try writer.begin(.immediate)
    try writer.execute("UPDATE account SET balance = 0, filling = randomblob(3000)")
    try writer.rollback()
    #expect(try integer("SELECT sum(balance) FROM account", writer) == 5000)
    #expect(try writer.schema.damage() == [])
    #expect(try writer.tryToEmptyLog())
  }

  @Test func `a file shrinks and grows again, and a large sort needs no disk`() throws {
    let writer = try home.connect(.writer)
    try writer.execute("DELETE FROM account; VACUUM")
    #expect(try writer.tryToEmptyLog())
    var count = 0
    try home.readRaw(.database, under: writer) { count += $0.count }
    #expect(count < 5 * 4096)
    try writer.execute(
      """
      PRAGMA temp_store = 1; CREATE TEMPORARY TABLE sorted AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        SELECT i, randomblob(300) AS r FROM n ORDER BY r;
      INSERT INTO account SELECT i, 1, r FROM sorted ORDER BY r
      """
    )
    #expect(try integer("SELECT sum(balance) FROM account", writer) == 20_000)
    #expect(try writer.schema.damage() == [])
  }

  @Test func `a database in memory reaches no file by ATTACH or VACUUM INTO`() throws {
    let database = try TemporaryDatabase()
    let writer = try home.connect(.writer)
    for sql in ["ATTACH '\(database.path)' AS other", "VACUUM INTO '\(database.path)'"] {
      let error = #expect(throws: SQLiteError.self) { try writer.execute(sql) }
      #expect(error?.kind == .cannotOpen)
    }
    #expect(!FileManager.default.fileExists(atPath: database.path))
  }

  @Test func `a copy in a file is a whole database, and fills another one in memory`() throws {
    let database = try TemporaryDatabase()
    let writer = try home.connect(.writer)
    try home.backUp(writer, to: database.path)
    let copy = try database.open(.readWrite)
    #expect(try copy.integer("SELECT sum(balance) FROM account") == 5000)
    let filled = SQLiteHome(in: MemoryDatabase())
    try filled.fill(fromFile: database.path)
    let other = try filled.connect(.writer)
    try other.execute("DELETE FROM account")
    #expect(try copy.integer("SELECT sum(balance) FROM account") == 5000)
    let missing = database.directory + "/none.db"
    let error = #expect(throws: HomeError.self) {
      try SQLiteHome(in: MemoryDatabase()).fill(fromFile: missing)
    }
    #expect(error?.kind == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: missing))
  }

  @Test func `the path of a database in memory is refused by name where a file is meant`() throws {
    let writer = try home.connect(.writer)
    for body in [
      { _ = try SQLiteHome(path: home.path).connect(.founder(creates: true)) },
      { _ = try SQLiteHome(path: home.path).connect(.inspector) },
      { try SQLiteHome(path: home.path).delete() }, { try home.delete() },
      { try home.backUp(writer, to: home.path) },
    ] as [() throws -> Void] {
      let error = #expect(throws: HomeError.self) { try body() }
      #expect(error?.kind == .inMemory)
    }
    #expect(!FileManager.default.fileExists(atPath: home.path))
  }

  @Test func `a size limit holds in memory`() throws {
    let home = SQLiteHome(in: MemoryDatabase(), maximumPageCount: 20)
    let founder = try home.connect(.founder(creates: true))
    try founder.execute("CREATE TABLE t (v)")
    let error = #expect(throws: SQLiteError.self) {
      for _ in 0..<100 { try founder.execute("INSERT INTO t VALUES (zeroblob(4000))") }
    }
    #expect(error?.kind == .full)
  }
}
