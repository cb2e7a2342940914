import Dispatch
public import NacreEngine

/// A serial queue of work on one store: each piece is a transaction, and runs after the pieces that
/// were added before.
///
/// A store needs no queue to be used from many threads. A queue puts work in order, and lets the
/// caller go on before the work is done.
/// ```swift
/// let queue = StoreQueue(store)
/// queue.async { _ in try Car.create().save() }
/// let count = try queue.sync { _ in try Car.count() }   // sees that car
/// ```
/// A caller that waits for the queue waits for all work that was added before, however long that
/// takes. Each piece waits for others' writes no longer than ``StoreOptions/busyTimeout``. Do not
/// wait for a queue inside a `write`: the queue's work would wait for that very write, and fail as
/// `busy`.
public final class StoreQueue: Sendable {
  /// The store on which the work is done.
  public let store: Store
  private let queue = DispatchQueue(label: "Nacre.StoreQueue")
  private let key = DispatchSpecificKey<ObjectIdentifier>()

  /// Makes an empty queue.
  ///
  /// - Parameter store: The store on which the work is done.
  public init(_ store: Store) {
    self.store = store
    queue.setSpecific(key: key, value: ObjectIdentifier(self))
  }

  /// Runs a transaction after all work that was added before, and waits for it.
  ///
  /// - Parameters:
  ///   - kind: When the transaction takes its locks.
  ///   - body: The work; if it throws, nothing of it is stored.
  /// - Returns: The result of `body`.
  /// - Throws: ``NacreError`` with code `transactionState` inside work of the same queue, because
  ///   it would wait for itself; the error of `body`.
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

  /// Adds a transaction to the queue, and returns at once.
  ///
  /// - Parameters:
  ///   - kind: When the transaction takes its locks.
  ///   - body: The work; if it throws, nothing of it is stored.
  ///   - completion: Is called on the queue with the result.
  public func async<T: Sendable>(
    _ kind: TransactionKind = .immediate,
    _ body: @escaping @Sendable (Database) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void = { _ in }
  ) {
    queue.async { completion(Result { try self.store.write(kind, body) }) }
  }

  /// Runs a transaction after all work that was added before; the task waits without blocking a
  /// thread.
  ///
  /// - Parameters:
  ///   - kind: When the transaction takes its locks.
  ///   - body: The work; if it throws, nothing of it is stored.
  /// - Returns: The result of `body`.
  /// - Throws: ``NacreError``, or the error of `body`.
  public func run<T: Sendable>(
    _ kind: TransactionKind = .immediate,
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      async(kind, body) { continuation.resume(with: $0) }
    }
  }

  /// Waits until all work that was added before is done.
  ///
  /// - Throws: ``NacreError`` with code `transactionState` inside work of the same queue.
  public func waitUntilDone() throws { try sync(.deferred) { _ in } }
}
