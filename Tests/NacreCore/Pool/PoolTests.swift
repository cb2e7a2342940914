import Foundation
import NacreEngine
import NacreSQLite
import NacreStore
import Synchronization
@testable import TestSupport
import Testing

/// A session that counts without any protection of its own.
private final class Session {
  let number: Int
  var uses = 0

  init(number: Int) {
    self.number = number
  }
}

private struct MakingFailed: Error {}

private typealias Pool = ConnectionPool<Session>

private func makePool(readerLimit: Int = 4, made: Counter = Counter()) -> Pool {
  Pool(
    readerLimit: readerLimit,
    // Longer than any test takes: one that gives up would be waited for without end.
    timeout: { .seconds(3600) },
    makeWriter: { Session(number: -1) },
    makeReader: { Session(number: made.add(1)) }
  )
}

/// A counter that threads share.
private final class Counter: Sendable {
  private let value = Atomic(0)
  var current: Int { value.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  func add(_ amount: Int) -> Int {
    value.add(amount, ordering: .sequentiallyConsistent).newValue
  }
}

@Suite(.sqliteOnly("it asks the pool without a store, whatever the engine")) struct PoolTests {
  @Test func `readers are made on demand and reused`() throws {
    let made = Counter()
    let pool = makePool(made: made)
    let first = try pool.acquireReader()
    let second = try pool.acquireReader()
    #expect(first !== second)
    pool.releaseReader(first)
    #expect(try pool.acquireReader() === first)
    #expect(made.current == 2)
  }

  @Test func `no more readers are lent than the limit`() throws {
    let made = Counter()
    let pool = makePool(readerLimit: 3, made: made)
    let numbers = try (0..<3).map { _ in try pool.acquireReader() }
    #expect(Set(numbers.map(\.number)) == [1, 2, 3])
    let got = Counter()
    let thread = TestThread {
      guard let session = try? pool.acquireReader() else { return }
      got.add(session.number)
      pool.releaseReader(session)
    }
    spin { pool.readerQueueCount == 1 }
    #expect(got.current == 0)
    pool.releaseReader(numbers[1])
    thread.wait()
    #expect(got.current == 2)
    #expect(made.current == 3)
  }

  @Test func `threads and tasks get the writer in the order of asking`() async throws {
    let pool = makePool()
    let shared = Order()
    _ = try await pool.acquireWriter() as Session
    var threads: [TestThread] = []
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<40 {
      if number.isMultiple(of: 2) {
        threads.append(
          TestThread {
            _ = try? pool.acquireWriter()
            shared.append(number)
            pool.releaseWriter()
          }
        )
      } else {
        tasks.append(
          Task {
            _ = try await pool.acquireWriter()
            shared.append(number)
            pool.releaseWriter()
          }
        )
      }
      while pool.writerQueueCount != number + 1 { await Task.yield() }
    }
    pool.releaseWriter()
    for task in tasks { try await task.value }
    for thread in threads { thread.wait() }
    #expect(shared.numbers == Array(0..<40))
  }

  @Test func `a thousand tasks and many threads share one writer without losing a count`()
    async throws
  {
    let pool = makePool(readerLimit: 3)
    let reading = Counter()
    let overlaps = Counter()
    let writing = Counter()
    @Sendable func write(_ session: Session) {
      if writing.add(1) != 1 { overlaps.add(1) }
      session.uses += 1
      writing.add(-1)
    }
    @Sendable func read() {
      if reading.add(1) > 3 { overlaps.add(1) }
      reading.add(-1)
    }
    let threads = (0..<8).map { _ in
      TestThread {
        for _ in 0..<125 {
          guard let writer = try? pool.acquireWriter() else { continue }
          write(writer)
          pool.releaseWriter()
          guard let reader = try? pool.acquireReader() else { continue }
          read()
          pool.releaseReader(reader)
        }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<1_000 {
        group.addTask {
          let reader = try await pool.acquireReader()
          read()
          pool.releaseReader(reader)
          let writer = try await pool.acquireWriter()
          write(writer)
          pool.releaseWriter()
        }
      }
      try await group.waitForAll()
    }
    for thread in threads { thread.wait() }
    #expect(try await pool.acquireWriter().uses == 2_000)
    #expect(overlaps.current == 0)
  }

  @Test func `a cancelled task leaves the queue and the others stay in order`() async throws {
    let pool = makePool()
    _ = try await pool.acquireWriter() as Session
    let shared = Order()
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<3 {
      tasks.append(
        Task {
          _ = try await pool.acquireWriter()
          shared.append(number)
          pool.releaseWriter()
        }
      )
      while pool.writerQueueCount != number + 1 { await Task.yield() }
    }
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    #expect(pool.writerQueueCount == 2)
    pool.releaseWriter()
    try await tasks[0].value
    try await tasks[2].value
    #expect(shared.numbers == [0, 2])
  }

  @Test func `a task that is cancelled already gets nothing`() async throws {
    let pool = makePool()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = try await pool.acquireReader()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `cancelling at random never loses the writer`() async throws {
    let pool = makePool()
    let granted = Counter()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<500 {
        group.addTask {
          let task = Task {
            let writer = try await pool.acquireWriter()
            writer.uses += 1
            granted.add(1)
            await Task.yield()
            pool.releaseWriter()
          }
          if number.isMultiple(of: 3) { task.cancel() }
          _ = await task.result
        }
      }
    }
    #expect(try await pool.acquireWriter().uses == granted.current)
    #expect(granted.current >= 333)
  }

  @Test func `a session that cannot be made is tried again by the next`() async throws {
    let attempts = Counter()
    let pool = Pool(
      readerLimit: 1,
      timeout: { .seconds(60) },
      makeWriter: {
        if attempts.add(1) < 3 { throw MakingFailed() }
        return Session(number: 0)
      },
      makeReader: { throw MakingFailed() }
    )
    #expect(throws: MakingFailed.self) { _ = try pool.acquireWriter() }
    await #expect(throws: MakingFailed.self) { _ = try await pool.acquireWriter() }
    #expect(try await pool.acquireWriter().number == 0)
    for _ in 0..<3 { #expect(throws: MakingFailed.self) { _ = try pool.acquireReader() } }
  }

  @Test func `closing waits for lent sessions and refuses those who wait for one`() async throws {
    let pool = makePool()
    let writer = try await pool.acquireWriter()
    let reader = try await pool.acquireReader()
    let waiting = Task { _ = try await pool.acquireWriter() }
    while pool.writerQueueCount != 1 { await Task.yield() }
    let closed = Counter()
    let thread = TestThread {
      try? pool.close { session in
        // Readers before the writer.
        if session.number == -1, closed.current == 1 { closed.add(10) }
        if session.number == 1, closed.current == 0 { closed.add(1) }
      }
    }
    await #expect(throws: PoolClosedError.self) { try await waiting.value }
    writer.uses += 1
    #expect(closed.current == 0)
    pool.releaseWriter()
    #expect(closed.current == 0)
    pool.releaseReader(reader)
    thread.wait()
    #expect(closed.current == 11)
    #expect(throws: PoolClosedError.self) { _ = try pool.acquireWriter() }
    #expect(throws: PoolClosedError.self) { _ = try pool.acquireReader() }
    await #expect(throws: PoolClosedError.self) { _ = try await pool.acquireReader() }
    try pool.close { _ in closed.add(1) }
    #expect(closed.current == 11)
  }

  @Test func `closing goes on after a session that fails to close`() throws {
    let pool = makePool()
    let sessions = try (0..<3).map { _ in try pool.acquireReader() }
    for session in sessions { pool.releaseReader(session) }
    var count = 0
    #expect(throws: MakingFailed.self) {
      try pool.close { _ in
        count += 1
        throw MakingFailed()
      }
    }
    #expect(count == 3)
  }

  @Test func `a pool of real connections reads while the writer writes`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("test.db")
    let pool = ConnectionPool<Connection>(
      readerLimit: 3,
      timeout: { .seconds(60) },
      makeWriter: { try Connection(path: path, mode: .create) },
      makeReader: { try Connection(path: path, mode: .readOnly) }
    )
    try await pool.acquireWriter().execute("CREATE TABLE t (v)")
    pool.releaseWriter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          let writer = try await pool.acquireWriter()
          defer { pool.releaseWriter() }
          try writer.transaction(.immediate) {
            try writer.cached("INSERT INTO t VALUES (1)").run()
            try writer.cached("INSERT INTO t VALUES (1)").run()
          }
        }
        group.addTask {
          let reader = try await pool.acquireReader()
          defer { pool.releaseReader(reader) }
          #expect(try count(in: reader).isMultiple(of: 2))
        }
      }
      try await group.waitForAll()
    }
    #expect(try count(in: try await pool.acquireReader()) == 200)
  }

  /// Returns the number of rows in the table `t`.
  private func count(in connection: Connection) throws -> Int64 {
    let statement = try connection.prepare("SELECT count(*) FROM t")
    _ = try statement.step()
    return statement.int64(at: 0)
  }
}

/// Numbers in the order of their arrival.
private final class Order: Sendable {
  private let list = Mutex<[Int]>([])
  var numbers: [Int] { list.withLock { $0 } }

  func append(_ number: Int) {
    list.withLock { $0.append(number) }
  }
}
