import NacreCore
import Synchronization
import Testing
import TestSupport

@Suite struct StoreQueueTests {
  private let test: TestStore
  private let queue: StoreQueue

  init() throws {
    test = try TestStore(isSealed: false)
    queue = StoreQueue(test.store)
    try test.store.write { try $0.execute("CREATE TABLE t (n INTEGER UNIQUE)") }
  }

  @Test func `sync sees all that was given before`() throws {
    for number in 0..<100 {
      queue.async { try $0.execute("INSERT INTO t VALUES (?)", number) }
    }
    let rows = try queue.sync { try $0.query("SELECT count(*), sum(n) FROM t") }
    #expect(rows == [[100, 4950]])
  }

  @Test func `a nested sync on the same queue is an error, and a nested async is fine`() throws {
    let outcome = Mutex<[Bool]>([])
    try queue.sync { database in
      try database.execute("INSERT INTO t VALUES (1)")
      let error = #expect(throws: NacreError.self) { try queue.sync { _ in } }
      #expect(error?.code == .transactionState)
      queue.async { database in
        try database.execute("INSERT INTO t VALUES (?)", 2)
      } completion: { result in
        outcome.withLock { $0.append((try? result.get()) == 1) }
      }
    }
    try queue.waitUntilDone()
    #expect(outcome.withLock { $0 } == [true])
    #expect(try queue.sync { try $0.query("SELECT n FROM t ORDER BY n") } == [[1], [2]])
    // Another queue of the same store is another matter.
    let other = StoreQueue(test.store)
    let nested = try queue.sync { _ in try other.sync { try $0.query("SELECT max(n) FROM t") } }
    #expect(nested == [[2]])
  }

  @Test func `work that throws stores nothing and says so`() async throws {
    let failure = await #expect(throws: NacreError.self) {
      try await queue.run { database in
        try database.execute("INSERT INTO t VALUES (1)")
        try database.execute("INSERT INTO t VALUES (1)")
      }
    }
    #expect(failure?.code == .constraint)
    let count = try await queue.run { try $0.query("SELECT count(*) FROM t") }
    #expect(count == [[0]])
  }
}
