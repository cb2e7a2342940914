/// One writer and up to a number of readers, each lent to one borrower at a time.
///
/// Sessions are made when first asked for. Threads and tasks wait in one queue for the writer and
/// one for the readers, first come first served. Nobody may ask for the writer while holding it.
package final class ConnectionPool<Session: AnyObject>: @unchecked Sendable {
  // Sendable holds: the lanes lend each session to one borrower at a time, and the rest is immutable.
  private let writers = PoolLane(limit: 1)
  private let readers: PoolLane
  private let makeWriter: @Sendable () throws -> Session
  private let makeReader: @Sendable () throws -> Session

  /// Makes a pool without any session.
  ///
  /// - Parameters:
  ///   - readerLimit: How many readers there are at most; at least 1 is taken.
  ///   - makeWriter: Makes the writer, on the borrower's thread, outside every lock.
  ///   - makeReader: Makes one reader, likewise.
  package init(
    readerLimit: Int,
    makeWriter: @escaping @Sendable () throws -> Session,
    makeReader: @escaping @Sendable () throws -> Session
  ) {
    self.readers = PoolLane(limit: max(1, readerLimit))
    self.makeWriter = makeWriter
    self.makeReader = makeReader
  }

  /// How many threads and tasks wait for the writer, for diagnosis.
  package var writerQueueCount: Int { writers.queueCount }

  /// How many threads and tasks wait for a reader, for diagnosis.
  package var readerQueueCount: Int { readers.queueCount }

  /// The writer, after blocking the thread until it is free.
  ///
  /// - Throws: `PoolClosedError`, or what making the writer throws; the next caller tries again.
  package func acquireWriter() throws -> sending Session {
    try session(for: writers.acquire(), of: writers, made: makeWriter)
  }

  /// The writer, after suspending the task until it is free.
  ///
  /// - Throws: `CancellationError`, `PoolClosedError`, or what making the writer throws.
  package func acquireWriter() async throws -> sending Session {
    try session(for: try await writers.acquire(), of: writers, made: makeWriter)
  }

  /// The writer, or nil while somebody has it.
  ///
  /// - Throws: `PoolClosedError`, or what making the writer throws.
  package func acquireIdleWriter() throws -> sending Session? {
    guard let grant = writers.acquireIdle() else { return nil }
    return try session(for: grant, of: writers, made: makeWriter)
  }

  /// Gives the writer to the next in the queue.
  package func releaseWriter() {
    writers.release(nil)
  }

  /// A reader, after blocking the thread until one is free.
  ///
  /// - Throws: `PoolClosedError`, or what making the reader throws; the next caller tries again.
  package func acquireReader() throws -> sending Session {
    try session(for: readers.acquire(), of: readers, made: makeReader)
  }

  /// A reader, after suspending the task until one is free.
  ///
  /// - Throws: `CancellationError`, `PoolClosedError`, or what making the reader throws.
  package func acquireReader() async throws -> sending Session {
    try session(for: try await readers.acquire(), of: readers, made: makeReader)
  }

  /// A reader, or nil where one would be waited for, and where the pool is closed.
  ///
  /// - Throws: what making the reader throws.
  package func acquireIdleReader() throws -> sending Session? {
    guard let grant = readers.acquireIdle() else { return nil }
    if case .closed = grant { return nil }
    return try session(for: grant, of: readers, made: makeReader)
  }

  /// A reader that is made although others may be idle, or nil where there are as many as may be.
  ///
  /// - Throws: `PoolClosedError`, or what making the reader throws.
  package func acquireNewReader() throws -> sending Session? {
    guard let grant = readers.acquireMore() else { return nil }
    return try session(for: grant, of: readers, made: makeReader)
  }

  /// Takes the readers away that nobody has needed since the last call, and hands each to the closure.
  ///
  /// - Throws: The first error of the closure, after it was called for every one of them.
  package func closeUnusedReaders(_ each: (Session) throws -> Void) throws {
    var failure: (any Error)?
    for session in readers.takeUnused() {
      defer { readers.abandon() }
      do {
        try each(unsafeDowncast(session.object, to: Session.self))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// How many readers there are, lent or idle.
  package var readerCount: Int { readers.count }

  /// Gives a reader to the next in the queue.
  package func releaseReader(_ session: Session) {
    readers.release(session)
  }

  /// Refuses whoever asks from now on or waits already, blocks the thread until every session is
  /// back, and hands each to the closure, readers first.
  ///
  /// Whoever holds a session must not call it. A second call waits likewise and closes nothing.
  ///
  /// - Throws: The first error of the closure, after it was called for every session.
  package func close(_ each: (Session) throws -> Void) throws {
    writers.close()
    readers.close()
    var failure: (any Error)?
    // The writer last: the last connection to close checkpoints the log, and must be able to.
    for session in readers.drain() + writers.drain() {
      do {
        try each(unsafeDowncast(session.object, to: Session.self))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func session(
    for grant: PoolGrant,
    of lane: PoolLane,
    made make: @Sendable () throws -> Session
  ) throws -> sending Session {
    switch grant {
    case .session(let loan):
      // Only sessions that this pool's own closures made are ever registered.
      return unsafeDowncast(loan.session.takeUnretainedValue(), to: Session.self)
    case .make:
      do {
        // Unsafe as the loan is: nobody else has the session while it is lent.
        nonisolated(unsafe) let session = try make()
        lane.register(session)
        return session
      } catch {
        lane.abandon()
        throw error
      }
    case .closed: throw PoolClosedError()
    }
  }
}
