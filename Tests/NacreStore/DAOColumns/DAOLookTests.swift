import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Writes of other stores while the tables are looked through before a key is given up.
@Suite struct DAOLookTests {
  private let scene: DAOScene
  private let watched = WatchedStatements()
  private let store: Store
  /// What another process would be: it does not wait for the writers' lock.
  private let other: Store
  private let old: KeyID
  /// An envelope under the old key, as somebody has it who read it before.
  private let stored: Value

  init() throws {
    scene = try DAOScene()
    store = try scene.open { [watched] in $0.trace = watched.note }
    other = try scene.open { $0.busyTimeout = 0 }
    old = try store.key(.primary)
    stored = try other.write { try $0.sealDAO(.integer(7), type: "Note", property: "body") }
    try store.write { try $0.execute("CREATE TABLE late (body)") }
  }

  private func isLook(_ sql: String) -> Bool {
    sql.contains("FROM main.\"late\" r") && sql.contains("FILTER")
  }

  private func isLock(_ sql: String) -> Bool { sql == "BEGIN IMMEDIATE" }

  /// Writes one row in a transaction of its own.
  private func write(_ value: Value) throws {
    try other.write { try $0.connection.run("INSERT INTO late VALUES (?1)", [value]) }
  }

  private func lateCount() throws -> Int {
    try other.read { try $0.query("SELECT body FROM late").count }
  }

  /// Has a key retired that sealed everything, and seals nothing any more.
  private func rotate() throws {
    let report = try store.rotate(.small)
    #expect(report.disabled == [old])
  }

  /// The same, and lets it open again.
  private func rotateAndEnable() throws {
    try rotate()
    try store.enableKey(old)
  }

  /// Rotates, with `act` right before each statement of the end, where the keys to be disabled are looked for.
  private func rotate(at act: (String) throws -> Void) throws -> RotationReport {
    var isLast = false
    var report: RotationReport?
    try watched.during {
      report = try store.rotate(
        .small,
        watching: { progress in
          isLast = progress.phase == .clearing
          return .goOn
        }
      )
    } at: { sql in
      if isLast { try act(sql) }
    }
    return try #require(report)
  }

  // MARK: Who writes meanwhile

  @Test func `another store writes while the tables are searched for a key to disable`() throws {
    try rotateAndEnable()
    try watched.during {
      try store.disableKey(old)
    } at: { sql in
      if isLook(sql), try lateCount() < 2 { try write(.null) }
    }
    #expect(try lateCount() == 2)
    #expect(try store.state(of: old) == .disabled)
  }

  @Test func `another store writes while the tables are searched for a key to destroy`() throws {
    try rotate()
    try watched.during {
      try store.destroyKey(old)
    } at: { sql in
      if isLook(sql), try lateCount() < 2 { try write(.null) }
    }
    #expect(try lateCount() == 2)
    #expect(try store.state(of: old) == .destroyed)
  }

  @Test func `another store writes while a rotation searches for the keys to disable`() throws {
    let report = try rotate { sql in
      if isLook(sql), try lateCount() < 2 { try write(.null) }
    }
    #expect(report.disabled == [old])
    #expect(try lateCount() == 2)
    try scene.expectWhole(store)
  }

  // MARK: What the store itself writes meanwhile

  private func expect(
    looks: Int,
    with usesHook: Bool,
    at action: @escaping (Store) throws -> Void,
    _ body: (Store) throws -> Void
  ) throws {
    let store = try scene.open {
      $0.trace = watched.note
      $0.usesChangeReports = usesHook
    }
    var count = 0
    try watched.during {
      try body(store)
    } at: { sql in
      guard isLook(sql) else { return }
      count += 1
      if count == 1 { try elsewhere { try action(store) } }
    }
    #expect(count == looks)
  }

  /// Runs `body` on a thread of its own, for this one reads.
  private func elsewhere(_ body: @escaping () throws -> Void) throws {
    // This thread waits for its end.
    nonisolated(unsafe) let body = body
    let failure = Shared<(any Error)?>(nil)
    let end = onOwnThread {
      do { try body() } catch { failure.withLock { $0 = error } }
    }
    #expect(end())
    if let error = failure.withLock({ $0 }) { throw error }
  }

  @Test(arguments: [true, false])
  func `rows that do not name the key are not looked for again`(_ usesHook: Bool) throws {
    try rotateAndEnable()
    try expect(looks: usesHook ? 1 : 2, with: usesHook) { store in
      try store.write { database in
        try DAOScene.insert(1_000, on: database)
        try database.connection.run("INSERT INTO late VALUES (?1)", [.blob(Data(count: 40))])
        try database.connection.run("UPDATE notes SET plain = plain || '!' WHERE id = 1000", [])
      }
    } _: { store in
      try store.disableKey(old)
    }
    #expect(try store.state(of: old) == .disabled)
  }

