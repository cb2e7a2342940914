public import NacreEngine

extension Store {
  /// Runs `body` on a connection that sees one state of the store, however many queries it makes.
  ///
  /// Inside `write` on the same thread, `body` sees what that transaction has written so far.
  /// Otherwise nothing can be stored in `body`, because its state would not show it: a save, a
  /// delete or the start of a transaction on this thread throws
  /// ``NacreError/Code/transactionState``.
  ///
  /// - Throws: ``NacreError``, or the error of `body`. The code is `readersHeld` if as many readers
  ///   are lent as there may be, for longer than the busy timeout.
  public func read<T>(_ body: (Database) throws -> T) throws -> T {
    try withReader { try $0.reading(body) }
  }

  /// Runs `body` on a connection that sees one state of the store, however many queries it makes.
  ///
  /// If the task is cancelled, a server ends the statement that runs and refuses the next ones.
  ///
  /// - Throws: ``NacreError``, the error of `body`, or `CancellationError` if the task is cancelled
  ///   while it waits, or while a server runs a statement.
  public func read<T>(
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) async throws -> sending T {
    try await onReader { database in
      database.noteSeen()
      return try database.connection.transaction(.deferred) { try body(database) }
    }
  }

  /// Reads something that nobody else has yet: values, or objects that a fetch has just made.
  package func readFresh<T>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> sending T {
    try await withFreshReader { try $0.reading(body) }
  }

  /// The async twin of ``withReader(_:)``, for something that nobody else has yet.
  ///
  /// Use it for one statement. A transaction around that costs two more round trips to a server.
  package func withFreshReader<T>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> sending T {
    try await onReader { database in
      nonisolated(unsafe) let made = try body(database)
      return made
    }
  }

  /// Runs `body` on a reader of the pool and a thread that no task shares.
  private func onReader<T>(
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) async throws -> sending T {
    let pool = try pool
    nonisolated(unsafe) let database = try await Self.wrapping { try await pool.acquireReader() }
    return try await Self.apart(database, givingBack: { pool.releaseReader($0) }, body)
  }

  /// Runs `body` with a connection of the pool on a thread that no task shares, and gives the connection back.
  private static func apart<T>(
    _ database: Database,
    givingBack giveBack: @escaping @Sendable (Database) -> Void,
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) async throws -> sending T {
    nonisolated(unsafe) let database = database
    let interruption = Interruption(of: database)
    return try await interruption.whileAwaited {
      try await onThread {
        defer { giveBack(database) }
        return try interruption.during { try bound(database) { try body(database) } }
      }
    }
  }

  /// Runs `body` in a transaction: everything that it writes is stored, or nothing if it throws.
  ///
  /// A `write` inside another one on the same thread is a savepoint of the outer one. If the inner
  /// one throws and the outer one catches the error, only the inner one's changes are undone.
  /// Objects that they saved or deleted return to their state before, too.
  ///
  /// The pages of the file that it changes are kept in memory until it ends.
  ///
  /// - Throws: ``NacreError``, or the error of `body`. The code is `busy` if somebody else, in this
  ///   process or another, writes for longer than the busy timeout, and `transactionState` inside
  ///   `read`.
  @discardableResult
  public func write<T>(
    _ kind: TransactionKind = .immediate,
    _ body: (Database) throws -> T
  ) throws -> T {
    try withWriter { try $0.transaction(kind, body) }
  }

