import Foundation
import NacreStore
import Synchronization
@testable import TestSupport
import Testing

/// A waiter for a session gives up in time, and a holder of one keeps nobody else from another.
@Suite(
  .sqliteOnly("it asks the pool without a store, whatever the engine"),
  .timeLimit(.minutes(10))
)
struct PoolWaitTests {
  private final class Session: Sendable {}

  private static let timeout = Duration.milliseconds(60)

  private func pool(
    limit: Int = 1,
    bound: Int = 1,
    timeout: Duration = PoolWaitTests.timeout,
    ended: SharedCount = SharedCount()
  ) -> ConnectionPool<Session> {
    ConnectionPool(
      readerLimit: limit,
      readerBound: bound,
      timeout: { timeout },
      makeWriter: { Session() },
      makeReader: { Session() },
      end: { _ in ended.add(1) }
    )
  }

  /// Expects that `body` gives up waiting for `goal`, and not before the time is up.
  private func expectTimeout(
    _ goal: PoolTimeoutError.Goal,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let begun = ContinuousClock.now
    let error = #expect(throws: PoolTimeoutError.self, sourceLocation: sourceLocation) {
      try body()
    }
    let elapsed = ContinuousClock.now - begun
    #expect(error?.goal == goal, sourceLocation: sourceLocation)
    #expect(elapsed >= Self.timeout, sourceLocation: sourceLocation)
  }

  @Test func `a thread that waits for the writer gives up when the time is up, and not before`()
    throws
  {
    let pool = pool()
    _ = try pool.acquireWriter()
    for _ in 0..<3 { expectTimeout(.writer) { _ = try pool.acquireWriter() } }
    #expect(pool.writerQueueCount == 0)
    pool.releaseWriter()
    _ = try pool.acquireWriter()
    pool.releaseWriter()
    #expect(pool.writerUse == PoolUse(lentCount: 0, keptCount: 0, idleCount: 1))
  }

  @Test func `a task that waits for the writer gives up when the time is up, and blocks no thread`()
    async throws
  {
    let pool = pool()
    _ = try await pool.acquireWriter()
    let begun = ContinuousClock.now
    // Far more than there are threads for tasks.
    let codes = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask {
          do { _ = try await pool.acquireWriter() } catch { return error is PoolTimeoutError }
          return false
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let elapsed = ContinuousClock.now - begun
    #expect(codes.count == 200 && codes.allSatisfy { $0 })
    #expect(elapsed >= Self.timeout)
    #expect(pool.writerQueueCount == 0)
    pool.releaseWriter()
    _ = try await pool.acquireWriter()
    pool.releaseWriter()
  }

  @Test func `a waiter in a long queue does not give up while the queue goes on`() throws {
    let timeout = Duration.seconds(1)
    let pool = pool(timeout: timeout)
    let got = SharedCount()
    _ = try pool.acquireWriter()
    let begun = ContinuousClock.now
    let threads = (0..<60).map { _ in
      TestThread {
        guard (try? pool.acquireWriter()) != nil else { return }
        got.add(1)
        let due = ContinuousClock.now + timeout / 20
        spin { ContinuousClock.now >= due }
        pool.releaseWriter()
      }
    }
    spin {
      pool.writerQueueCount == threads.count || ContinuousClock.now >= begun + timeout / 3
    }
    pool.releaseWriter()
    for thread in threads { thread.wait() }
    #expect(got.value == threads.count)
  }

  @Test func `a slow holder does not lengthen the time that others wait`() throws {
    // The threads may come too late for it on a busy machine.
    for _ in 0..<100 where try givesUpBehindSlowHolders() { return }
    Issue.record("at no time were all threads in the queue")
  }

  /// Has threads wait behind holders that keep the writer for more than half of the timeout.
  ///
  /// - Returns: whether all were in the queue when the first of them gave it on; then all but one have given up.
  private func givesUpBehindSlowHolders() throws -> Bool {
    let timeout = Duration.milliseconds(400)
    let pool = pool(timeout: timeout)
    _ = try pool.acquireWriter()
    let begun = ContinuousClock.now
    let failed = SharedCount()
    let threads = (0..<4).map { _ in
      TestThread {
        do {
          _ = try pool.acquireWriter()
          // As one does that waits for another process's lock in vain.
          let due = ContinuousClock.now + timeout * 3 / 4
          spin { ContinuousClock.now >= due }
          pool.releaseWriter()
        } catch {
          failed.add(1)
        }
      }
    }
    spin { pool.writerQueueCount == threads.count || ContinuousClock.now >= begun + timeout / 8 }
    let isMet = pool.writerQueueCount == threads.count
    let due = ContinuousClock.now + timeout * 5 / 8
    spin { ContinuousClock.now >= due }
    pool.releaseWriter()
    for thread in threads { thread.wait() }
    if isMet { #expect(failed.value >= threads.count - 1) }
    return isMet
  }

  @Test func `time in which no task has a thread does not count as waiting time`() async throws {
    // Other tests share the threads, so that it may take some tries.
    for _ in 0..<100 where try await keepsWaitingWithoutThreads() { return }
    Issue.record("at no time were all threads taken")
  }

  /// Has tasks wait for the writer, and hands it to the first while all threads that tasks share are taken, for longer than
  /// anybody waits.
  ///
  /// - Returns: whether that came about; then each of them has got the writer.
  private func keepsWaitingWithoutThreads() async throws -> Bool {
    let timeout = Duration.milliseconds(400)
    let pool = pool(timeout: timeout)
    _ = try await pool.acquireWriter()
    let begun = ContinuousClock.now
    let tasks = (0..<4).map { _ in
      Task {
        _ = try await pool.acquireWriter()
        pool.releaseWriter()
      }
    }
    while pool.writerQueueCount < tasks.count, ContinuousClock.now < begun + timeout / 2 {
      await Task.yield()
    }
    let (taken, free, isMet) = (SharedCount(), DispatchSemaphore(value: 0), SharedCount())
    let count = ProcessInfo.processInfo.activeProcessorCount
    let release = TestThread {
      spin { taken.value == count || ContinuousClock.now >= begun + timeout * 3 / 4 }
      if taken.value == count && pool.writerQueueCount == tasks.count { isMet.add(1) }
      pool.releaseWriter()
      let due = ContinuousClock.now + timeout * 3
      spin { isMet.value == 0 || ContinuousClock.now >= due }
      for _ in 0..<count { free.signal() }
    }
    for _ in 0..<count {
      Task {
        taken.add(1)
        Self.block(free)
      }
    }
    var gotten = 0
    for task in tasks { if case .success = await task.result { gotten += 1 } }
    release.wait()
    if isMet.value == 1 { #expect(gotten == tasks.count) }
    return isMet.value == 1
  }

  private static func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test func `kept readers do not count against the limit, and each is a reader of its own`() throws
  {
    let pool = pool(limit: 2, bound: 6)
    let kept = try (0..<4).map { _ in try pool.acquireKeptReader() }
    let others = try (0..<2).map { _ in try pool.acquireReader() }
    #expect(Set((kept + others).map { ObjectIdentifier($0) }).count == 6)
    #expect(pool.readerUse == PoolUse(lentCount: 6, keptCount: 4, idleCount: 0))
    expectTimeout(.reader) { _ = try pool.acquireKeptReader() }
    expectTimeout(.reader) { _ = try pool.acquireReader() }
    for session in kept { pool.releaseKeptReader(session) }
    for session in others { pool.releaseReader(session) }
    #expect(pool.readerUse == PoolUse(lentCount: 0, keptCount: 0, idleCount: 2))
  }

  @Test func `a waiter gets a further reader after a moment, up to the bound`()
    async throws
  {
    // Who waited for the timeout would be here for longer than the test may last.
    let pool = pool(limit: 1, bound: 3, timeout: .seconds(3_600))
    let first = try await pool.acquireReader()
    let second = try onThread { try pool.acquireReader() }
    let third = try await pool.acquireReader()
    #expect(Set([first, second, third].map { ObjectIdentifier($0) }).count == 3)
    for session in [first, second, third] { pool.releaseReader(session) }
  }

  @Test func `readers beyond the limit are closed when they are given back`() throws {
    let ended = SharedCount()
    let pool = pool(limit: 2, bound: 8, ended: ended)
    let kept = try (0..<5).map { _ in try pool.acquireKeptReader() }
    #expect(pool.readerCount == 5)
    for session in kept { pool.releaseKeptReader(session) }
    #expect(pool.readerCount == 2 && ended.value == 3)
    #expect(pool.readerUse == PoolUse(lentCount: 0, keptCount: 0, idleCount: 2))
  }

  @Test func `waiters do not give up while long work goes on`() throws {
    let pool = pool()
    let got = SharedCount()
    _ = try pool.acquireWriter()
    pool.takingLong {
      let thread = TestThread {
        guard (try? pool.acquireWriter()) != nil else { return }
        got.add(1)
        pool.releaseWriter()
      }
      Task {
        _ = try await pool.acquireWriter()
        got.add(1)
        pool.releaseWriter()
      }
      spin { pool.writerQueueCount == 2 }
      let due = ContinuousClock.now + Self.timeout * 4
      spin { ContinuousClock.now >= due }
      #expect(pool.writerQueueCount == 2)
      pool.releaseWriter()
      thread.wait()
      spin { got.value == 2 }
    }
  }

  @Test func `closing gives up, and the pool goes on as before`() throws {
    let ended = SharedCount()
    let pool = pool(limit: 1, bound: 2)
    let reader = try pool.acquireReader()
    let kept = try pool.acquireKeptReader()
    expectTimeout(.end) { try pool.close { _ in ended.add(1) } }
    pool.releaseKeptReader(kept)
    #expect(try pool.acquireReader() === kept)
    pool.releaseReader(kept)
    _ = try pool.acquireWriter()
    pool.releaseReader(reader)
    expectTimeout(.end) { try pool.close { _ in ended.add(1) } }
    #expect(ended.value == 0)
    pool.releaseWriter()
    try pool.close { _ in ended.add(1) }
    #expect(ended.value == 2)
    #expect(throws: PoolClosedError.self) { _ = try pool.acquireWriter() }
  }

  /// What `body` gives on a thread of its own.
  private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) throws -> T {
    let result = Mutex<Result<T, any Error>?>(nil)
    TestThread { result.withLock { $0 = Result { try body() } } }.wait()
    return try #require(result.withLock { $0 }).get()
  }
}
