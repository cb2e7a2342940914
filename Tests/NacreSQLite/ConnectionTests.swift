import Foundation
import NacreEngine
import NacreSQLite
import Synchronization
import TestSupport
import Testing

@Suite struct ConnectionTests {
  let database: TemporaryDatabase

  init() throws {
    database = try TemporaryDatabase()
  }

  @Test(arguments: [
    (Pragmas.Synchronous.off, Int64(0)), (.normal, 1), (.full, 2), (.extra, 3),
  ])
  func `the pragmas hold what the configuration says`(
    _ synchronous: Pragmas.Synchronous,
    _ level: Int64
  ) throws {
    let connection = try database.open(synchronous: synchronous)
    #expect(try connection.pragma("journal_mode") == "wal")
    #expect(try connection.integer("PRAGMA synchronous") == level)
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
    #expect(connection.busyTimeoutMilliseconds == 5_000)
    #expect(try connection.integer("PRAGMA secure_delete") == 1)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
    try connection.execute("CREATE TABLE t (v)")
    #expect(try #require(database.byteCount(ofSuffix: "-wal")) > 0)
  }

  @Test func `a configuration sets another journal mode and turns foreign keys off`() throws {
    var configuration = ConnectionConfiguration()
    configuration.pragmas.journalMode = .delete
    configuration.pragmas.foreignKeys = false
    configuration.cacheSizeKibibytes = 512
    configuration.pragmas.temporaryStore = .memory
    let connection = try Connection(
      path: database.path,
      mode: .create,
      configuration: configuration
    )
    #expect(try connection.pragma("journal_mode") == "delete")
    #expect(try connection.integer("PRAGMA foreign_keys") == 0)
    #expect(try connection.integer("PRAGMA cache_size") == -512)
    #expect(try connection.integer("PRAGMA temp_store") == 2)
    let log = try connection.checkpoint(.passive)
    #expect(log.logFrames == -1)
  }

