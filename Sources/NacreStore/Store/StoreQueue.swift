import Dispatch
public import NacreSQLite

/// A serial queue of work on one store: each piece is a transaction of its own, and runs after those that were given before.
///
/// A store needs no queue to be used from many threads; one puts work in an order, and behind the caller.
/// ```swift
/// let queue = StoreQueue(store)
/// queue.async { _ in try Car.create().save() }
/// let count = try queue.sync { _ in try Car.count() }   // sees that car
/// ```
/// To wait for the queue is to wait for all that was given to it before, however long that takes; each piece waits for
/// others' writes no longer than ``StoreOptions/busyTimeout`` says. Inside a `write`, wait for no queue: its work would wait for that
/// very write, and fail as `busy`.
public final class StoreQueue: Sendable {
  /// The store that the work is done on.
  public let store: Store
  private let queue = DispatchQueue(label: "Nacre.StoreQueue")
  private let key = DispatchSpecificKey<ObjectIdentifier>()

  /// Makes a queue without work.
  ///
  /// - Parameter store: the store that the work is done on.
  public init(_ store: Store) {
    self.store = store
    queue.setSpecific(key: key, value: ObjectIdentifier(self))
  }

  /// Runs a transaction after all that was given before, and waits for it.
  ///
  /// - Parameters:
  ///   - kind: when it takes its locks.
  ///   - body: what it does; when it throws, nothing of it is stored.
  /// - Returns: what `body` returns.
  /// - Throws: ``NacreError`` with code `transactionState` inside work of this very queue, which would wait for itself;
  ///   what `body` throws.
  public func sync<T>(
    _ kind: TransactionKind = .immediate,
    _ body: (Database) throws -> T
  ) throws -> T {
    if DispatchQueue.getSpecific(key: key) == ObjectIdentifier(self) {
      throw NacreError(
        .transactionState,
        detail:
          "a sync inside the queue's own work would wait for itself; use the connection that you "
          + "have"
      )
    }
    return try queue.sync { try store.write(kind, body) }
  }

  /// Gives the queue a transaction to run, and goes on.
  ///
  /// - Parameters:
  ///   - kind: when it takes its locks.
  ///   - body: what it does; when it throws, nothing of it is stored.
  ///   - completion: is told how it ended, on the queue.
  public func async<T: Sendable>(
    _ kind: TransactionKind = .immediate,
    _ body: @escaping @Sendable (Database) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void = { _ in }
  ) {
    queue.async { completion(Result { try self.store.write(kind, body) }) }
  }

  /// Runs a transaction after all that was given before, while the task waits without blocking a thread.
  ///
  /// - Parameters:
  ///   - kind: when it takes its locks.
  ///   - body: what it does; when it throws, nothing of it is stored.
  /// - Returns: what `body` returns.
  /// - Throws: ``NacreError``, or what `body` throws.
  public func run<T: Sendable>(
    _ kind: TransactionKind = .immediate,
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      async(kind, body) { continuation.resume(with: $0) }
    }
  }

  /// Waits until all that was given before is done.
  ///
  /// - Throws: ``NacreError`` with code `transactionState` inside work of this very queue.
  public func waitUntilDone() throws { try sync(.deferred) { _ in } }
}
