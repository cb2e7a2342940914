import Foundation
import NacreStore
import Synchronization
@testable import TestSupport
import Testing

/// Threads and tasks that borrow, give up and are cancelled at random.
@Suite(
  .sqliteOnly("it asks the pool without a store, whatever the engine"),
  .timeLimit(.minutes(10))
)
struct PoolStressTests {
  private final class Session: Sendable {
    private let users = SharedCount()

    /// Whether nobody else uses it meanwhile.
    func use() -> Bool {
      defer { users.add(-1) }
      let isAlone = users.add(1) == 1
      sched_yield()
      return isAlone
    }
  }

  /// Random numbers that threads share.
  private final class Dice: Sendable {
    private let state: Mutex<UInt64>

    init(_ seed: UInt64) { state = Mutex(seed) }

    /// A number below `sides`.
    func roll(_ sides: UInt64) -> UInt64 {
      state.withLock { state in
        // Knuth's MMIX: good enough for a mixture.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % sides
      }
    }
  }

  private struct Tally: Sendable {
    let made = SharedCount()
    let ended = SharedCount()
    let granted = SharedCount()
    let timedOut = SharedCount()
    let overlaps = SharedCount()
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `a pool under stress loses no session and lends none twice`(
    seed: UInt64
  ) async throws {
    let (dice, tally) = (Dice(seed), Tally())
    let pool = ConnectionPool<Session>(
      readerLimit: 2,
      readerBound: 4,
      timeout: { .microseconds(Int64(dice.roll(3_000))) },
      makeWriter: { Session() },
      makeReader: {
        tally.made.add(1)
        return Session()
      },
      end: { _ in tally.ended.add(1) }
    )
    let threads = (0..<6).map { _ in
      TestThread { for _ in 0..<150 { Self.borrow(from: pool, dice.roll(3), tally) } }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<1_500 {
        group.addTask {
          let task = Task { try await Self.borrow(from: pool, dice.roll(2), tally) }
          if dice.roll(4) == 0 { task.cancel() }
          _ = await task.result
        }
      }
    }
    for thread in threads { thread.wait() }
    #expect(tally.overlaps.value == 0)
    #expect(tally.granted.value > 100 && tally.timedOut.value > 0)
    #expect(pool.readerQueueCount == 0 && pool.writerQueueCount == 0)
    let use = pool.readerUse
    #expect(use.lentCount == 0 && use.keptCount == 0 && use.idleCount <= 2)
    #expect(use.idleCount == pool.readerCount)
    #expect(tally.made.value - tally.ended.value == use.idleCount)
    #expect(pool.writerUse.lentCount == 0)
    try pool.close { _ in tally.ended.add(1) }
    // The writer, which somebody had, was not counted when it was made.
    #expect(tally.ended.value == tally.made.value + 1)
  }

  private static func borrow(
    from pool: ConnectionPool<Session>,
    _ kind: UInt64,
    _ tally: Tally
  ) {
    do {
      let session =
        switch kind {
        case 0: try pool.acquireWriter()
        case 1: try pool.acquireReader()
        default: try pool.acquireKeptReader()
        }
      note(session.use(), tally)
      switch kind {
      case 0: pool.releaseWriter()
      case 1: pool.releaseReader(session)
      default: pool.releaseKeptReader(session)
      }
    } catch {
      tally.timedOut.add(1)
    }
  }

  private static func borrow(
    from pool: ConnectionPool<Session>,
    _ kind: UInt64,
    _ tally: Tally
  ) async throws {
    do {
      if kind == 0 {
        let session = try await pool.acquireWriter()
        note(session.use(), tally)
        await Task.yield()
        pool.releaseWriter()
      } else {
        let session = try await pool.acquireReader()
        note(session.use(), tally)
        await Task.yield()
        pool.releaseReader(session)
      }
    } catch is PoolTimeoutError {
      tally.timedOut.add(1)
    }
  }

  private static func note(_ isAlone: Bool, _ tally: Tally) {
    tally.granted.add(1)
    if !isAlone { tally.overlaps.add(1) }
  }
}