  @Test func `a new file and its log can be read by its owner only`() throws {
    let connection = try database.open()
    try connection.execute("CREATE TABLE t (v)")
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: database.path + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `only the create mode makes a file`() throws {
    for mode in [Connection.Mode.readOnly, .readWrite] {
      let error = #expect(throws: SQLiteError.self) { try database.open(mode) }
      #expect(error?.isCantOpen == true)
    }
    #expect(database.byteCount(ofSuffix: "") == nil)
    try database.open(.create).execute("CREATE TABLE t (v)")
    #expect(try database.open(.create).integer("SELECT count(*) FROM t") == 0)
  }

  @Test(arguments: ["/missing/test.db", ""])
  func `a path that cannot be a file is refused`(_ tail: String) {
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path: database.directory + tail, mode: .create)
    }
    #expect(error?.isCantOpen == true)
  }

  @Test func `a path with a NUL is refused`() {
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path: database.path + "\0.db", mode: .create)
    }
    #expect(error?.isCantOpen == true)
    #expect(database.byteCount(ofSuffix: "") == nil)
  }

  @Test func `a file that is not a database is named so`() throws {
    let text = Data(String(repeating: "not a database, ", count: 1_000).utf8)
    try text.write(to: URL(fileURLWithPath: database.path))
    for mode in [Connection.Mode.readOnly, .readWrite, .create] {
      let error = #expect(throws: SQLiteError.self) { try database.open(mode) }
      #expect(error?.isNotADatabase == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: database.path)) == text)
  }

  @Test func `a reader cannot write`() throws {
    let writer = try database.open()
    try writer.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1)")
    let reader = try database.open(.readOnly)
    #expect(try reader.integer("SELECT v FROM t") == 1)
    let error = #expect(throws: SQLiteError.self) {
      try reader.execute("INSERT INTO t VALUES (2)")
    }
    #expect(error?.isReadOnly == true)
    try writer.execute("INSERT INTO t VALUES (3)")
    #expect(try reader.integer("SELECT count(*) FROM t") == 2)
  }

  @Test func `a file that may only be read is not opened for writing`() async {
    // In a process of its own, which gives up root's right to write everything.
    await #expect(processExitsWith: .success) {
      let database = try TemporaryDatabase()
      var configuration = ConnectionConfiguration()
      configuration.pragmas.journalMode = .delete
      let writer = try Connection(
        path: database.path,
        mode: .create,
        configuration: configuration
      )
      try writer.execute("CREATE TABLE t (v)")
      try writer.close()
      chmod(database.path, 0o444)
      chmod(database.directory, 0o555)
      if geteuid() == 0 { try #require(seteuid(65_534) == 0) }
      let file = #expect(throws: SQLiteError.self) { try database.open(.readWrite) }
      #expect(file?.isReadOnly == true)
      let directory = #expect(throws: SQLiteError.self) {
        try Connection(path: database.directory + "/new.db", mode: .create)
      }
      #expect(directory?.isCantOpen == true)
      #expect(try database.open(.readOnly).integer("SELECT count(*) FROM t") == 0)
      if getuid() == 0 { try #require(seteuid(0) == 0) }
      chmod(database.directory, 0o755)
    }
  }

  @Test func `a database in memory is the connection's own`() throws {
    let first = try Connection(path: ":memory:", mode: .create)
    let second = try Connection(path: ":memory:", mode: .readWrite)
    try first.execute("CREATE TABLE t (v)")
    #expect(try second.integer("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test func `eight threads that open a new file at once all get it`() throws {
    let failures = Mutex<[String]>([])
    let database = database
    let threads = (0..<8).map { number in
      TestThread {
        do {
          let connection = try database.open()
          try connection.execute("CREATE TABLE IF NOT EXISTS t (v)")
          try connection.transaction(.immediate) {
            try connection.execute("INSERT INTO t VALUES (\(number))")
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    for thread in threads { thread.wait() }
    #expect(failures.withLock { $0 } == [])
    #expect(try database.open().integer("SELECT count(*) FROM t") == 8)
  }

  @Test func `an interrupt from another thread stops a long statement`() throws {
    nonisolated(unsafe) let connection = try database.open()
    let started = DispatchSemaphore(value: 0)
    connection.setStatementTrace { event, _ in
      if case .statement = event { started.signal() }
    }
    let finished = Finished()
    let thread = TestThread {
      started.wait()
      while !finished.flag.load(ordering: .acquiring) {
        connection.interrupt()
        sched_yield()
      }
    }
    let error = #expect(throws: SQLiteError.self) {
      try connection.integer(
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"
      )
    }
    finished.flag.store(true, ordering: .releasing)
    thread.wait()
    #expect(error?.isInterrupted == true)
    connection.setStatementTrace(nil)
    #expect(try connection.integer("SELECT 1") == 1)
    try connection.close()
    connection.interrupt()
  }

  @Test func `a truncating checkpoint leaves an empty log`() throws {
    let connection = try database.open()
    try connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES (zeroblob(100000))")
    #expect(try #require(database.byteCount(ofSuffix: "-wal")) > 100_000)
    let passive = try connection.checkpoint(.passive)
    #expect(passive.logFrames > 20)
    #expect(passive.checkpointedFrames == passive.logFrames)
    _ = try connection.checkpoint(.truncate)
    #expect(database.byteCount(ofSuffix: "-wal") == 0)
  }

  @Test func `a checkpoint that a reader holds up is busy`() throws {
    let connection = try database.open(busyTimeoutMilliseconds: 20)
    try connection.execute("CREATE TABLE t (v)")
    let reader = try database.open(.readOnly)
    try reader.begin(.deferred)
    #expect(try reader.integer("SELECT count(*) FROM t") == 0)
    try connection.execute("INSERT INTO t VALUES (1)")
    let error = #expect(throws: SQLiteError.self) { try connection.checkpoint(.truncate) }
    #expect(error?.isBusy == true)
  }
}

/// A flag that a thread may capture.
final class Finished: Sendable {
  let flag = Atomic(false)
}
