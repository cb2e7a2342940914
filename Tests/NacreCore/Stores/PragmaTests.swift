import Foundation
import NacreCore
import Testing
import TestSupport

@Suite struct PragmaTests {
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

  @Test func `what is set through SQL is seen, and holds for all connections`() throws {
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
