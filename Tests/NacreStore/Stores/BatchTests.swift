import NacreCore
import NacreOpen
import Synchronization
import Testing
import TestSupport

@Suite struct BatchTests {
  @Test func `three thousand statements run in one transaction, or none`() throws {
    let test = try TestStore(isSealed: false)
    try test.store.write { try $0.execute("CREATE TABLE t (n INTEGER UNIQUE, s TEXT)") }
    var batch = (0..<3000).map { (number: Int) in
      SQLStatement("INSERT INTO t VALUES (?, ?)", number, "row \(number)")
    }
    let count = try test.store.write { try $0.execute(batch) }
    #expect(count == 3000)
    batch = [SQLStatement("DELETE FROM t WHERE n IN (?)", [1, 2]), batch[5]]
    try test.store.write { database in
      try database.execute("INSERT INTO t VALUES (-1, '')")
      let error = #expect(throws: NacreError.self) { try database.execute(batch) }
      #expect(error?.code == .constraint)
      #expect(try database.query("SELECT count(*) FROM t") == [[3001]])
      database.shouldRollback = true
    }
    #expect(try test.store.read { try $0.query("SELECT count(*) FROM t") } == [[3000]])
  }

  @Test func `a table, its index and rows are made in one exclusive transaction`() throws {
    let test = try TestStore(isSealed: false)
    let last = try test.store.write(.exclusive) { database in
      try database.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
      try database.createIndex(on: "person", columns: ["name"], unique: true)
      try database.execute("INSERT INTO person (name) VALUES (?)", "Ada")
      try database.execute("INSERT INTO person (name) VALUES (?)", "Ben")
      return database.lastInsertedRowID
    }
    #expect(last == 2)
    let error = #expect(throws: NacreError.self) {
      try test.store.write { try $0.execute("INSERT INTO person (name) VALUES (?)", "Ada") }
    }
    #expect(error?.code == .constraint)
  }

  @Test func `a transaction is of the kind that was asked for, by hand or not`() throws {
    let lines = Mutex<[String]>([])
    let test = try TestStore(isSealed: false) { options in
      options.trace = { event in
        guard case .statement(let sql) = event else { return }
        lines.withLock { $0.append(sql) }
      }
    }
    for (kind, sql) in [
      (TransactionKind.exclusive, "BEGIN EXCLUSIVE"), (.immediate, "BEGIN IMMEDIATE"),
      (.deferred, "BEGIN DEFERRED"),
    ] {
      lines.withLock { $0 = [] }
      try test.store.begin(kind)
      try test.store.commit()
      #expect(lines.withLock { $0.first { $0.hasPrefix("BEGIN") } } == sql)
      lines.withLock { $0 = [] }
      try test.store.write(kind) { _ in }
      #expect(lines.withLock { $0.first { $0.hasPrefix("BEGIN") } } == sql)
    }
  }

  @Test func `a store's file is there from its opening to its deletion`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("garage.db")
    #expect(!Store.exists(at: path))
    let store = try Store.open(path)
    #expect(Store.exists(at: path))
    try store.close()
    #expect(Store.exists(at: path))
    try Store.delete(at: path)
    #expect(!Store.exists(at: path))
    // And again from nothing.
    try Store.open(path).close()
    #expect(Store.exists(at: path))
  }
}
