import Foundation
@testable import NacreCore
@testable import NacreUpkeep
import NacreOpen
import Synchronization
import Testing
@testable import TestSupport

@Suite struct PragmaTests {
  @Test func `the durability and the pragmas of options are one setting`() {
    var options = StoreOptions()
    #expect(options.pragmas == Pragmas())
    options.durability = .full
    options.busyTimeout = 2
    #expect(options.pragmas.synchronous == .full && options.pragmas.busyTimeout == 2)
    options.pragmas.synchronous = .extra
    #expect(options.durability == .full && options.busyTimeout == 2)
    options.pragmas.synchronous = .off
    options.pragmas.busyTimeout = 3
    #expect(options.durability == .normal && options.busyTimeout == 3)
    #expect(options.pragmas.synchronous == .off)
    options.durability = .normal
    options.busyTimeout = 4
    #expect(options.pragmas.synchronous == .normal && options.pragmas.busyTimeout == 4)
  }

  @Test func `a store's settings are those it was opened with`() throws {
    let test = try TestStore(isSealed: false) {
      $0.pragmas.caseSensitiveLike = true
      $0.pragmas.temporaryStore = .memory
      $0.busyTimeout = 1.5
      $0.durability = .full
    }
    let pragmas = try test.store.pragmas
    #expect(pragmas.caseSensitiveLike)
    #expect(pragmas.temporaryStore == .memory)
    #expect(pragmas.busyTimeout == 1.5)
    #expect(pragmas.synchronous == .full)
    #expect(pragmas.journalMode == .wal)
    #expect(pragmas.foreignKeys)
    // A reader has them, too.
    #expect(try test.store.read { try $0.pragmas } == pragmas)
  }

  @Test func `a change reaches connections that are open already`() throws {
    let test = try TestStore(isSealed: false)
    let node = Node.create()
    node.use(test.store)
    try node.save()
    #expect(try test.store.read { try $0.query("SELECT 'a' LIKE 'A'") } == [[1]])
    try test.store.setPragmas {
      $0.caseSensitiveLike = true
      $0.foreignKeys = false
      $0.busyTimeout = 0.25
      $0.synchronous = .extra
      $0.temporaryStore = .file
    }
    let pragmas = try test.store.read { database in
      #expect(try database.query("SELECT 'a' LIKE 'A'") == [[0]])
      return try database.pragmas
    }
    #expect(pragmas == (try test.store.pragmas))
    #expect(!pragmas.foreignKeys && pragmas.synchronous == .extra)
    #expect(pragmas.busyTimeout == 0.25 && pragmas.temporaryStore == .file)
  }

  @Test func `a PRAGMA that is run as SQL is seen, and holds for all connections`() throws {
    let test = try TestStore(isSealed: false)
    _ = try test.store.read { try $0.query("SELECT 1") }
    try test.store.write { database in
      try database.execute("PRAGMA case_sensitive_like = ON")
      try database.execute("PRAGMA busy_timeout = 1234")
      #expect(try database.pragmas.caseSensitiveLike)
    }
    #expect(try test.store.pragmas.caseSensitiveLike)
    #expect(try test.store.pragmas.busyTimeout == 1.234)
    let reader = try test.store.read { try $0.pragmas }
    #expect(reader.caseSensitiveLike && reader.busyTimeout == 1.234)
    try test.store.write { try $0.execute("PRAGMA busy_timeout = 0") }
    #expect(try test.store.pragmas.busyTimeout == 0)
    try test.store.setPragmas { $0.busyTimeout = 2 }
    #expect(try test.store.pragmas.busyTimeout == 2)
  }