  @Test(arguments: [true, false])
  func `rows that name the key are looked for again`(_ usesHook: Bool) throws {
    try rotate()
    try expect(looks: 2, with: usesHook) { store in
      try store.write { try $0.connection.run("INSERT INTO late VALUES (?1)", [stored]) }
    } _: { store in
      expectError(.unsuitableColumn, entity: "late") { try store.destroyKey(old) }
    }
    #expect(try store.state(of: old) == .disabled)
  }

  @Test(arguments: [true, false])
  func `rows that are updated to name the key are looked for again`(_ usesHook: Bool) throws {
    try rotate()
    try store.write { database in
      try database.execute("CREATE TABLE fixed (id INTEGER PRIMARY KEY, a, b) WITHOUT ROWID")
      try database.execute("INSERT INTO fixed VALUES (1, 2, 3)")
    }
    try expect(looks: 2, with: usesHook) { store in
      try store.write { try $0.connection.run("UPDATE fixed SET b = ?1", [stored]) }
    } _: { store in
      expectError(.unsuitableColumn, entity: "fixed", property: "b") { try store.destroyKey(old) }
    }
    #expect(try store.state(of: old) == .disabled)
  }

  @Test(arguments: [true, false])
  func `a table that is made of others is looked through`(_ usesHook: Bool) throws {
    try store.write { try $0.connection.run("INSERT INTO late VALUES (?1)", [stored]) }
    try store.promoteKey(store.addKey(.field))
    try expect(looks: 2, with: usesHook) { store in
      try store.write { try $0.execute("CREATE TABLE copied AS SELECT body FROM late") }
    } _: { store in
      let columns = ["notes.body", "notes.extra", "late.body"].map { name in
        let parts = name.split(separator: ".").map(String.init)
        return StoredColumn(table: parts[0], column: parts[1])
      }
      let error = thrown(.keyInUse) { try store.disableKey(old, ignoring: columns) }
      #expect(error?.detail == "1 value: copied.body 1")
    }
  }

  @Test func `a key that was primary when it was looked is not disabled by a rotation`() throws {
    var successor: KeyID?
    let report = try rotate { sql in
      guard isLook(sql), successor == nil else { return }
      // On a thread of its own, for this one reads.
      let made = Mutex<KeyID?>(nil)
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [store] in
        let key = try? store.addKey(.field)
        if let key, (try? store.promoteKey(key)) != nil { made.withLock { $0 = key } }
        isDone.signal()
      }
      #expect(isDone.wait(timeout: .now() + 20) == .success)
      successor = made.withLock { $0 }
    }
    #expect(report.outcome == .finished)
    #expect(successor != nil)
    try scene.expectWhole(store)
    let named = try scene.namedKeys(store)
    for case let key? in named { #expect(try store.state(of: key) != .disabled) }
  }

  // MARK: What comes after the look

  @Test(arguments: zip([1, 2, 3, 4], [1, 2, 4, 4]))
  func `destroyKey finds a value written between look and lock`(_ turn: Int, _ last: Int) throws {
    try rotate()
    var locks = 0
    try watched.during {
      expectError(.unsuitableColumn, entity: "late") { try store.destroyKey(old) }
    } at: { sql in
      guard isLock(sql) else { return }
      locks += 1
      // Each time something, so that the last look is one under the lock.
      try write(locks == turn ? stored : .null)
    }
    #expect(locks == last)
    #expect(try store.state(of: old) == .disabled)
    try store.enableKey(old)
    #expect(try store.read { try $0.openDAO(stored, type: "Note", property: "body") } == 7)
  }

  @Test func `disableKey finds a value that is copied between look and lock`() throws {
    try rotateAndEnable()
    try watched.during {
      let error = thrown(.keyInUse) { try store.disableKey(old) }
      #expect(error?.detail == "1 value: late.body 1")
    } at: { sql in
      if isLock(sql), try lateCount() == 0 { try write(stored) }
    }
    #expect(try store.state(of: old) == .enabled)
  }

  @Test func `a rotation reseals a value that is copied between look and lock`() throws {
    let report = try rotate { sql in
      if isLock(sql), try lateCount() == 0 { try write(stored) }
    }
    #expect(report.disabled == [old])
    try store.destroyKey(old)
    let cell = try #require(try store.read { try $0.query("SELECT body FROM late") }.first?.first)
    #expect(try store.read { try $0.openDAO(cell, type: "Note", property: "body") } == 7)
    try scene.expectWhole(store)
  }
}

/// Has a test act right before statements run, on the connection's thread.
private final class WatchedStatements: @unchecked Sendable {
  // Sendable holds: a test's store is used by the test's one thread.
  private var act: ((String) -> Void)?

  func note(_ event: TraceEvent) {
    guard case .statement(let sql) = event, let act else { return }
    // What it does may run statements itself.
    self.act = nil
    act(sql)
    self.act = act
  }

  /// Runs `body`, and `act` with the text of each statement.
  func during(_ body: () throws -> Void, at act: (String) throws -> Void) throws {
    var failure: (any Error)?
    try withoutActuallyEscaping(act) { act in
      self.act = { sql in
        do { try act(sql) } catch { failure = failure ?? error }
      }
      defer { self.act = nil }
      try body()
    }
    if let failure { throw failure }
  }
}
