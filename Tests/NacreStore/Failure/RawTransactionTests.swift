import NacreCore
import Testing
@testable import TestSupport

/// SQL text of the caller's own ends no transaction half-way.
@Suite struct RawTransactionTests {
  private struct Stop: Error {}

  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  @Test(arguments: [
    "BEGIN", "begin immediate", "COMMIT", "END", "ROLLBACK", "SAVEPOINT mine", "RELEASE mine",
    "ROLLBACK TO mine", "-- a word\n/* more */ Commit", "EXPLAIN COMMIT",
  ])
  func `a statement of transactions is refused in every call that takes SQL`(sql: String) throws {
    let calls: [(Database) throws -> Void] = [
      { try $0.execute(sql) }, { try $0.execute("SELECT 1; \(sql); SELECT 2") },
      { _ = try $0.execute(sql, 1) }, { _ = try $0.query(sql) }, { _ = try $0.rows(sql) },
      { _ = try $0.cursor(sql) },
    ]
    for call in calls {
      let node = Node.create()
      try store.write { database in
        try node.save()
        let error = thrown(.transactionState) { try call(database) }
        #expect(error?.description.contains("use `write { }`") == true)
      }
      #expect(node.isStored)
      expectError(.transactionState) { try store.read { try call($0) } }
      let stop = { try store.write { (_) throws in throw Stop() } }
      #expect(throws: Stop.self) { try stop() }
    }
    #expect(try store.read { _ in try Node.count() } == 6)
  }

  @Test func `an object whose write would end its transaction is not stored, and can be saved`()
    throws
  {
    let node = Node.create()
    expectError(.transactionState) {
      try store.write { (database) throws in
        try node.save()
        try database.execute("END")
      }
    }
    #expect(!node.isStored)
    #expect(try store.read { _ in try Node.count() } == 0)
    try scene.save(node, in: store)
    #expect(node.isStored)
  }

  @Test func `a migration's step that would commit is taken back as a whole`() throws {
    try store.write { try $0.execute("CREATE TABLE note (a)") }
    try store.close()
    let error = thrown(.migrationFailed) {
      _ = try scene.open { options in
        options.migrator = Migrator(
          .init("1") { database in
            try? database.execute("INSERT INTO note VALUES (1); COMMIT")
            try database.execute("INSERT INTO note VALUES (2); COMMIT")
          }
        )
      }
    }
    #expect((error?.cause as? NacreError)?.code == .transactionState)
    let rows = try scene.open().read { try $0.query("SELECT a FROM note") }
    #expect(rows == [])
  }

  @Test func `triggers, VACUUM and full-text tables keep their own transactions`() throws {
    try store.write { database in
      try database.execute(
        """
        CREATE TABLE note (a); CREATE TABLE log (a);
        CREATE TRIGGER noting AFTER INSERT ON note BEGIN INSERT INTO log VALUES (new.a); END;
        INSERT INTO note VALUES (1);
        """
      )
      let second = {
        try store.write { (inner) throws in
          try inner.execute("INSERT INTO note VALUES (2)")
          throw Stop()
        }
      }
      #expect(throws: Stop.self) { try second() }
    }
    try store.vacuum()
    #expect(try store.read { try $0.query("SELECT a FROM log") } == [[.integer(1)]])
  }
}
