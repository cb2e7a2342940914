/// One writer and up to a number of readers, each lent to one borrower at a time.
///
/// The pool makes a session when somebody first needs it. Threads and tasks wait in one queue for the writer and one
/// for the readers, first come first served, and give up when the time is up. A borrower that holds the writer must not
/// ask for it again.
package final class ConnectionPool<Session: AnyObject>: @unchecked Sendable {
  // Sendable holds: the lanes lend each session to one borrower at a time, and the rest is immutable.
  private let writers: PoolLane
  private let readers: PoolLane
  private let makeWriter: @Sendable () throws -> Session
  private let makeReader: @Sendable () throws -> Session
  private let isUsable: @Sendable (Session) -> Bool
  private let end: @Sendable (Session) -> Void
  private let timeout: @Sendable () -> Duration

  /// Makes a pool without any session.
  ///
  /// - Parameters:
  ///   - readerLimit: How many readers calls can have at once; at least 1.
  ///   - readerBound: How many readers there are at most, including those of cursors; at least `readerLimit`.
  ///   - timeout: How long a borrower waits; called on the borrower's thread or in its task.
  ///   - makeWriter: Makes the writer, on the borrower's thread or, for a task, on one that no task shares, outside every
  ///     lock.
  ///   - makeReader: Makes one reader, likewise.
  ///   - isUsable: Whether a session that is given back may be lent again; called on the borrower's thread.
  ///   - end: Closes a session that is not usable, or a reader beyond `readerLimit` that nobody needs any more, on the
  ///     thread that gives it back.
  package init(
    readerLimit: Int,
    readerBound: Int = 0,
    timeout: @escaping @Sendable () -> Duration,
    makeWriter: @escaping @Sendable () throws -> Session,
    makeReader: @escaping @Sendable () throws -> Session,
    isUsable: @escaping @Sendable (Session) -> Bool = { _ in true },
    end: @escaping @Sendable (Session) -> Void = { _ in }
  ) {
    writers = PoolLane(limit: 1, bound: 1, timeout: timeout)
    readers = PoolLane(limit: max(1, readerLimit), bound: readerBound, timeout: timeout)
    self.timeout = timeout
    self.makeWriter = makeWriter
    self.makeReader = makeReader
    self.isUsable = isUsable
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

  /// Blocks the thread until the writer is free, and returns it.
  ///
  /// - Throws: `PoolTimeoutError`, `PoolClosedError`, or the error of `makeWriter`; the next caller tries to make it
  ///   again.
  package func acquireWriter() throws -> sending Session {
    try session(for: writers.acquire(), of: writers, made: makeWriter)
  }

  /// Suspends the task until the writer is free, and returns it.
  ///
  /// - Throws: `CancellationError`, `PoolTimeoutError`, `PoolClosedError`, or the error of `makeWriter`.
  package func acquireWriter() async throws -> sending Session {
    try await sessionMadeApart(for: try await writers.acquire(), of: writers, made: makeWriter)
  }

  /// Returns the writer, or nil while somebody has it.
  ///
  /// - Throws: `PoolClosedError`, or the error of `makeWriter`.
  package func acquireIdleWriter() throws -> sending Session? {
    guard let grant = writers.acquireIdle() else { return nil }
    return try session(for: grant, of: writers, made: makeWriter)
  }

  /// Hands the writer to the next borrower in the queue.
  ///
  /// - Parameter writer: The writer, if the borrower may have left it unusable: the next borrower then makes another.
  package func releaseWriter(_ writer: Session? = nil) {
    if let writer, !isUsable(writer) { return discard(writer, of: writers) }
    // The result is nil, because the only writer is never surplus.
    _ = writers.release(nil)
  }

  /// Runs long work with the writer; borrowers that wait for the writer meanwhile do not give up.
  ///
  /// - Throws: The error of `body`.
  package func takingLong<T>(_ body: () throws -> T) rethrows -> T {
    writers.beginLongWork()
    defer { writers.endLongWork() }
    return try body()
  }

  // MARK: - Readers

  /// Blocks the thread until a reader is free, and returns it.
  ///
  /// - Throws: `PoolTimeoutError`, `PoolClosedError`, or the error of `makeReader`; the next caller tries to make one
  ///   again.
  package func acquireReader() throws -> sending Session {
    try session(for: readers.acquire(), of: readers, made: makeReader)
  }

  /// Returns a reader to keep for longer than a call, as a cursor does.
  ///
  /// It uses one of the readers for calls only if one is idle.
  ///
  /// - Throws: `PoolTimeoutError` if the pool stays at its bound of readers, `PoolClosedError`, or the error of
  ///   `makeReader`.
  package func acquireKeptReader() throws -> sending Session {
    try session(for: readers.acquire(keeps: true), of: readers, made: makeReader, keeps: true)
  }

  /// Suspends the task until a reader is free, and returns it.
  ///
  /// - Throws: `CancellationError`, `PoolTimeoutError`, `PoolClosedError`, or the error of `makeReader`.
  package func acquireReader() async throws -> sending Session {
    try await sessionMadeApart(for: try await readers.acquire(), of: readers, made: makeReader)
  }

  /// Returns a reader, or nil if the caller would have to wait or the pool is closed.
  ///
  /// - Throws: The error of `makeReader`.
  package func acquireIdleReader() throws -> sending Session? {
    guard let grant = readers.acquireIdle() else { return nil }
    if case .closed = grant { return nil }
    return try session(for: grant, of: readers, made: makeReader)
  }

  /// Makes one more reader although others may be idle; returns nil if the pool has as many as it may have.
  ///
  /// - Throws: `PoolClosedError`, or the error of `makeReader`.
  package func acquireNewReader() throws -> sending Session? {
    guard let grant = readers.acquireMore() else { return nil }
    return try session(for: grant, of: readers, made: makeReader)
  }

  /// Removes the readers that nobody has needed since the last call, and passes each to the closure.
  ///
  /// - Throws: The closure's first error, after the pool has called it for each of these readers.
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

  /// Hands a reader to the next borrower in the queue, or closes it if there are enough idle ones.
  package func releaseReader(_ session: Session) { release(session, wasKept: false) }

  /// Does the same for a reader from `acquireKeptReader()`.
  package func releaseKeptReader(_ session: Session) { release(session, wasKept: true) }

  private func release(_ session: Session, wasKept: Bool) {
    guard isUsable(session) else { return discard(session, of: readers, wasKept: wasKept) }
    guard let surplus = readers.release(session, wasKept: wasKept) else { return }
    defer { readers.abandon() }
    end(unsafeDowncast(surplus.object, to: Session.self))
  }

  /// Closes a session that nobody may use again, and lets the next borrower make another.
  private func discard(_ session: Session, of lane: PoolLane, wasKept: Bool = false) {
    guard let taken = lane.takeOut(session) else { return }
    defer { lane.abandon(wasKept: wasKept) }
    end(unsafeDowncast(taken.object, to: Session.self))
  }

  // MARK: - End

  /// Refuses new and waiting borrowers, blocks the thread until every session is back, and passes each session to the
  /// closure, readers first.
  ///
  /// A thread that holds a session must not call it. A second call waits likewise and closes nothing.
  ///
  /// - Throws: `PoolTimeoutError` if some sessions are not back in time; the pool then closes nothing and goes on
  ///   lending. Otherwise the closure's first error, after the pool has called it for every session.
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
    // The writer closes last, because the last connection to close checkpoints the log and must be able to write.
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

  /// Returns the session of a grant to a task.
  ///
  /// A server can let the one who opens a session wait, and the threads of tasks are few, so no task's thread opens one.
  private func sessionMadeApart(
    for grant: PoolGrant,
    of lane: PoolLane,
    made make: @escaping @Sendable () throws -> Session
  ) async throws -> sending Session {
    guard case .make = grant else { return try session(for: grant, of: lane, made: make) }
    return try await BlockingWork.run { [self] in try session(for: grant, of: lane, made: make) }
  }

  private func session(
    for grant: PoolGrant,
    of lane: PoolLane,
    made make: @Sendable () throws -> Session,
    keeps: Bool = false
  ) throws -> sending Session {
    switch grant {
    case .session(let loan):
      // The lanes only hold sessions that this pool's own closures made.
      return unsafeDowncast(loan.session.takeUnretainedValue(), to: Session.self)
    case .make:
      do {
        // This is as unsafe as the loan: nobody else has the session while it is lent.
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
