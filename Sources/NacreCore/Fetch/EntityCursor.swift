import NacreSQLite
import Synchronization

/// Reads objects one after another, with their children, in memory that does not grow with their number.
///
/// The cursor sees one state of the store from its first row to its last, and holds one of the store's readers until
/// it is at its end, closed or released. While it is open the write-ahead log can't be cut back past that state.
public final class EntityCursor<E: Entity> {
  /// How many objects' children are loaded at once.
  private static var batchSize: Int { 256 }

  /// Kept alive, for it can't close while a reader of it is lent.
  private let store: Store
  private let database: Database
  private let release: () -> Void
  /// Nil once the reader is given back: it holds statements, with which the connection could not be closed.
  private var plan: EntityPlan?
  private let prefetch: [Property]
  /// Guards `statement` and `reader`, which the store takes away when it is closed, on whatever thread.
  private let lock = Mutex(())
  private var statement: Statement?
  private var reader: RowReader?
  /// What to throw once somebody else has ended the cursor.
  private var ending: NacreError?
  private let isBound: Bool
  private var batch: [E] = []
  private var position = 0

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - store: the store that is read.
  ///   - request: what is asked for.
  ///   - owner: the arguments behind the caller's own.
  ///   - text: the statement.
  /// - Throws: ``NacreError``.
  init(
    _ store: Store,
    _ request: FetchRequest,
    owner: [Value] = [],
    text: (EntityPlan, QueryTerms) -> String
  ) throws {
    self.store = store
    isBound = ThreadBinding.database(of: store) != nil
    (database, release) = try Self.borrow(store)
    do {
      let plan = try database.plan(for: E.entitySchema)
      self.plan = plan
      prefetch = request.prefetch
      let (terms, arguments) = try request.resolved(plan, on: database)
      // A statement of its own: the cached one may be wanted again while the cursor is open.
      let statement = try database.connection.prepare(text(plan, terms))
      try statement.bindAll(arguments + owner)
      reader = plan.reader(statement)
      self.statement = statement
      if isBound { database.enter(self) } else { try store.enter(self) }
    } catch {
      statement = nil
      reader = nil
      plan = nil
      release()
      throw NacreError.wrap(error)
    }
  }

  deinit { close() }

  /// A connection in a read transaction: the thread's own, or a reader that the cursor keeps.
  private static func borrow(_ store: Store) throws -> (Database, () -> Void) {
    if let bound = ThreadBinding.database(of: store) { return (bound, {}) }
    return try NacreError.wrapping {
      let pool = try store.pool
      let database = try pool.acquireReader()
      do {
        try store.settings.apply(to: database)
        try database.connection.begin(.deferred)
      } catch {
        pool.releaseReader(database)
        throw error
      }
      return (
        database,
        {
          try? database.connection.rollback()
          pool.releaseReader(database)
        }
      )
    }
  }

  /// The next object, or nil after the last.
  ///
  /// - Throws: ``NacreError``; the cursor is closed then.
  public func next() throws -> E? {
    if position == batch.count {
      do {
        try readBatch()
      } catch {
        close()
        throw NacreError.wrap(error)
      }
    }
    if batch.isEmpty {
      close()
      return nil
    }
    defer { position += 1 }
    return batch[position]
  }

  /// Gives the reader back.
  ///
  /// Closing twice is nothing.
  public func close() {
    giveBack()
    batch = []
    position = 0
  }

  private func giveBack() {
    lock.withLock { _ in
      guard let statement else { return }
      if !isBound { store.leave(ObjectIdentifier(self)) }
      statement.reset()
      self.statement = nil
      reader = nil
      plan = nil
      release()
    }
  }

  private static var readHasEnded: NacreError {
    NacreError(.transactionState, detail: "the cursor's read or write has ended")
  }

  private func readBatch() throws {
    batch.removeAll(keepingCapacity: true)
    position = 0
    try lock.withLock { _ in try readNextBatch() }
  }

  private func readNextBatch() throws {
    if let ending { throw ending }
    // The connection is the transaction's, and by now perhaps another thread's.
    if isBound, ThreadBinding.database(of: store) !== database { throw Self.readHasEnded }
    guard let statement, let reader, let plan else { return }
    // For what is stored as the store says, such as JSON.
    ThreadBinding.push(database)
    defer { ThreadBinding.pop(database) }
    let loader = GraphLoader(database, prefetch: prefetch)
    let roots = plan.owned.isEmpty && prefetch.isEmpty ? nil : loader.makeRoots(plan)
    batch = try E.readObjects(
      from: RowStream(statement, reader, into: roots, limit: Self.batchSize)
    )
    if batch.count < Self.batchSize { self.reader = nil }
    if let roots { try loader.load(roots) }
  }
}

/// A cursor that holds a reader of its store's, whatever its entity.
protocol OpenCursor: AnyObject {
  /// Gives the reader back, for the store is being closed.
  func endWithStore()
}

extension EntityCursor: BoundCursor {
  func endWithConnection() {
    // Kept, for a later read may have the same connection.
    lock.withLock { _ in if statement != nil { ending = Self.readHasEnded } }
    giveBack()
  }
}

extension EntityCursor: OpenCursor {
  func endWithStore() {
    lock.withLock { _ in ending = NacreError(.storeClosed) }
    giveBack()
  }
}

extension Entity {
  /// Reads all objects one after another, in constant memory.
  /// ```swift
  /// let cars = try Car.cursor(orderBy: "power")
  /// while let car = try cars.next() { print(car.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - order: SQL, such as `"power DESC"`.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: the cursor, before its first object.
  /// - Throws: ``NacreError``.
  public static func cursor(
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> EntityCursor<Self> {
    try all.arranged(order, with: links).cursor()
  }

  /// Reads the objects that a condition is true of one after another, in constant memory.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: the values of the `?`.
  ///   - order: SQL, such as `"power DESC"`.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: the cursor, before its first object.
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func cursor(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> EntityCursor<Self> {
    try query(condition, arguments).arranged(order, with: links).cursor()
  }
}