  @Test func `a question about the timeout, or its name alone, sets nothing`() throws {
    let test = try TestStore(isSealed: false) { $0.busyTimeout = 1.5 }
    for sql in [
      "PRAGMA busy_timeout", "SELECT 1 -- PRAGMA busy_timeout", "PRAGMA foreign_keys",
      "SELECT 'PRAGMA busy_timeout = 0'",
    ] {
      try test.store.write { try $0.execute(sql) }
      _ = try test.store.write { try $0.query(sql) }
      #expect(try test.store.pragmas.busyTimeout == 1.5)
      #expect(try test.store.read { try $0.pragmas.busyTimeout } == 1.5)
    }
  }

  @Test func `the timeout can be set to 0 through SQL, in any case and beside other statements`()
    throws
  {
    let test = try TestStore(isSealed: false) { $0.busyTimeout = 1.5 }
    try test.store.write { database in
      try database.execute("SELECT 1; pragma main.Busy_Timeout(0); SELECT 2")
      #expect(try database.pragmas.busyTimeout == 0)
    }
    #expect(try test.store.pragmas.busyTimeout == 0)
    #expect(try test.store.read { try $0.pragmas.busyTimeout } == 0)
  }

  @Test(arguments: [Pragmas.JournalMode.truncate, .persist])
  func `a reader's PRAGMA leaves the writer's journal mode as it is`(
    mode: Pragmas.JournalMode
  ) throws {
    let test = try TestStore(isSealed: false) { $0.pragmas.journalMode = mode }
    try test.store.read { try $0.execute("PRAGMA case_sensitive_like = ON") }
    let pragmas = try test.store.pragmas
    #expect(pragmas.caseSensitiveLike)
    #expect(pragmas.journalMode == mode)
  }

  @Test(arguments: ["query", "rows", "value", "cursor", "statements", "named", "by hand"])
  func `a PRAGMA that any call runs holds for all connections`(call: String) throws {
    let test = try TestStore(isSealed: false)
    _ = try test.store.read { try $0.query("SELECT 1") }
    // Twice the same: SQLite does what the text says only when it prepares it.
    for milliseconds in [100, 200, 100] {
      let sql = "PRAGMA busy_timeout = \(milliseconds)"
      try set(sql, call, in: test.store)
      #expect(try test.store.pragmas.busyTimeout == Double(milliseconds) / 1000)
      #expect(try test.store.read { try $0.pragmas.busyTimeout } == Double(milliseconds) / 1000)
    }
  }

  private func set(_ sql: String, _ call: String, in store: Store) throws {
    if call == "by hand" {
      try store.begin()
      try store.write { _ = try $0.query(sql) }
      return try store.commit()
    }
    try store.write { database in
      switch call {
      case "query": _ = try database.query(sql)
      case "rows": _ = try database.rows(sql)
      case "value": _ = try database.value(sql, as: Int.self)
      case "cursor": _ = try database.cursor(sql).next()
      case "statements": try database.execute([SQLStatement(sql)])
      default: try database.execute(sql, [:] as NamedArguments)
      }
    }
  }

  @Test func `PRAGMAs that two connections run at once hold for both`() throws {
    let test = try TestStore(isSealed: false)
    try test.store.read { reader in
      let end = onOwnThread {
        _ = try? test.store.write { try $0.execute("PRAGMA case_sensitive_like = ON") }
      }
      #expect(end())
      try reader.execute("PRAGMA busy_timeout = 100")
    }
    for pragmas in [try test.store.pragmas, try test.store.read { try $0.pragmas }] {
      #expect(pragmas.caseSensitiveLike)
      #expect(pragmas.busyTimeout == 0.1)
    }
  }

  @Test func `a journal mode that a query sets is kept for the writer`() throws {
    let test = try TestStore(isSealed: false) { $0.pragmas.journalMode = .delete }
    let store = test.store
    // Outside of a transaction, in which SQLite keeps the mode.
    let sql = "PRAGMA journal_mode = truncate"
    let mode = try store.withWriter { try $0.value(sql, as: String.self) }
    #expect(mode == "truncate")
    // The next change makes the writer take over what it lacks.
    try store.read { try $0.execute("PRAGMA busy_timeout = 100") }
    #expect(try store.pragmas.journalMode == .truncate)
    #expect(try store.pragmas.busyTimeout == 0.1)
  }

