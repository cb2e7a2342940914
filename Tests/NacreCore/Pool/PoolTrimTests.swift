import NacreStore
@testable import TestSupport
import Testing

/// A pool's readers that nobody needs.
@Suite(.sqliteOnly("it asks the pool without a store, whatever the engine")) struct PoolTrimTests {
  private final class Session {}

  private let pool = ConnectionPool<Session>(
    readerLimit: 3,
    timeout: { .seconds(60) },
    makeWriter: { Session() },
    makeReader: { Session() }
  )

  /// Readers that nobody holds.
  private func makeReaders(_ count: Int) throws {
    for _ in 0..<count { try pool.releaseReader(#require(try pool.acquireNewReader())) }
  }

  @Test func `a reader is made though others are idle, up to the limit`() throws {
    try makeReaders(3)
    #expect(pool.readerCount == 3)
    #expect(try pool.acquireNewReader() == nil)
    let readers = try (0..<3).map { _ in try pool.acquireReader() }
    #expect(Set(readers.map { ObjectIdentifier($0) }).count == 3)
    for reader in readers { pool.releaseReader(reader) }
    #expect(pool.readerCount == 3)
  }

  @Test func `readers that nobody has needed since the last look are closed`() throws {
    try makeReaders(3)
    var closed = 0
    // Made since then: nobody can have needed them.
    try pool.closeUnusedReaders { _ in closed += 1 }
    #expect(closed == 0)
    let reader = try pool.acquireReader()
    pool.releaseReader(try pool.acquireReader())
    pool.releaseReader(reader)
    try pool.closeUnusedReaders { _ in closed += 1 }
    #expect(closed == 1 && pool.readerCount == 2)
    try pool.closeUnusedReaders { _ in closed += 1 }
    #expect(closed == 3 && pool.readerCount == 0)
    try makeReaders(3)
    #expect(pool.readerCount == 3)
  }

  @Test func `a reader that is lent is not closed, nor is one that fails to close kept`() throws {
    struct ClosingFailed: Error {}
    try makeReaders(2)
    try pool.closeUnusedReaders { _ in }
    let lent = try pool.acquireReader()
    var closed = 0
    #expect(throws: ClosingFailed.self) {
      try pool.closeUnusedReaders { session in
        #expect(session !== lent)
        closed += 1
        throw ClosingFailed()
      }
    }
    #expect(closed == 1 && pool.readerCount == 1)
    pool.releaseReader(lent)
    try pool.close { _ in closed += 1 }
    #expect(closed == 2)
    try pool.closeUnusedReaders { _ in closed += 1 }
    #expect(closed == 2)
    #expect(throws: PoolClosedError.self) { try pool.acquireNewReader() }
  }
}
