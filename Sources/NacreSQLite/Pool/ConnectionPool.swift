/// One writer and up to a number of readers, each lent to one borrower at a time.
///
/// Sessions are made when first asked for. Threads and tasks wait in one queue for the writer and
/// one for the readers, first come first served, and give up when the time is up. Nobody may ask for the writer while
/// holding it.
package final class ConnectionPool<Session: AnyObject>: @unchecked Sendable {
  // Sendable holds: the lanes lend each session to one borrower at a time, and the rest is immutable.
  private let writers: PoolLane
  private let readers: PoolLane
  private let makeWriter: @Sendable () throws -> Session
  private let makeReader: @Sendable () throws -> Session
  private let end: @Sendable (Session) -> Void
  private let timeout: @Sendable () -> Duration

  /// Makes a pool without any session.
  ///
  /// - Parameters:
  ///   - readerLimit: How many readers there are for calls; at least 1 is taken.
  ///   - readerBound: How many readers there are at most, with those for cursors; at least `readerLimit` is taken.
  ///   - timeout: For how long somebody waits; asked on the borrower's thread or in its task.
  ///   - makeWriter: Makes the writer, on the borrower's thread, outside every lock.
  ///   - makeReader: Makes one reader, likewise.
  ///   - end: Closes a reader beyond `readerLimit` that nobody needs any more, on the thread that gives it back.
  package init(
    readerLimit: Int,
    readerBound: Int = 0,
    timeout: @escaping @Sendable () -> Duration,
    makeWriter: @escaping @Sendable () throws -> Session,
    makeReader: @escaping @Sendable () throws -> Session,
    end: @escaping @Sendable (Session) -> Void = { _ in }
  ) {
    writers = PoolLane(limit: 1, bound: 1, timeout: timeout)
    readers = PoolLane(limit: max(1, readerLimit), bound: readerBound, timeout: timeout)
    self.timeout = timeout
    self.makeWriter = makeWriter
    self.makeReader = makeReader
    self.end = end
  }

  /// How many threads and tasks wait for the writer, for diagnosis.
  package var writerQueueCount: Int { writers.queueCount }

  /// How many threads and tasks wait for a reader, for diagnosis.
  package var readerQueueCount: Int { readers.queueCount }

  /// How the readers are used, for diagnosis.
  package var readerUse: PoolUse { readers.use }

  /// How the writer is used, for diagnosis.
  package var writerUse: PoolUse { writers.use }

  // MARK: - Writer

  /// The writer, after blocking the thread until it is free.
  ///
  /// - Throws: `PoolTimeoutError`, `PoolClosedError`, or what making the writer throws; the next caller tries again.
  package func acquireWriter() throws -> sending Session {
    try session(for: writers.acquire(), of: writers, made: makeWriter)
  }

  /// The writer, after suspending the task until it is free.
  ///
  /// - Throws: `CancellationError`, `PoolTimeoutError`, `PoolClosedError`, or what making the writer throws.
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
    // The one writer is never too many.
    _ = writers.release(nil)
  }

  /// Runs work with the writer that can take long: those who wait for the writer meanwhile do not give up.
  ///
  /// - Throws: What `body` throws.
  package func takingLong<T>(_ body: () throws -> T) rethrows -> T {
    writers.beginLongWork()
    defer { writers.endLongWork() }
    return try body()
  }

  // MARK: - Readers

  /// A reader, after blocking the thread until one is free.
  ///
  /// - Throws: `PoolTimeoutError`, `PoolClosedError`, or what making the reader throws; the next caller tries again.
  package func acquireReader() throws -> sending Session {
    try session(for: readers.acquire(), of: readers, made: makeReader)
  }

  /// A reader that is kept for longer than a call, as a cursor does; it is one of those for calls only where that is idle.
  ///
  /// - Throws: `PoolTimeoutError` where there are as many readers as may be, `PoolClosedError`, or what making the reader
  ///   throws.
  package func acquireKeptReader() throws -> sending Session {
    try session(for: readers.acquire(keeps: true), of: readers, made: makeReader, keeps: true)
  }

  /// A reader, after suspending the task until one is free.
  ///
  /// - Throws: `CancellationError`, `PoolTimeoutError`, `PoolClosedError`, or what making the reader throws.
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

  /// Gives a reader to the next in the queue, or closes it where there are enough.
  package func releaseReader(_ session: Session) { release(session, wasKept: false) }

  /// The same for one of `acquireKeptReader()`.
  package func releaseKeptReader(_ session: Session) { release(session, wasKept: true) }

  private func release(_ session: Session, wasKept: Bool) {
    guard let surplus = readers.release(session, wasKept: wasKept) else { return }
    defer { readers.abandon() }
    end(unsafeDowncast(surplus.object, to: Session.self))
  }

  // MARK: - End

  /// Refuses whoever asks from now on or waits already, blocks the thread until every session is
  /// back, and hands each to the closure, readers first.
  ///
  /// Whoever holds a session must not call it. A second call waits likewise and closes nothing.
  ///
  /// - Throws: `PoolTimeoutError` where some are not back in time: then nothing is closed, and the pool goes on lending. The
  ///   first error of the closure, after it was called for every session.
  package func close(_ each: (Session) throws -> Void) throws {
    writers.close()
    readers.close()
    let timeout = timeout()
    let due = ContinuousClock.now + timeout
    guard readers.waitForAll(until: due, timeout: timeout),
      writers.waitForAll(until: due, timeout: timeout)
    else {
      let error = timeoutError(.end, after: timeout)
      readers.reopen()
      writers.reopen()
      throw error
    }
    var failure: (any Error)?
    // The writer last: the last connection to close checkpoints the log, and must be able to.
    for session in readers.takeAll() + writers.takeAll() {
      do {
        try each(unsafeDowncast(session.object, to: Session.self))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func timeoutError(_ goal: PoolTimeoutError.Goal, after time: Duration) -> PoolTimeoutError
  {
    let seconds = time / .seconds(1)
    return PoolTimeoutError(
      goal: goal,
      seconds: seconds,
      writer: writers.use,
      readers: readers.use
    )
  }

  private func session(
    for grant: PoolGrant,
    of lane: PoolLane,
    made make: @Sendable () throws -> Session,
    keeps: Bool = false
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
        lane.abandon(wasKept: keeps)
        throw error
      }
    case .closed: throw PoolClosedError()
    case .timedOut(let time):
      throw timeoutError(lane === writers ? .writer : .reader, after: time)
    }
  }
}
