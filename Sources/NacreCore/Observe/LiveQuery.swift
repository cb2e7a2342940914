import NacreEngine
import NacreStore
import Synchronization

/// The results of a query: the current one at once, and another each time a table that it read has
/// changed.
///
/// The query runs on a reader, in the task that asks for the next result. If changes are committed
/// while it runs, or while nobody asks, it runs once more. The sequence ends when the store is
/// closed or the task is cancelled.
public struct LiveQuery<Result>: AsyncSequence, Sendable {
  /// The query's own errors, and ``NacreError``.
  public typealias Failure = any Error

  let observers: StoreObservers
  let isRepeated: (@Sendable (Result, Result) -> Bool)?
  let body: @Sendable (Database) throws -> sending Result

  /// Reads the results one after another.
  public struct Iterator: AsyncIteratorProtocol {
    let query: LiveQuery
    private var place: (subscription: Subscription<Bool>, number: UInt64)?
    private var last: Result?
    private var isEnded = false

    init(_ query: LiveQuery) { self.query = query }

    /// Returns the next result; nil at the end.
    ///
    /// - Throws: the query's own error, or ``NacreError``; the sequence has then ended.
    public mutating func next() async throws -> Result? {
      try await next(isolation: nil)
    }

    /// Returns the next result; nil at the end.
    ///
    /// - Throws: the query's own error, or ``NacreError``; the sequence has then ended.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Result? {
      while !isEnded {
        do {
          guard let number = try await turn(isolation: actor) else { break }
          let result = try await query.run(number, isolation: actor)
          guard let isRepeated = query.isRepeated else { return result }
          defer { last = result }
          if let last, isRepeated(last, result) { continue }
          return result
        } catch {
          end()
          let code = (error as? NacreError)?.code
          if error is CancellationError || code == .storeClosed { return nil }
          throw error
        }
      }
      end()
      return nil
    }

    /// Waits until the query has to run; nil at the end.
    private mutating func turn(isolation actor: isolated (any Actor)?) async throws -> UInt64? {
      if let place { return await place.subscription.next() == nil ? nil : place.number }
      let subscription: Subscription<Bool> = query.observers.makeSubscription()
      let observers = query.observers
      // The first observer of a store on a server opens a session.
      let number = try await Store.onThread { try observers.enter(subscription) }
      place = (subscription, number)
      return number
    }

    private mutating func end() {
      isEnded = true
      place = nil
      last = nil
    }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Runs the query once and records which tables it read.
  private func run(
    _ number: UInt64,
    isolation actor: isolated (any Actor)?
  ) async throws -> Result {
    guard let store = observers.store else { throw NacreError(.storeClosed) }
    observers.beginRun(number)
    let body = body
    let recorder = ReadRecorder()
    let result = try await store.read { database in
      database.connection.beginRecordingReads()
      defer { recorder.tables.withLock { $0 = database.connection.endRecordingReads() } }
      return try body(database)
    }
    observers.endRun(number, recorder.tables.withLock { $0 })
    return result
  }
}

/// Carries the tables that a run has read out of the run's thread.
private final class ReadRecorder: Sendable {
  let tables = Mutex<Set<String>>([])
}
