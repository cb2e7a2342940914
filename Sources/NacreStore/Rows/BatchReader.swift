package import NacreSQLite
import Synchronization

/// Reads what a statement gives in batches, for a cursor: on the connection of this thread's read or write, or on a reader
/// that it keeps until it is at its end, closed or released.
///
/// `Source` is what makes elements of the rows; it goes with the statement, for it holds others.
package final class BatchReader<Element, Source> {
  /// Makes the next elements, at most as many as it is told; fewer are the last.
  package typealias Making = (Database, Statement, Source, _ limit: Int) throws -> [Element]

  /// How many rows are read at once.
  private static var size: Int { 256 }

  /// Kept alive, for it can't close while a reader of it is lent.
  private let store: Store
  private let database: Database
  private let release: () -> Void
  private let isBound: Bool
  private let make: Making
  /// Guards `open` and `ending`, which the store changes when it is closed, on whatever thread.
  private let lock = Mutex(())
  /// Nil once the reader is given back: with statements on it, the connection could not be closed.
  private var open: (statement: Statement, source: Source)?
  /// The error to throw once somebody else has ended the reading; nil before.
  private var ending: NacreError?
  /// Whether the store is being closed, which does not wait for a batch that is under way.
  private let isEndingWithStore = Atomic(false)
  private var isAtEnd = false
  private var batch: [Element] = []
  private var position = 0

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - store: the store that is read.
  ///   - begin: gives a statement of its own, for the cached one may be wanted again meanwhile, with its values bound.
  ///   - make: makes the elements of a batch.
  /// - Throws: ``NacreError``.
  package init(
    _ store: Store,
    _ begin: (Database) throws -> (statement: Statement, source: Source),
    making make: @escaping Making
  ) throws {
    self.store = store
    self.make = make
    isBound = ThreadBinding.database(of: store) != nil
    (database, release) = try Self.borrow(store)
    do {
      open = try begin(database)
      if isBound { database.enter(self) } else { try store.enter(self) }
    } catch {
      open = nil
      release()
      throw NacreError.wrap(error)
    }
  }

  deinit { giveBack() }

  /// A connection in a read transaction: the thread's own, or a reader that is kept.
  private static func borrow(_ store: Store) throws -> (Database, () -> Void) {
    if let bound = ThreadBinding.database(of: store) { return (bound, {}) }
    return try NacreError.wrapping {
      let pool = try store.pool
      let database = try pool.acquireKeptReader()
      do {
        try store.settings.apply(to: database)
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

  /// The next element, or nil after the last.
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

  /// Gives the reader back, and forgets what was read ahead.
  ///
  /// Twice is nothing.
  package func close() {
    giveBack()
    (batch, position) = ([], 0)
  }

  private func nextBatch() throws -> [Element] {
    do {
      var batch: [Element] = []
      try lock.withLock { _ in batch = try readBatch() }
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
      // Nothing else may hold them, also no name in this scope: the statement is finalized here, not beside the next
      // user of the connection.
      open?.statement.reset()
      open = nil
      release()
    }
  }

  private static var readHasEnded: NacreError {
    NacreError(.transactionState, detail: "the cursor's read or write has ended")
  }

  private func readBatch() throws -> [Element] {
    if let ending { throw ending }
    // The connection is the transaction's, and by now perhaps another thread's.
    if isBound, ThreadBinding.database(of: store) !== database { throw Self.readHasEnded }
    guard let open, !isAtEnd else { return [] }
    // For what is stored as the store says, such as JSON.
    ThreadBinding.push(database)
    defer { ThreadBinding.pop(database) }
    let batch = try make(database, open.statement, open.source, Self.size)
    isAtEnd = batch.count < Self.size
    return batch
  }
}

extension BatchReader: BoundCursor {
  func endWithConnection() {
    // Kept, for a later read may have the same connection.
    lock.withLock { _ in if open != nil { ending = Self.readHasEnded } }
    giveBack()
  }
}

extension BatchReader: OpenCursor {
  func endWithStore() {
    isEndingWithStore.store(true, ordering: .sequentiallyConsistent)
    // A thread that has the lock is in the middle of a batch, and ends the reading after it.
    if lock.withLockIfAvailable({ _ in ending = NacreError(.storeClosed) }) != nil { giveBack() }
  }
}
