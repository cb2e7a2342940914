package import NacreEngine
import Synchronization

/// Reads a statement's rows in batches, for a cursor.
///
/// It uses the connection of this thread's read or write, or else a reader that it keeps until it
/// reaches the end, is closed or is released. `Source` makes elements from the rows. It is released
/// together with the statement, because it holds other statements.
package final class BatchReader<Element, Source> {
  /// Makes the next elements, at most `limit`; if there are fewer, they are the last.
  package typealias Making = (Database, any PreparedStatement, Source, _ limit: Int) throws ->
    [Element]

  /// How many rows are read at once.
  private static var size: Int { 256 }

  /// The store is kept alive, because it can't close while one of its readers is lent.
  private let store: Store
  private let database: Database
  private let release: () -> Void
  private let isBound: Bool
  private let make: Making
  /// Guards `open` and `ending`, which the store changes on any thread when it is closed.
  private let lock = Mutex(())
  /// Nil once the reader is given back, because open statements would keep the connection from
  /// closing.
  private var open: (statement: any PreparedStatement, source: Source)?
  /// The error to throw once somebody else has ended the reading; nil before that.
  private var ending: NacreError?
  /// Whether the store is being closed; it does not wait for a batch that is being read.
  private let isEndingWithStore = Atomic(false)
  private var isAtEnd = false
  private var batch: [Element] = []
  private var position = 0

  /// Starts reading.
  ///
  /// - Parameters:
  ///   - store: The store to read.
  ///   - begin: Returns a statement with its values bound. It must not be the cached one, which may
  ///     be needed again meanwhile.
  ///   - make: Makes the elements of a batch.
  /// - Throws: ``NacreError``.
  package init(
    _ store: Store,
    _ begin: (Database) throws -> (statement: any PreparedStatement, source: Source),
    making make: @escaping Making
  ) throws {
    self.store = store
    self.make = make
    isBound = ThreadBinding.database(of: store) != nil
    (database, release) = try Self.borrow(store)
    do {
      let begun = try begin(database)
      begun.statement.readInPortions()
      open = begun
      if isBound { database.cursors.insert(self) } else { try store.enter(self) }
    } catch {
      open = nil
      release()
      throw NacreError.wrap(error)
    }
  }

  deinit { giveBack() }

  /// Returns a connection in a read transaction: the thread's own, or a reader to keep.
  private static func borrow(_ store: Store) throws -> (Database, () -> Void) {
    if let bound = ThreadBinding.database(of: store) { return (bound, {}) }
    return try NacreError.wrapping {
      let pool = try store.pool
      let database = try pool.acquireKeptReader()
      do {
        try store.settings.apply(to: database)
        database.noteSeen()
        try database.connection.begin(.deferred)
      } catch {
        pool.releaseKeptReader(database)
        throw error
      }
      return (
        database,
        {
          try? database.connection.rollback()
          pool.releaseKeptReader(database)
        }
      )
    }
  }

  /// Returns the next element, or nil after the last.
  ///
  /// - Throws: ``NacreError``; the reader is given back then.
  package func next() throws -> Element? {
    if position == batch.count {
      (batch, position) = ([], 0)
      batch = try nextBatch()
    }
    if batch.isEmpty { return nil }
    defer { position += 1 }
    return batch[position]
  }

  /// Returns the next element as ``next()`` does, but reads on a thread that no task shares.
  ///
  /// - Parameter isolation: The caller's actor.
  /// - Returns: The element, or nil after the last.
  /// - Throws: ``NacreError``, or `CancellationError` if the task is cancelled. The reader is given
  ///   back then.
  package func next(isolation: isolated (any Actor)?) async throws -> Element? {
    if Task.isCancelled {
      close()
      throw CancellationError()
    }
    if position == batch.count {
      // The thread changes only what the lock guards, and leaves the batch to the caller.
      nonisolated(unsafe) let reader = self
      let interruption = Interruption(of: database)
      let read = try await interruption.whileAwaited {
        try await Store.onThread {
          nonisolated(unsafe) let read = try reader.nextBatch(interruption)
          return read
        }
      }
      // Somebody else on this actor may have called meanwhile, and not have used all of a batch.
      batch = Array(batch[position...]) + read
      position = 0
    }
    if batch.isEmpty { return nil }
    defer { position += 1 }
    return batch[position]
  }

  /// Gives the reader back, and discards elements that were read ahead.
  ///
  /// Closing twice does nothing.
  package func close() {
    giveBack()
    (batch, position) = ([], 0)
  }

  private func nextBatch(_ interruption: Interruption? = nil) throws -> [Element] {
    do {
      var batch: [Element] = []
      try lock.withLock { _ in batch = try readBatch(interruption) }
      if isEndingWithStore.load(ordering: .sequentiallyConsistent) { endWithStore() }
      if batch.isEmpty { giveBack() }
      return batch
    } catch {
      giveBack()
      throw NacreError.wrap(error)
    }
  }

  private func giveBack() {
    lock.withLock { _ in
      guard open != nil else { return }
      if !isBound { store.leave(ObjectIdentifier(self)) }
      // Nothing else may hold the statement, not even a local variable: it has to be finalized
      // here, and not while the connection's next user runs.
      open?.statement.reset()
      open = nil
      release()
    }
  }

  private static var readHasEnded: NacreError {
    NacreError(.transactionState, detail: "the cursor's read or write has ended")
  }

  private func readBatch(_ interruption: Interruption?) throws -> [Element] {
    if let ending { throw ending }
    // The connection belongs to the transaction, and perhaps to another thread by now.
    if isBound, ThreadBinding.database(of: store) !== database { throw Self.readHasEnded }
    guard let open, !isAtEnd else { return [] }
    // Makes this store the current one for values whose stored form depends on the store, such as
    // JSON.
    ThreadBinding.push(database)
    defer { ThreadBinding.pop(database) }
    let read = { [self] in
      try NacreError.wrapping { try make(database, open.statement, open.source, Self.size) }
    }
    let batch = try interruption?.during(read) ?? read()
    isAtEnd = batch.count < Self.size
    return batch
  }
}

extension BatchReader: BoundCursor {
  func endWithConnection() {
    // Keep this error, because a later read may use the same connection.
    lock.withLock { _ in if open != nil { ending = Self.readHasEnded } }
    giveBack()
  }
}

extension BatchReader: OpenCursor {
  func endWithStore() {
    isEndingWithStore.store(true, ordering: .sequentiallyConsistent)
    // If another thread holds the lock, it is reading a batch, and ends the reading after that.
    if lock.withLockIfAvailable({ _ in ending = NacreError(.storeClosed) }) != nil { giveBack() }
  }
}