  /// Runs `body` in a transaction on the caller's own actor, so that it can save the objects that
  /// the caller holds: everything that it writes is stored, or nothing if it throws.
  /// ```swift
  /// car.power = 300
  /// try await store.write { _ in try car.save() }
  /// ```
  /// The task waits for the writer without blocking a thread. Then `body` runs from its beginning to
  /// its end, and nothing else on that actor runs in between. Use ``writeInBackground(_:_:)`` for
  /// long work that needs none of the caller's objects. If the task is cancelled, a server ends the
  /// statement that runs, and nothing is stored.
  ///
  /// - Parameters:
  ///   - kind: When the transaction takes the lock of the file.
  ///   - isolation: The caller's actor, on which `body` runs.
  ///   - body: Runs with the writer.
  /// - Returns: The result of `body`.
  /// - Throws: ``NacreError``, the error of `body`, or `CancellationError` if the task is cancelled
  ///   while it waits, or while a server runs a statement. The code is `busy` if others write for
  ///   longer than the busy timeout.
  @discardableResult
  public func write<T>(
    _ kind: TransactionKind = .immediate,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Database) throws -> T
  ) async throws -> T {
    try await withWriterAsync { try $0.transaction(kind, body) }
  }

  /// Runs `body` in a transaction on a thread that no task shares: everything that it writes is
  /// stored, or nothing if it throws.
  ///
  /// The caller's actor is free meanwhile, so `body` can use none of its objects. If the task is
  /// cancelled, a server ends the statement that runs, and nothing is stored.
  ///
  /// - Throws: ``NacreError``, the error of `body`, or `CancellationError` if the task is cancelled
  ///   while it waits, or while a server runs a statement.
  @discardableResult
  public func writeInBackground<T>(
    _ kind: TransactionKind = .immediate,
    _ body: @escaping @Sendable (Database) throws -> sending T
  ) async throws -> sending T {
    let pool = try pool
    nonisolated(unsafe) let database = try await Self.wrapping { try await pool.acquireWriter() }
    return try await Self.apart(database, givingBack: { pool.giveBack(writer: $0) }) {
      try $0.transaction(kind, body)
    }
  }

  /// Runs `body` on this thread's connection, or on a reader without a transaction.
  ///
  /// Use it for one statement, which sees one state anyway.
  ///
  /// - Throws: ``NacreError``, or the error of `body`.
  package func withReader<T>(_ body: (Database) throws -> T) throws -> T {
    if let bound = ThreadBinding.database(of: self) {
      return try NacreError.wrapping { try body(bound) }
    }
    return try withPoolReader(body)
  }

  /// Waits for a reader, then runs `body` on the caller's own actor.
  package func withReaderAsync<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Database) throws -> T
  ) async throws -> T {
    let pool = try pool
    nonisolated(unsafe) let database = try await Self.wrapping { try await pool.acquireReader() }
    defer { pool.releaseReader(database) }
    return try await Interruption(of: database).onActor {
      try Self.bound(database) { try body(database) }
    }
  }

  /// Runs `body` on a reader, even inside this thread's write transaction, whose changes it does
  /// not see.
  ///
  /// Inside `read`, `body` gets that read's reader, because a second one might never become free.
  /// Inside `write` it gets the writer if all readers are lent, perhaps to threads that wait for
  /// the writer; it then sees the transaction's changes.
  ///
  /// - Throws: ``NacreError``, or the error of `body`.
  package func readApart<T>(_ body: (Database) throws -> T) throws -> T {
    if let bound = ThreadBinding.reader(of: self) {
      return try NacreError.wrapping { try bound.reading(body) }
    }
    guard let writer = ThreadBinding.writer(of: self) else {
      return try withPoolReader { try $0.reading(body) }
    }
    return try NacreError.wrapping {
      let pool = try pool
      guard let reader = try pool.acquireIdleReader() else { return try writer.reading(body) }
      return try lend(reader, of: pool) { try $0.reading(body) }
    }
  }

  /// Runs `body` on a reader of the pool.
  private func withPoolReader<T>(_ body: (Database) throws -> T) throws -> T {
    try NacreError.wrapping {
      let pool = try pool
      return try lend(pool.acquireReader(), of: pool, body)
    }
  }

  @inline(__always)
  private func lend<T>(
    _ reader: Database,
    of pool: ConnectionPool<Database>,
    _ body: (Database) throws -> T
  ) throws -> T {
    ThreadBinding.push(reader)
    defer {
      ThreadBinding.pop(reader)
      pool.releaseReader(reader)
    }
    try settings.apply(to: reader)
    return try body(reader)
  }

  /// Runs `body` on this thread's writer, or on the pool's.
  ///
  /// - Throws: ``NacreError``, with code `transactionState` inside `read`; or what `body` throws.
  package func withWriter<T>(_ body: (Database) throws -> T) throws -> T {
    switch ThreadBinding.place(in: self) {
    case .writing(let bound): try NacreError.wrapping { try body(bound) }
    case .reading: throw Self.writeInsideRead
    case .outside: try withPoolWriter(body)
    }
  }

  /// Waits for the writer, then runs `body` on the caller's own actor, so that the objects that it
  /// saves stay there.
  package func withWriterAsync<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Database) throws -> T
  ) async throws -> T {
    if let bound = ThreadBinding.writer(of: self) {
      return try NacreError.wrapping { try body(bound) }
    }
    let pool = try pool
    nonisolated(unsafe) let database = try await Self.wrapping { try await pool.acquireWriter() }
    defer { pool.giveBack(writer: database) }
    return try await Interruption(of: database).onActor {
      try Self.bound(database) { try body(database) }
    }
  }

  /// Does the same as `withWriter`, but also inside `read`, whose transaction it does not join.
  ///
  /// It is for the tables that a class or a DAO needs there, and for work that only queries the
  /// writer.
  ///
  /// - Throws: ``NacreError``, or the error of `body`.
  package func withWriterApart<T>(_ body: (Database) throws -> T) throws -> T {
    if case .writing(let bound) = ThreadBinding.place(in: self) {
      return try NacreError.wrapping { try body(bound) }
    }
    return try withPoolWriter(body)
  }

  /// Runs `body` in a transaction, even inside `read`, which goes on with the state after it.
  ///
  /// It is for the tables that a DAO needs there.
  ///
  /// - Throws: ``NacreError``, or the error of `body`.
  package func writeApart<T>(_ body: (Database) throws -> T) throws -> T {
    let result = try withWriterApart { try $0.transaction(.immediate, body) }
    if case .reading = ThreadBinding.place(in: self), let reader = ThreadBinding.reader(of: self) {
      try NacreError.wrapping { try reader.moveSnapshot() }
    }
    return result
  }

  /// Runs `body` in a transaction that may change more than fits into memory.
  ///
  /// If a statement of `body` fails, `body` has to throw.
  ///
  /// - Throws: The same errors as ``write(_:_:)``.
  package func writeMuch<T>(_ body: (Database) throws -> T) throws -> T {
    try withWriter { database in
      try database.connection.spillingChanges { try database.transaction(.immediate, body) }
    }
  }

  /// Runs the store's own long work on the writer; callers that wait for the writer meanwhile do
  /// not give up.
  ///
  /// - Throws: The same errors as ``withWriter(_:)``.
  package func withWriterForLong<T>(_ body: (Database) throws -> T) throws -> T {
    try withWriter { database in try pool.takingLong { try body(database) } }
  }

  /// Lets this thread wait for the writer for twelve busy timeouts while others in this process
  /// have it.
  ///
  /// It is for long work in many transactions, which should not stop half-way because of somebody
  /// else's transaction.
  package func patiently<T>(_ body: () throws -> T) rethrows -> T {
    try ThreadBinding.withPatience(12, body)
  }

  static var writeInsideRead: NacreError {
    NacreError(
      .transactionState,
      detail: "a call would write inside `read { }` or `live { }`; use `write { }`"
    )
  }

  private func withPoolWriter<T>(_ body: (Database) throws -> T) throws -> T {
    try NacreError.wrapping {
      let pool = try pool
      let database = try pool.acquireWriter()
      ThreadBinding.push(database)
      defer {
        ThreadBinding.pop(database)
        pool.giveBack(writer: database)
      }
      try settings.apply(to: database)
      return try body(database)
    }
  }

  private static func bound<T>(
    _ database: Database,
    _ body: () throws -> sending T
  ) throws -> sending T {
    ThreadBinding.push(database)
    defer { ThreadBinding.pop(database) }
    do {
      try database.home.settings.apply(to: database)
      return try body()
    } catch {
      throw NacreError.wrap(error)
    }
  }

  private static func wrapping<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> sending T
  ) async throws -> sending T {
    do { return try await body() } catch { throw NacreError.wrap(error) }
  }
}

extension Database {
  /// Runs `body` in the open transaction, or else in a new one that sees one state.
  func reading<T>(_ body: (Database) throws -> T) throws -> T {
    if connection.isInTransaction { return try body(self) }
    noteSeen()
    return try connection.transaction(.deferred) { try body(self) }
  }

  /// Runs `body` in a read transaction, if none is open.
  package func consistently<T>(_ body: () throws -> T) throws -> T {
    if connection.isInTransaction { return try body() }
    noteSeen()
    return try connection.transaction(.deferred, body)
  }
}
