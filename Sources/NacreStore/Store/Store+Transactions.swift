public import NacreSQLite

extension Store {
  /// Runs `body` on a connection that sees one state of the store, however many queries it makes.
  ///
  /// Inside `write` on the same thread, it sees what that transaction has written so far. Otherwise nothing is stored in
  /// here, whose state would not show it: what saves or deletes on this thread, or begins a transaction, throws
  /// ``NacreError/Code/transactionState``.
  ///
  /// - Throws: ``NacreError``, with code `readersHeld` where all readers that there may be are lent for longer than the busy
  ///   timeout; or what `body` throws.
  public func read<T>(_ body: (Database) throws -> T) throws -> T {
    try withReader { try $0.reading(body) }
  }

  /// Runs `body` in a transaction: all of what it writes is stored, or, when it throws, nothing of it.
  ///
  /// A `write` inside another on the same thread is a savepoint of it: when the inner one throws and the outer one
  /// catches that, only the inner one's changes are undone. Objects are put back to as unsaved as before, too.
  ///
  /// - Throws: ``NacreError``, with code `busy` where somebody else writes for longer than the busy timeout, in this
  ///   process or another, and `transactionState` inside `read`; or what `body` throws.
  @discardableResult
  public func write<T>(
    _ kind: TransactionKind = .immediate,
    _ body: (Database) throws -> T
  ) throws -> T {
    try withWriter { try $0.transaction(kind, body) }
  }

  /// Runs `body` on this thread's connection, or on a reader without a transaction of its own: for one statement, which
  /// sees one state by itself.
  ///
  /// - Throws: ``NacreError``, or what `body` throws.
  package func withReader<T>(_ body: (Database) throws -> T) throws -> T {
    if let bound = ThreadBinding.database(of: self) {
      return try NacreError.wrapping { try body(bound) }
    }
    return try withPoolReader(body)
  }

  /// Runs `body` on a reader, also inside of a transaction of this thread, of which it sees nothing.
  ///
  /// Inside of `read` that is its reader: a second one might never come. So it is with the writer where all readers are
  /// lent, perhaps to those who wait for it; the transaction is seen then.
  ///
  /// - Throws: ``NacreError``, or what `body` throws.
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

  /// The same also inside of `read`, of whose transaction it is no part: for the tables that a class or a DAO needs there,
  /// and for what only asks the writer.
  ///
  /// - Throws: ``NacreError``, or what `body` throws.
  package func withWriterApart<T>(_ body: (Database) throws -> T) throws -> T {
    if case .writing(let bound) = ThreadBinding.place(in: self) {
      return try NacreError.wrapping { try body(bound) }
    }
    return try withPoolWriter(body)
  }

  /// Runs `body` in a transaction, also inside of `read`, which goes on with the state that it leaves: for the tables that a
  /// DAO needs there.
  ///
  /// - Throws: ``NacreError``, or what `body` throws.
  package func writeApart<T>(_ body: (Database) throws -> T) throws -> T {
    let result = try withWriterApart { try $0.transaction(.immediate, body) }
    if case .reading = ThreadBinding.place(in: self), let reader = ThreadBinding.reader(of: self) {
      try NacreError.wrapping { try reader.moveSnapshot() }
    }
    return result
  }

  /// Runs work of the store's own on the writer that can take long: those who wait for the writer meanwhile do not give up.
  ///
  /// - Throws: as ``withWriter(_:)``.
  package func withWriterForLong<T>(_ body: (Database) throws -> T) throws -> T {
    try withWriter { database in try pool.takingLong { try body(database) } }
  }

  /// Lets this thread wait for the writer, where others of this process have it, for twelve busy timeouts: for work that goes
  /// on for long in many transactions, and should not end half-way for one that others made.
  package func patiently<T>(_ body: () throws -> T) rethrows -> T {
    try ThreadBinding.withPatience(12, body)
  }

  private static var writeInsideRead: NacreError {
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
}

extension Database {
  /// Runs `body` in the open transaction, or in one that sees one state.
  func reading<T>(_ body: (Database) throws -> T) throws -> T {
    if connection.isInTransaction { return try body(self) }
    noteSeen()
    return try connection.transaction(.deferred) { try body(self) }
  }
}

extension Database {
  /// Runs `body` in a read transaction, if none is open.
  package func consistently<T>(_ body: () throws -> T) throws -> T {
    if connection.isInTransaction { return try body() }
    return try connection.transaction(.deferred, body)
  }
}

// MARK: - Transactions by hand

extension Store {
  /// Begins a transaction that ends with ``commit()`` or ``rollback()`` on the same thread.
  ///
  /// Everything that this thread does with the store until then belongs to it; other threads' writes wait. It is rolled
  /// back when the thread ends first. A queue's threads go on to other work instead: use ``write(_:_:)`` there.
  ///
  /// - Throws: ``NacreError/Code/transactionState`` when one is open on this thread already, and inside `read`.
  @available(*, noasync, message: "a task can continue on another thread; use write { }")
  public func begin(_ kind: TransactionKind = .immediate) throws {
    switch ThreadBinding.place(in: self) {
    case .writing:
      throw NacreError(.transactionState, detail: "a transaction is open on this thread already")
    case .reading: throw Self.writeInsideRead
    case .outside: break
    }
    try NacreError.wrapping {
      let pool = try pool
      let database = try pool.acquireWriter()
      do {
        try settings.apply(to: database)
        try database.begin(kind)
      } catch {
        pool.releaseWriter()
        throw error
      }
      database.openedBy = self
      ThreadBinding.push(database)
    }
  }

  /// Stores what was written since ``begin(_:)``.
  ///
  /// - Throws: ``NacreError``; the transaction is rolled back when it can't be committed.
  @available(*, noasync, message: "a task can continue on another thread; use write { }")
  public func commit() throws { try end { try $0.commit() } }

  /// Undoes what was written since ``begin(_:)``, in the file and in memory.
  ///
  /// - Throws: ``NacreError/Code/transactionState`` when no transaction is open on this thread.
  @available(*, noasync, message: "a task can continue on another thread; use write { }")
  public func rollback() throws { try end { $0.rollBack() } }

  private func end(_ body: (Database) throws -> Void) throws {
    guard let database = ThreadBinding.writer(of: self), database.isOpenedByHand else {
      throw NacreError(
        .transactionState,
        detail: "call `begin()` first, and `commit()` or `rollback()` on the same thread"
      )
    }
    defer { database.endByHand() }
    try NacreError.wrapping { try body(database) }
  }
}

extension Database {
  /// Rolls back a transaction that was begun by hand on a thread that ends.
  func abandon() {
    guard isOpenedByHand else { return }
    rollBack()
    endByHand()
  }

  /// Gives the writer to the next, after a transaction that was begun by hand.
  fileprivate func endByHand() {
    let store = openedBy
    openedBy = nil
    ThreadBinding.pop(self)
    (try? store?.pool)?.giveBack(writer: self)
  }
}
