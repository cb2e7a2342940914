import Foundation
import NacreEngine
import NacreSQLite
import TestFaults
import Testing

@Suite struct DurabilityTests {
  private struct Refusal: Error {}
  private let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  @Test(arguments: [Pragmas.Synchronous.off, .normal, .full, .extra])
  func `commits are synced while the body runs, and as before afterwards`(
    usual: Pragmas.Synchronous
  ) throws {
    let connection = try database.open(synchronous: usual)
    try connection.execute("PRAGMA temp_store = 2")
    let noted = connection.settingsOfSQL
    let within = try connection.syncingCommits { try connection.pragmas().synchronous }
    #expect(within == .extra)
    #expect(try connection.pragmas().synchronous == usual)
    #expect(throws: Refusal.self) { try connection.syncingCommits { throw Refusal() } }
    #expect(try connection.pragmas().synchronous == usual)
    // What SQL has set is still known, and nothing more.
    #expect(connection.settingsOfSQL == noted && !noted.isEmpty)
  }

  @Test func `syncing of commits can't be changed inside a transaction`() throws {
    let connection = try database.open()
    try connection.begin(.immediate)
    #expect(throws: SQLiteError.self) { try connection.syncingCommits {} }
    try connection.rollback()
    #expect(try connection.pragmas().synchronous == .normal)
  }

  private func open(_ mode: Pragmas.JournalMode, at path: String) throws -> Connection {
    var configuration = ConnectionConfiguration()
    configuration.pragmas.journalMode = mode
    configuration.pragmas.synchronous = .full
    return try Connection(path: path, mode: .create, configuration: configuration)
  }

  @Test func `with a journal that is deleted, full waits for the directory, too`() throws {
    let connection = try open(.delete, at: database.path)
    #expect(try connection.integer("PRAGMA synchronous") == 3)
    var pragmas = Pragmas()
    pragmas.synchronous = .full
    for (mode, level) in [(Pragmas.JournalMode.truncate, Int64(2)), (.delete, 3), (.wal, 2)] {
      pragmas.journalMode = mode
      try connection.set(pragmas)
      #expect(try connection.integer("PRAGMA synchronous") == level, "\(mode)")
    }
  }

  /// SQLite cuts the file at the end of a VACUUM only after it has deleted the journal.
  @Test func `a power cut during and after a VACUUM undoes nothing and damages nothing`() throws {
    let disk = try FaultyDisk(at: database.directory)
    let connection = try open(.delete, at: database.path)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
    for id in 0..<12 { try connection.execute("INSERT INTO t VALUES (\(id), hex(zeroblob(3000)))") }
    try connection.execute("DELETE FROM t WHERE id < 9")
    let begun = disk.changeCount
    try connection.execute("VACUUM")
    let ended = disk.changeCount
    try connection.execute("INSERT INTO t VALUES (20, 'last')")
    let history = disk.history
    for count in begun...history.count {
      for seed in 0..<8 {
        let copy = database.directory + "/cut"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try PowerCut(of: history, after: count, seed: UInt64(seed)).write(to: copy)
        let other = try FaultyDisk(at: copy)
        defer { other.disarm() }
        let left = try open(.delete, at: copy + "/test.db")
        #expect(try left.text("PRAGMA integrity_check") == "ok", "\(count) of \(ended), \(seed)")
        let rows = try left.integer("SELECT count(*) FROM t")
        #expect(rows == 3 || count > ended && rows == 4, "\(count) of \(ended), \(seed)")
        if count == history.count { #expect(rows == 4, "\(seed)") }
      }
    }
  }

  @Test(arguments: [Pragmas.JournalMode.wal, .delete, .truncate, .persist])
  func `a commit that could not be waited for may be stored, and says so`(
    mode: Pragmas.JournalMode
  ) throws {
    let disk = try FaultyDisk(at: database.directory)
    let connection = try open(mode, at: database.path)
    try connection.execute("CREATE TABLE t (x)")
    var found: Set<Int64> = []
    var (number, wasHit) = (0, true)
    while wasHit {
      try connection.execute("DELETE FROM t")
      disk.arm(DiskFault(number, of: [.sync]))
      var kind: EngineErrorKind?
      do {
        try connection.transaction(.immediate) {
          try connection.execute("INSERT INTO t VALUES (1)")
        }
      } catch let error as SQLiteError { kind = error.kind }
      wasHit = disk.disarm() != nil
      #expect(kind == (wasHit ? .commitUnknown : nil), "\(number)")
      let count = try connection.integer("SELECT count(*) FROM t")
      if wasHit { found.insert(count) } else { #expect(count == 1) }
      number += 1
    }
    // In the log it is stored if the process ends before the next transaction.
    #expect(found == (mode == .wal ? [0] : [0, 1]))
  }
}