  @Test func `a copy is made with the settings that were made last`() throws {
    let test = try TestStore(isSealed: false)
    try test.store.setPragmas { $0.journalMode = .delete }
    try test.store.backup(to: test.directory.file("copy.db"))
    // The header's write version: 1 is a rollback journal, 2 is WAL (sqlite.org/fileformat.html, 1.3.3).
    #expect(try test.directory.bytes("copy.db")[18] == 1)
  }

  @Test func `a log that somebody reads is waited for as long as was set last`() throws {
    let test = try TestStore(isSealed: false) { $0.busyTimeout = 60 }
    try test.store.setPragmas { $0.busyTimeout = 0 }
    let start = ContinuousClock.now
    let isEmpty = Mutex<Bool?>(nil)
    try test.store.read { database in
      _ = try database.query("SELECT count(*) FROM nacre_store")
      let end = onOwnThread {
        do {
          try test.store.write { try $0.execute("CREATE TABLE other (x)") }
          let found = try test.store.emptyLog()
          isEmpty.withLock { $0 = found }
        } catch {
          Issue.record(error)
        }
      }
      #expect(end())
    }
    #expect(isEmpty.withLock { $0 } == false)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `a change inside a transaction is refused, for SQLite would ignore it`() throws {
    let test = try TestStore(isSealed: false)
    let error = #expect(throws: NacreError.self) {
      try test.store.write { _ in try test.store.setPragmas { $0.foreignKeys = false } }
    }
    #expect(error?.code == .transactionState)
    #expect(try test.store.pragmas.foreignKeys)
  }

  @Test(arguments: [Pragmas.JournalMode.delete, .truncate, .persist])
  func `a store works with a rollback journal`(mode: Pragmas.JournalMode) throws {
    let test = try TestStore { $0.pragmas.journalMode = mode }
    #expect(try test.store.pragmas.journalMode == mode)
    let safe = Safe.create()
    safe.secret = "s"
    safe.use(test.store)
    try safe.save()
    #expect(try test.store.rotate().outcome == .finished)
    #expect(try test.store.read { _ in try Safe.fetchOne()?.secret } == "s")
    #expect(try test.store.verify().badCells == [])
    #expect(try !test.store.check().contains { $0.kind == .journalMode })
  }

  @Test(arguments: [Pragmas.JournalMode.delete, .truncate, .persist])
  func `a rotation leaves nothing of the old keys in a rollback journal`(
    mode: Pragmas.JournalMode
  ) throws {
    let test = try TestStore { $0.pragmas.journalMode = mode }
    let safe = Safe.create()
    safe.secret = "s"
    safe.use(test.store)
    try safe.save()
    let rows = try test.store.read { try $0.query("SELECT secret FROM Safe") }
    guard case .blob(let envelope) = try #require(rows.first?.first) else {
      Issue.record("the secret is not sealed")
      return
    }
    #expect(try test.store.rotate().outcome == .finished)
    #expect(try test.store.pragmas.journalMode == mode)
    let names = try FileManager.default.contentsOfDirectory(atPath: test.directory.path)
    #expect(names.contains("store.db"))
    for name in names {
      #expect(try test.directory.bytes(name).range(of: envelope) == nil, "\(name)")
    }
  }

  @Test func `a journal mode that a reader keeps from changing is an error`() throws {
    let test = try TestStore(isSealed: false) { $0.busyTimeout = 0.02 }
    _ = try test.store.read { try $0.query("SELECT count(*) FROM nacre_store") }
    let error = #expect(throws: NacreError.self) {
      try test.store.setPragmas { $0.journalMode = .delete }
    }
    #expect(error?.code == .busy)
    #expect(try test.store.pragmas.journalMode == .wal)
  }
}
