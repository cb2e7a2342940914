package import NacreSQLite

// What the DAO, which stands on this room, needs of a connection beyond what everybody has.

extension Database {
  /// A cached statement of the caller's own SQL, ready to be bound.
  ///
  /// - Throws: ``NacreError``.
  package func prepared(_ sql: String) throws -> Statement {
    hasStrangers = nil
    try refuseLostTransaction()
    return try NacreError.wrapping { try connection.cached(sql) }
  }

  /// Runs one statement with values for its parameters.
  ///
  /// - Throws: ``NacreError``.
  package func run(_ sql: String, _ values: [Value] = []) throws {
    _ = try execute(SQLArguments(text: sql, values: values))
  }

  /// The first row's first column, or nil where there is no row.
  ///
  /// - Throws: ``NacreError``.
  package func first(_ sql: String, _ values: [Value] = []) throws -> Value? {
    try NacreError.wrapping { try scalar(sql, values) }
  }

  /// Runs `body` in a savepoint of the open transaction, or in a transaction.
  ///
  /// - Throws: what `body` throws, after what it did was undone.
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    try transaction(.immediate) { _ in try body() }
  }

  /// Does something once the outermost transaction is committed.
  package func onCommit(_ action: @escaping () -> Void) { undo.onCommit(action) }
}

extension Store {
  /// Whether this thread is inside a transaction that writes.
  package var isWritingOnThisThread: Bool { ThreadBinding.writer(of: self) != nil }

  /// Runs `body` on this thread's connection, or on a reader without a transaction of its own: for one statement, which
  /// sees one state by itself.
  ///
  /// - Throws: ``NacreError``, or what `body` throws.
  package func readOnce<T>(_ body: (Database) throws -> T) throws -> T { try withReader(body) }

  /// Runs `body` on a reader, also inside of a transaction of this thread, of which it sees nothing.
  ///
  /// - Throws: ``NacreError``, or what `body` throws.
  package func readApart<T>(_ body: (Database) throws -> T) throws -> T {
    try NacreError.wrapping {
      let pool = try pool
      let database = try pool.acquireReader()
      defer { pool.releaseReader(database) }
      try settings.apply(to: database)
      return try database.connection.transaction(.deferred) { try body(database) }
    }
  }

  /// Makes sure that the next read apart finds a connection that is open already.
  ///
  /// - Throws: ``NacreError``.
  package func warmReader() throws { try readApart { _ in } }

  /// Gives the file's free pages back.
  ///
  /// - Throws: ``NacreError``, inside a transaction, too.
  package func vacuum() throws {
    try withWriter { database in try database.execute(RotationSQL.vacuum) }
  }

  /// Runs blocking work on a thread that no task is waiting for.
  ///
  /// - Throws: what `body` throws.
  package static func offTask<T>(
    _ body: @escaping @Sendable () throws -> sending T
  ) async throws -> sending T {
    try await onThread(body)
  }
}
