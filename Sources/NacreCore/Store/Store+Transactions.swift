public import NacreSQLite

extension Store {
  /// Runs `body` on a connection that sees one state of the store, however many queries it makes.
  ///
  /// Inside `write` on the same thread, it sees what that transaction has written so far.
  ///
  /// - Throws: ``NacreError``, or what `body` throws.
  public func read<T>(_ body: (Database) throws -> T) throws -> T {
    try withReader { try $0.reading(body) }
  }

  /// Runs `body` in a transaction: all of what it writes is stored, or, when it throws, nothing of it.
  ///
  /// A `write` inside another on the same thread is a savepoint of it: when the inner one throws and the outer one
  /// catches that, only the inner one's changes are undone. Objects are put back to as unsaved as before, too.
  ///
  /// - Throws: ``NacreError``, or what `body` throws.
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
  func withWriter<T>(_ body: (Database) throws -> T) throws -> T {
    if let bound = ThreadBinding.writer(of: self) {
      return try NacreError.wrapping { try body(bound) }
    }
    return try NacreError.wrapping {
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
  fileprivate func reading<T>(_ body: (Database) throws -> T) throws -> T {
    if connection.isInTransaction { return try body(self) }
    return try connection.transaction(.deferred) { try body(self) }
  }
}

// MARK: - Transactions by hand

extension Store {
  /// Begins a transaction that ends with ``commit()`` or ``rollback()`` on the same thread.
  ///
  /// Everything that this thread does with the store until then belongs to it; other threads' writes wait. It is rolled
  /// back when the thread ends first. A queue's threads go on to other work instead: use ``write(_:_:)`` there.
  ///
  /// - Throws: ``NacreError/Code/transactionState`` when one is open on this thread already.
  @available(*, noasync, message: "a task can go on on another thread; use write { }")
  public func begin(_ kind: TransactionKind = .immediate) throws {
    guard ThreadBinding.writer(of: self) == nil else {
      throw NacreError(.transactionState, detail: "a transaction is open on this thread already")
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
  @available(*, noasync, message: "a task can go on on another thread; use write { }")
  public func commit() throws { try end { try $0.commit() } }

  /// Undoes what was written since ``begin(_:)``, in the file and in memory.
  ///
  /// - Throws: ``NacreError/Code/transactionState`` when no transaction is open on this thread.
  @available(*, noasync, message: "a task can go on on another thread; use write { }")
  public func rollback() throws { try end { $0.rollBack() } }

  private func end(_ body: (Database) throws -> Void) throws {
    guard let database = ThreadBinding.writer(of: self), database.isOpenedByHand else {
      throw NacreError(
        .transactionState,
        detail: "`begin()` comes first, and `commit()` or `rollback()` on the same thread"
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
